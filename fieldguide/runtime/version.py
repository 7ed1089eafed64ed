"""How versions are ordered, by `packaging` as pip does: the one way in Python, as `doctor/version.js` is in the browser."""

from packaging.version import Version


def version_of(tag: str) -> Version:
    """The version that a tag or a package's number is.

    Raises:
        InvalidVersion: it is none.

    >>> [str(version_of(tag)) for tag in ("core_v0.19.0", "v0.3.0.post1", "2.9.1")]
    ['0.19.0', '0.3.0.post1', '2.9.1']
    """
    return Version(tag.removeprefix("core_"))
