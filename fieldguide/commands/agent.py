"""The server for coding agents, which needs the extra `mcp`."""

import argparse
import sys

from fieldguide.commands.data import compiled_folder, edition
from fieldguide.runtime.guide import read_answers


def serve(options: argparse.Namespace) -> int:
    """Answer on standard input and output until the agent leaves."""
    folder = compiled_folder(options.root)
    try:
        from fieldguide.commands.agent_tools import make_server
    except ImportError:  # of the SDK, or of an old one
        print(f"mcp: {read_answers(folder, options.lang).words['agent_missing']}", file=sys.stderr)
        return 2
    from fieldguide.runtime.assistant import Assistant

    make_server(Assistant(folder, edition(folder, options.root)), options.lang).run("stdio")
    return 0
