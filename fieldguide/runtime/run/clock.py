"""When a line was written, in the formats that occur in logs; in milliseconds since 1970, as its own clock says it."""

import calendar
import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from fieldguide.runtime.run.rules import RunRules

# A time stamp stands at the head of a line, behind the name of who speaks and a level.
HEAD = 160
_ZONE = re.compile("([+-])([0-9]{2}):?([0-9]{2})")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# The year of a line that names none, where no other line of the run does: a leap year, never shown.
NO_YEAR = 1972
_RANGES = {"year": (1, 9999), "month": (1, 12), "day": (1, 31), "hour": (0, 23), "minute": (0, 59), "second": (0, 60)}


@dataclass(frozen=True)
class Clock:
    """Reads time stamps; `year` is that of lines without one."""

    rules: RunRules
    year: int = NO_YEAR

    @cached_property
    def _quick(self) -> re.Pattern[str]:
        return re.compile("[0-9]{2}:[0-9]{2}:[0-9]{2}|1[4-9][0-9]{8}")

    def read(self, line: str) -> int | None:
        """Milliseconds of the first time stamp at the head of a line; None where there is none."""
        head = line[:HEAD]
        if not self._quick.search(head):
            return None
        for form in self.rules.times:
            if (said := form.read(head)) and (time := self._time(said)) is not None:
                return time
        return None

    def _time(self, said: Mapping[str, str]) -> int | None:
        part = int(said.get("fraction", "0")[:3].ljust(3, "0"))
        if "epoch" in said:
            return int(said["epoch"]) * 1000 + part
        month = _MONTHS.index(said["name"]) + 1 if "name" in said else int(said["month"])
        given = {"year": int(said.get("year", self.year)), "month": month}
        given |= {name: int(said[name]) for name in ("day", "hour", "minute", "second")}
        if any(not low <= given[name] <= high for name, (low, high) in _RANGES.items()):
            return None
        seconds = calendar.timegm((given["year"], month, given["day"], given["hour"], given["minute"], given["second"]))
        return seconds * 1000 + part - _offset(said.get("zone", ""))


def _offset(zone: str) -> int:
    """Milliseconds that a zone is ahead of UTC."""
    if not (match := _ZONE.match(zone)):
        return 0
    minutes = int(match[2]) * 60 + int(match[3])
    return (-minutes if match[1] == "-" else minutes) * 60_000


def in_year(time: int, year: int) -> int:
    """A time of a line that named no year, in that of the run; another time as it is."""
    day = _date(time // 86_400_000)
    if day[0] != NO_YEAR or year == NO_YEAR:
        return time
    leap = min(day[2], calendar.monthrange(year, day[1])[1])
    return calendar.timegm((year, day[1], leap, 0, 0, 0)) * 1000 + time % 86_400_000


def year_of(time: int) -> int:
    """The year of a time."""
    return _date(time // 86_400_000)[0]


def shown(time: int | None) -> str:
    """A time for readers, to the millisecond; without the year that nobody named.

    >>> shown(1763807601250), shown(None)
    ('2025-11-22 10:33:21.250', '')
    """
    if time is None:
        return ""
    seconds, part = divmod(time, 1000)
    days, of_day = divmod(seconds, 86_400)
    year, month, day = _date(days)
    head = f"{month:02}-{day:02}" if year == NO_YEAR else f"{year}-{month:02}-{day:02}"
    return f"{head} {of_day // 3600:02}:{of_day // 60 % 60:02}:{of_day % 60:02}.{part:03}"


def _date(days: int) -> tuple[int, int, int]:
    """Year, month and day of a number of days since 1970."""
    try:
        day = datetime.date(1970, 1, 1) + datetime.timedelta(days=days)
    except OverflowError:
        return 1970, 1, 1
    return day.year, day.month, day.day
