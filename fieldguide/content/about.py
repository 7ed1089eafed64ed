"""What a guide says of itself: `about.json`, which `fieldguide.runtime.about` reads."""

import os
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fieldguide.content.catalog.store import Catalog
from fieldguide.content.history import commit_time
from fieldguide.runtime.about import FORMAT


def compile_about(catalog: Catalog) -> dict[str, Any]:
    """The commits that answers were checked at, and the newest release of each framework."""
    pins = [
        {
            "id": one.id,
            "name": one.name,
            "repository": one.repository,
            "commit": one.commit,
            "date": one.date,
            "release": one.releases[-1].tag if one.releases else "",
        }
        for one in catalog.framework.values()
    ]
    return {"format": FORMAT, "pins": pins}


def edition_of(root: Path) -> dict[str, str]:
    """What tells this guide from another edition of it.

    Returns:
        `version` of pyproject.toml, `date` of the last commit, `site`, the address that SITE_URL names; empty where unknown.
    """
    file = root / "pyproject.toml"
    version = tomllib.loads(file.read_text(encoding="utf-8"))["project"]["version"] if file.exists() else ""
    time = commit_time(root)
    date = datetime.fromtimestamp(time, UTC).date().isoformat() if time is not None else ""
    site = os.environ.get("SITE_URL", "")
    return {"version": version, "date": date, "site": f"{site.rstrip('/')}/" if site else ""}
