"""Whether a fix can be taken over to a release: tried on the objects of a clone, which stays as it is."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fieldguide.upkeep.extract.git import Clone, GitError
from fieldguide.upkeep.ledger.files import is_beside
from fieldguide.upkeep.ledger.needed import Change, Names, changes, module_files, names_in, still_used, taken_away, unbound

_NOBODY = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", "pick"), ("EMAIL", "pick@localhost"))
}
# Where a name may stand that a change uses.
_SOURCES = ("*.py", "*.yaml", "*.yml", "*.sh")


def lacking(clone: Clone, commits: Sequence[str], release: str) -> tuple[str, ...]:
    """What a release lacks for `git cherry-pick` of these commits, one after the other: empty where it takes them over.

    A pick is a merge of the release and the fix whose common ancestor is what the fix was made on; `git merge-tree` (git 2.38)
    merges without a work tree, and what it writes goes into a folder of its own. What comes out clean is looked through for
    names that are not there.
    """
    with tempfile.TemporaryDirectory() as folder:
        objects = Path(clone.git("rev-parse", "--path-format=absolute", "--git-path", "objects").strip())
        variables = _NOBODY | {"GIT_OBJECT_DIRECTORY": folder, "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(objects)}
        picked = _Picked(clone, variables, f"{release}^{{tree}}")
        for commit in commits:
            merged = picked.merged(commit)
            if merged is None:
                return (f"conflict with {commit}",)
            picked = _Picked(clone, variables, merged)
        return tuple(picked.lacks(f"{release}^{{tree}}", commits))


@dataclass(frozen=True)
class _Picked:
    """A release with some commits taken over, as a tree.

    Attributes:
        variables: with them git writes beside the clone.
    """

    clone: Clone
    variables: dict[str, str]
    tree: str

    def _git(self, *arguments: str) -> str:
        return self.clone.git(*arguments, **self.variables)

    def merged(self, commit: str) -> str | None:
        """The tree with the change of a commit; None where they conflict, or git cannot tell."""

        def made(of: str, *parents: str) -> str:
            named = [part for parent in parents for part in ("-p", parent)]
            return self._git("commit-tree", "-m", "pick", *named, of).strip()

        try:
            base = made(f"{commit}^^{{tree}}")
            return self._git("merge-tree", "--write-tree", made(self.tree, base), made(f"{commit}^{{tree}}", base)).strip()
        except GitError:
            return None

    def lacks(self, release: str, commits: Sequence[str]) -> Iterator[str]:
        """Names that the change needs and that are nowhere."""
        diff = self._git("diff", "-U0", "--no-color", "--no-ext-diff", "--no-renames", release, self.tree, "--", "*.py")
        touched = changes(diff)
        files = frozenset(self._git("ls-tree", "-r", "--name-only", self.tree).split("\n"))
        names = Names()
        for path in touched.keys() & files:
            text = self._text(path)
            yield from (f"{name} is bound nowhere in {path}" for name in sorted(unbound(text)))
            names |= names_in(text, touched[path].added)
        yield from self._unknown(names, release, commits)
        imported = sorted(names.imported)
        yield from (f"{module} has no {name}" for module, name in imported if not self._offers(module, name, files))
        yield from (f"{name} is taken away and still used" for name in sorted(self._orphans(touched.values())))

    def _unknown(self, names: Names, release: str, commits: Sequence[str]) -> Iterator[str]:
        """What the release does not know: of others' names, which may be a library's, those that the fix was made among."""
        new = names.telling - self._standing(names.telling, release)
        around = {name for commit in commits for name in self._standing(new, f"{commit}^")}
        yield from (f"{name} is nowhere in the release" for name in sorted(new) if name in around or name in names.own)

    def _standing(self, names: Iterable[str], tree: str) -> set[str]:
        """Which of some words stand anywhere in a tree."""
        wanted = [part for name in sorted(names) for part in ("-e", name)]
        return set(self._found("-h", "-o", *wanted, tree, "--", *_SOURCES)) if wanted else set()

    def _orphans(self, touched: Iterable[Change]) -> Iterator[str]:
        for name in {name for change in touched for name in taken_away(change)}:
            rows = [row.split(":", 2) for row in self._found("-e", name, self.tree, "--", "*.py")]
            if still_used(name, (text for _, path, text in rows if not is_beside(path))):
                yield name

    def _offers(self, module: str, name: str, files: frozenset[str]) -> bool:
        """Whether a module of the repository has a name; another's module has it."""
        if not any(path.startswith(f"{module.partition('.')[0]}/") for path in files):
            return True
        file, package, itself = module_files(module, name)
        home = file if file in files else package
        return bool(itself & files) or (home in files and any(word in self._text(home) for word in (name, "import *")))

    def _text(self, path: str) -> str:
        return self._git("show", f"{self.tree}:{path}")

    def _found(self, *arguments: str) -> list[str]:
        """Lines of `git grep` for whole words."""
        return self.clone.grep("-w", *arguments, **self.variables).splitlines()
