"""`python -m scripts.serve [--port 8000]`: the site of this checkout, live."""

import argparse
import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.serve.server import Server
from scripts.serve.team import Team

HOST = "127.0.0.1"


def main() -> None:
    """Serve until Ctrl-C or a signal to end."""
    parser = argparse.ArgumentParser(prog="python -m scripts.serve", description=__doc__)
    parser.add_argument("--port", type=int, default=8000)
    port = parser.parse_args().port
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with TemporaryDirectory(prefix="fieldguide-", ignore_cleanup_errors=True) as folder:
        team = Team(Path.cwd(), f"http://{HOST}:{port}/", Path(folder))
        try:
            serve(team, port)
        except KeyboardInterrupt:
            print()
        finally:
            team.close()


def serve(team: Team, port: int) -> None:
    """Answer at `port`; another program that has it already is named in the message."""
    server = Server(team.root, HOST, port, team)
    try:
        server.serve()
    except OSError as error:
        sys.exit(f"port {port}: {error.strerror}; another one: make serve PORT=8001")
    finally:
        server.shutdown()


if __name__ == "__main__":
    main()
