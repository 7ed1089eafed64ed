"""Whether a fix can be taken over to a release: tried on the objects of a clone, which stays as it is."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from fieldguide.upkeep.extract.git import Clone, GitError

_NOBODY = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", "pick"), ("EMAIL", "pick@localhost"))
}


def applies(clone: Clone, commits: Sequence[str], release: str) -> bool:
    """Whether `git cherry-pick` of these commits, one after the other, ends without a conflict on a release.

    A pick is a merge of the release and the fix whose common ancestor is what the fix was made on; `git merge-tree` (git 2.38)
    merges without a work tree, and what it writes goes into a folder of its own.
    """
    with tempfile.TemporaryDirectory() as folder:
        objects = Path(clone.git("rev-parse", "--path-format=absolute", "--git-path", "objects").strip())
        variables = _NOBODY | {"GIT_OBJECT_DIRECTORY": folder, "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(objects)}
        tree = f"{release}^{{tree}}"
        for commit in commits:
            merged = _merged(clone, tree, commit, variables)
            if merged is None:
                return False
            tree = merged
    return True


def _merged(clone: Clone, tree: str, commit: str, variables: Mapping[str, str]) -> str | None:
    """The tree with the change of a commit; None where they conflict, or git cannot tell."""

    def made(of: str, *parents: str) -> str:
        named = [part for parent in parents for part in ("-p", parent)]
        return clone.git("commit-tree", "-m", "pick", *named, of, **variables).strip()

    try:
        base = made(f"{commit}^^{{tree}}")
        return clone.git("merge-tree", "--write-tree", made(tree, base), made(f"{commit}^{{tree}}", base), **variables).strip()
    except GitError:
        return None
