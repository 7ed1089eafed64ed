"""`make serve`: the site while it is being written. A page is made when somebody asks for it, and anew when something changed.

Three processes: `server` answers browsers and watches the files; it knows neither MkDocs nor the guide. One `worker` makes
pages, another looks for problems. When Python code changes, new workers take the place of the old ones as soon as they are
ready; until then, and if the new code is broken, the old ones go on. (Code of `server` itself: start `make serve` again.)
"""
