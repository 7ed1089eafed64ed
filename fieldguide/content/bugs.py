"""Rows of the bug ledger in words: where each stands, in which releases the bug is, and what to do about it."""

from collections.abc import Mapping
from typing import Any

from fieldguide.content.addresses import commit_url, page_address, thread_url
from fieldguide.content.catalog.models import Bug
from fieldguide.content.catalog.store import Catalog

# The page of what is no framework's own.
LIBRARIES = "libraries"
# What the second page of a framework is called, after it: the bugs that old releases mended.
_OLD = "-old"
# What the doctor calls a repository, where that is not its id.
PACKAGES = {"megatron": "megatron-core"}


def ledgers(catalog: Catalog) -> list[str]:
    """Names of the pages that have rows: a framework with its legacy line, in the order of the frameworks, then libraries."""
    pages = {ledger_of(catalog, item.record) for item in catalog.bugs}
    frameworks = dict.fromkeys(one.glossary for one in catalog.framework.values())
    return [page for name in [*frameworks, LIBRARIES] for page in (name, name + _OLD) if page in pages]


def ledger_of(catalog: Catalog, bug: Bug) -> str:
    """Name of the page that a row is on."""
    framework = catalog.framework.get(catalog.repository_of_bug[bug.id])
    if not framework:
        return LIBRARIES
    return framework.glossary + (_OLD if bug.fixed in old_releases(catalog, framework.id) else "")


def owner_of(ledger: str) -> str:
    """The framework, or all libraries, that a page is of."""
    return ledger.removesuffix(_OLD)


def twin_of(ledger: str) -> str:
    """The other page of the same framework, which need not be."""
    owner = owner_of(ledger)
    return ledger + _OLD if owner == ledger else owner


def old_releases(catalog: Catalog, repository: str) -> list[str]:
    """The releases of a framework whose bugs have a page of their own, oldest first; mostly none."""
    framework = catalog.framework.get(repository)
    if framework is None or framework.old_bugs is None:
        return []
    tags = releases_of(catalog, repository)
    return tags[: tags.index(framework.old_bugs) + 1] if framework.old_bugs in tags else []


def in_order(catalog: Catalog) -> list[Bug]:
    """Every row as it is numbered: page by page, framework by framework, in file order."""
    rows = [item.record for item in catalog.bugs]
    return sorted(rows, key=lambda one: (ledger_of(catalog, one), catalog.framework_of_bug(one.id)))


def rows_of(catalog: Catalog, ledger: str) -> list[Bug]:
    """The rows of a page, in file order."""
    return [item.record for item in catalog.bugs if ledger_of(catalog, item.record) == ledger]


def anchor(bug: str) -> str:
    """Id of a row on its page: keys have ids that begin alike."""
    return f"bug-{bug}"


def bug_address(catalog: Catalog, bug: Bug, language: str) -> str:
    """Address of a row below the root of the site."""
    return f"{page_address(language, f'bugs/{ledger_of(catalog, bug)}')}#{anchor(bug.id)}"


def members(catalog: Catalog, repository: str) -> list[str]:
    """A repository; of a framework all lines, the legacy one first: a fix may have come with the next."""
    if repository not in catalog.framework:
        return [repository]
    glossary = catalog.framework[repository].glossary
    family = [one.id for one in catalog.framework.values() if one.glossary == glossary]
    return sorted(family, key=lambda id_: id_ == glossary)


def releases_of(catalog: Catalog, repository: str) -> list[str]:
    """Tags of the releases in which a bug of a repository may be, or its fix, oldest first."""
    return [one.tag for id_ in members(catalog, repository) for one in catalog.repository[id_].releases]


def reference(catalog: Catalog, bug: Bug, words: Mapping[str, str]) -> tuple[str, str]:
    """What mended a bug, or reports it, as people name it, and its address; empty where only a comment elsewhere tells."""
    repository = catalog.repository[catalog.repository_of_bug[bug.id]].repository
    if not repository:
        return "", ""
    if bug.pr:
        return words["bug_pr"].format(number=bug.pr), thread_url(repository, bug.pr, "pull")
    if bug.commits:
        return words["bug_commit"].format(commit=bug.commits[0][:8]), commit_url(repository, bug.commits[0])
    if bug.issues:
        return words["bug_issue"].format(number=bug.issues[0]), thread_url(repository, bug.issues[0])
    return "", ""


def last_with(catalog: Catalog, bug: Bug) -> str:
    """The last release with the bug, the newest of all while none has the fix; "" where no releases are listed."""
    return bug.until or (releases_of(catalog, catalog.repository_of_bug[bug.id]) or [""])[-1]


def span(catalog: Catalog, bug: Bug, words: Mapping[str, str]) -> str:
    """The releases with the bug: `v0.6.0 – v0.8.0`, `≥ v0.6.0` while open; `v0.8.0, perhaps older`: the first is unknown."""
    last = last_with(catalog, bug)
    if bug.until is None and bug.since:
        return words["bug_from"].format(since=bug.since)
    if bug.since is None:
        return words["bug_upto"].format(until=last)
    return bug.since if bug.since == last else words["bug_between"].format(since=bug.since, until=last)


def standing(catalog: Catalog, bug: Bug, words: Mapping[str, str]) -> str:
    """In one line: which releases have the bug, and which is the first without it."""
    repository = catalog.repository_of_bug[bug.id]
    name, newest = catalog.repository[repository].name, last_with(catalog, bug)
    told = "bug_fixed" if bug.fixed else "bug_open" if bug.open else "bug_main"
    said = words[told].format(name=name, span=span(catalog, bug, words), fixed=bug.fixed, newest=newest)
    named, _ = reference(catalog, bug, words)
    return f"{said}{words['bug_named'].format(name=named)}" if named else said


def remedy(catalog: Catalog, bug: Bug, language: str, words: Mapping[str, str]) -> str:
    """Markdown: the release to go to, or the change to take, then what avoids the bug until then."""
    name = catalog.repository[catalog.repository_of_bug[bug.id]].name
    said = bug.words(language).do
    named, url = reference(catalog, bug, words)
    linked = f"[{named}]({url})" if url else ""
    if bug.fixed:
        first = words["bug_upgrade"].format(name=name, fixed=bug.fixed)
    elif bug.open:
        first = words["bug_wait"].format(thread=linked) if linked else words["bug_unfixed_yet"]
    else:
        first = words["bug_from_main"].format(name=name, newest=last_with(catalog, bug))
    pick = words["bug_pick"].format(release=last_with(catalog, bug), commits=" ".join(bug.commits)) if bug.picks else ""
    return words["line_join"].join(filter(None, (first, pick, said)))


def facts(catalog: Catalog, bug: Bug) -> list[Any]:
    """What a lookup compares a release with: repository, what pip calls it, first and last release with the bug, first without
    it; "" is open.
    """
    repository = catalog.repository_of_bug[bug.id]
    return [repository, PACKAGES.get(repository, repository), bug.since or "", bug.until or "", bug.fixed or ""]
