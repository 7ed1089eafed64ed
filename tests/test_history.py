"""What the versions of a framework say about a key: since when, where later, and whether it is gone."""

from fieldguide.content.catalog.models import KeyKind
from fieldguide.upkeep.extract.declared import Declared
from fieldguide.upkeep.extract.history import History, Point


def point(version: str, **places: str) -> Point:
    """A version that declares each name at these places, separated by spaces."""
    found = tuple(
        Declared(name, KeyKind.YAML, "", "{}" if name == "extra" else "1", False, (), None, "a.yaml", tuple(paths.split()), (),
                 "a.yaml", 1, name)
        for name, paths in places.items()
    )  # fmt: skip
    return Point(version, version, found)


def test_a_place_that_came_later_has_its_own_first_version() -> None:
    both = {"size": "actor.size critic.size"}
    history = History((point("v1", other="other"), point("v2", size="actor.size"), point("v3", **both), point("v4", **both)))
    size = history.points[-1].declared[0]
    assert history.since(size) == "v2"
    assert history.later(size) == {"critic.size": "v3"}


def test_a_key_that_was_away_for_a_while_counts_from_its_return() -> None:
    history = History((point("v1", a="a"), point("v2", a="a", b="b"), point("v3", a="a"), point("v4", a="a", b="b")))
    assert [history.since(one) for one in history.points[-1].declared] == [None, "v4"]


def test_an_empty_mapping_that_is_filled_is_not_removed() -> None:
    history = History((point("v1", extra="actor.extra"), point("v2", depth="actor.extra.depth")))
    assert not history.removed()
