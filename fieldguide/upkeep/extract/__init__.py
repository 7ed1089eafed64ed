"""Configuration keys as upstream source declares them, read from a git clone: nothing is imported, nothing is run.

with Clone(Path("…/ROLL")) as clone:
    tree = clone.tree("v0.3.0")
    found = extract("roll", tree)
    found.declared, found.problems
"""

from fieldguide.upkeep.extract.declared import Declared, Extraction
from fieldguide.upkeep.extract.git import Clone, GitError, Tree
from fieldguide.upkeep.extract.layouts import LAYOUTS, extract

__all__ = ["LAYOUTS", "Clone", "Declared", "Extraction", "GitError", "Tree", "extract"]
