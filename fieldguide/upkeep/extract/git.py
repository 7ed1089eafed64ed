"""Files of a local clone at a revision, read through one `git cat-file` process."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from pathlib import Path
from types import TracebackType


class GitError(Exception):
    """The clone cannot give what was asked for; the message says what and why."""


class Clone:
    """A git repository on disk. Its work tree, its hooks and its remotes are left alone."""

    def __init__(self, path: Path) -> None:
        """Open it.

        Raises:
            GitError: `path` is no folder, or no git repository of its own.
        """
        self.path = path
        if not path.is_dir():
            raise GitError(f"{path}: no such folder")
        # The ceiling keeps git from taking a repository further up for this one; nothing missing is fetched.
        ceiling = str(path.resolve().parent)
        self._environment = os.environ | {"GIT_CEILING_DIRECTORIES": ceiling, "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
        try:
            self.git("rev-parse", "--git-dir")
        except GitError as error:
            raise GitError(f"{path}: not a git clone ({error})") from error
        self._reader: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Clone":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._reader is not None:
            self._reader.communicate()
            self._reader = None

    def git(self, *arguments: str, **variables: str) -> str:
        """Output of a git command, run with these variables of the environment, too.

        Raises:
            GitError: what git says.
        """
        try:
            done = subprocess.run(
                ["git", "-C", str(self.path), *arguments], capture_output=True, check=False, env=self._environment | variables
            )
        except FileNotFoundError as error:
            raise GitError("git is not installed") from error
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise GitError(said[0].removeprefix("fatal: ") if said else f"git {arguments[0]} failed")
        return done.stdout.decode("utf-8", "replace")

    def grep(self, *arguments: str, **variables: str) -> str:
        """Output of `git grep` for plain words in text files; empty if it finds none.

        Raises:
            GitError: what git says.
        """
        try:
            return self.git("grep", "-F", "-I", *arguments, **variables)
        except GitError as error:
            if str(error) == "git grep failed":  # in silence: it found nothing
                return ""
            raise

    def commit(self, revision: str) -> str:
        """Full id of the commit that a tag, branch or id names.

        Raises:
            GitError: there is none; the tags there are, newest first, are named.
        """
        try:
            return self.git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}").strip()
        except GitError:
            # git's own order: only it can order tags that are no versions.
            tags = self.git("tag", "--sort=-version:refname", "--sort=-creatordate").split()
            known = f"; newest tags: {', '.join(tags[:6])}" if tags else "; it has no tags"
            raise GitError(f"{self.path}: no revision {revision!r}{known}") from None

    def tree(self, revision: str) -> "Tree":
        """The files at a revision.

        Raises:
            GitError: see `commit`.
        """
        return Tree(self, self.commit(revision))

    def blob(self, oid: str) -> bytes:
        """Content of a file by its object id.

        Raises:
            GitError: the clone does not hold it (a partial clone, for example).
        """
        if self._reader is None:
            self._reader = subprocess.Popen(
                ["git", "-C", str(self.path), "cat-file", "--batch"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self._environment,
            )  # fmt: skip
        assert self._reader.stdin and self._reader.stdout
        self._reader.stdin.write(f"{oid}\n".encode())
        self._reader.stdin.flush()
        head = self._reader.stdout.readline().split()
        if len(head) != 3:
            raise GitError(f"{self.path}: object {oid} is not in the clone")
        data = self._reader.stdout.read(int(head[2]))
        self._reader.stdout.read(1)
        return data


class Tree:
    """The files of one commit.

    Attributes:
        commit: its full id.
    """

    def __init__(self, clone: Clone, commit: str) -> None:
        self.clone = clone
        self.commit = commit

    @cached_property
    def files(self) -> Mapping[str, str]:
        """Path → object id of every file."""
        rows = (row.split("\t", 1) for row in self.clone.git("ls-tree", "-r", "-z", self.commit).split("\0") if row)
        return {path: about.split()[2] for about, path in rows if about.split()[1] == "blob"}

    @property
    def date(self) -> str:
        """Day of the commit."""
        return self.clone.git("show", "-s", "--format=%cs", self.commit).strip()

    def matching(self, *patterns: str) -> list[str]:
        """Paths that fit one of the patterns, in the order of the patterns; `*` also stands for slashes.

        >>> fnmatchcase("a/b/c.py", "a/*.py")
        True
        """
        return list(dict.fromkeys(path for pattern in patterns for path in self.files if fnmatchcase(path, pattern)))

    def grep(self, texts: Sequence[str], names: Sequence[str], *options: str, without: Sequence[str] = ()) -> str:
        """What git grep says of files whose names fit a pattern and that hold one of the texts; empty if none does.

        Args:
            without: folders that are left out.
            options: of git grep, which say what is wanted of each place.
        """
        given = [part for text in texts for part in ("-e", text)]
        places = [*(f":(glob)**/{name}" for name in names), *(f":(exclude,top){folder}/" for folder in without)]
        return self.clone.grep("-z", "--full-name", *options, *given, self.commit, "--", *places)

    def text(self, path: str) -> str:
        """A file as text.

        Raises:
            GitError: it is not there.
        """
        if path not in self.files:
            raise GitError(f"no file {path} at {self.commit[:10]}")
        return _decoded(self.clone, self.files[path])


@lru_cache(maxsize=4096)
def _decoded(clone: Clone, oid: str) -> str:
    return clone.blob(oid).decode("utf-8", "replace")
