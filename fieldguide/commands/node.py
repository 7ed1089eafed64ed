"""The commands of somebody whose run died, or of an agent that looks after one."""

import argparse

from fieldguide.commands.options import Commands, add, add_common, at_least_one


def add_node(commands: Commands) -> None:
    """Add all of them."""
    _add_run(commands)
    _add_settings(commands)
    _add_lookup(commands)
    mcp = add(
        commands,
        "mcp",
        "agent.serve",
        "answer coding agents: a server of the Model Context Protocol on standard input and output",
    )
    mcp.epilog = "Needs the extra: pip install 'rl-fieldguide[mcp]'. Exit codes: 0 the agent has left; 2 the extra is missing."
    add_common(mcp, json=False)


def _add_run(commands: Commands) -> None:
    """What a run printed."""
    explain = add(
        commands,
        "explain",
        "explain.explain",
        "list the known errors of a log, or tell what failed first in the logs of a run: exit 0 found, 1 none, 2 bad input",
    )
    explain.add_argument(
        "log",
        nargs="*",
        help="text, gzip or UTF-16 file; several, folders, globs, tar and Zip archives are read as one run; -: standard input; "
        "nothing: standard input, in a terminal the last session of Ray",
    )
    explain.add_argument(
        "--release", help="of the framework, such as v0.9.0, where the log does not say: known bugs depend on it"
    )
    add_common(explain)
    run = add(commands, "run", "run.run", "run a command and explain its output when it fails")
    run.usage = "%(prog)s [-h] [--lang {en,zh}] -- COMMAND …"
    run.epilog = (
        "Exit codes: the command's own; a signal that ended it ends this, too; 126 it cannot be started, 127 there is none."
    )
    add_common(run, json=False)
    run.add_argument("argv", nargs=argparse.REMAINDER, metavar="COMMAND", help="what to run, with its arguments")


def _add_settings(commands: Commands) -> None:
    """What a run is, or would be, started with."""
    check = add(
        commands,
        "check",
        "check.check",
        "check settings of runs: exit 0 fine, 1 an assertion fires, 2 bad input, 3 not all could be judged",
    )
    check.add_argument("config", nargs="+", help="YAML or launch script of a run; -: standard input")
    check.add_argument("--framework", help="whose settings they are (default: guessed from the names)")
    check.add_argument("--release", help="whose rules, such as v0.9.0 (default: the commit that was checked)")
    check.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="an input that the file does not tell, such as nodes=2"
    )
    check.add_argument(
        "--env", action="append", default=[], metavar="NAME=VALUE", help="a variable of the script, such as NNODES=2"
    )
    doctor = add(
        commands,
        "doctor",
        "doctor.doctor",
        "compare an environment with what upstream tests: exit 0 fits, 1 known bad, 2 bad input, 3 not all could be judged",
    )
    doctor.add_argument(
        "file", nargs="?", help="pip, conda or uv list, requirements, Dockerfile, log; -: standard input; nothing: this Python"
    )
    doctor.add_argument("--framework", help="which framework it is for, where the list does not say so")
    doctor.add_argument("--release", help="which release of it, such as v0.9.0 (default: the one that is installed)")
    for one in (check, doctor):
        add_common(one)


def _add_lookup(commands: Commands) -> None:
    """What is asked for by name or in words."""
    bugs = add(commands, "bugs", "bugs.bugs", "known bugs of a framework or library: exit 0 some, 1 none, 2 bad input")
    bugs.add_argument("framework", help="id of a framework or library, such as verl or vllm")
    bugs.add_argument("words", nargs="*", help="what the row must say")
    bugs.add_argument("--release", help="that you run: the bugs that it has")
    bugs.add_argument("--to", metavar="RELEASE", help="that you could go to: of those, what it mends")
    key = add(commands, "key", "lookup.key", "what a configuration key does: exit 0 found, 1 none of that name, 2 bad input")
    key.add_argument("name", help="key, flag or dotted place, also with a value, such as trainer.nnodes=2")
    entry = add(commands, "entry", "lookup.entry", "a whole entry as Markdown: exit 0 found, 2 none of that id")
    entry.add_argument("id", help="as answers name it, or the address of its page")
    search = add(commands, "search", "lookup.search", "search as the site does: exit 0 found, 1 nothing, 2 bad input")
    search.add_argument("words", nargs="+", help="a question, an error, a key")
    search.add_argument("--most", type=at_least_one, default=8, metavar="N", help="list at most so many (default: 8)")
    for one in (key, search):
        one.add_argument("--framework", help="that you run: what is only for others is left out")
    for one in (bugs, key, entry, search):
        add_common(one)
