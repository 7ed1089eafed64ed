"""One repository: follow what is cited from the commit it was cited at to the newest one."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from fieldguide.content.catalog.models import ChangeKind, Key, Signature, Source
from fieldguide.content.problems import Problem
from fieldguide.content.signature import display_signature
from fieldguide.upkeep.verify.commits import Commit
from fieldguide.upkeep.verify.defaults import Declared, UnparsableError, declared, parse, same_default
from fieldguide.upkeep.verify.locate import Change, Spot, State, locate, locate_anywhere
from fieldguide.upkeep.verify.printed import Unit, find_text, fixed_parts
from fieldguide.upkeep.verify.result import Citation, Finding, Looked, Move, Tally, Unchecked
from fieldguide.upkeep.verify.upstream import Upstream

# How a declaration without a default reads: chatlearn's and Hydra's MISSING, OmegaConf's ???.
NO_DEFAULT = frozenset({None, "None", "MISSING", "???"})
# Where programs keep their texts; documentation may quote one that nobody prints any more.
SOURCES = ("*.py", "*.sh", "*.yaml", "*.c", "*.cc", "*.cpp", "*.cu", "*.h")
# A shorter text stands in too many places to say where a line went.
TELLING = 12


class Look:
    """Collects what is found in one repository."""

    def __init__(self, upstream: Upstream) -> None:
        self._up = upstream
        self._history = upstream.history
        self._newest = upstream.newest
        self._tally = Tally()
        self._missing: Counter[str] = Counter()
        self._broken: dict[str, str] = {}
        self.findings: list[Finding] = []
        self.problems: list[Problem] = []
        self.unchecked: list[Unchecked] = []
        self.moves: list[Move] = []

    @property
    def faults(self) -> list[str]:
        """What could not be read, each once, with what it left unchecked."""
        path = self._history.clone.path
        missing = [
            f"{self._up.id}: {path}: has no commit {revision!r}; citations of it not checked: {count}"
            for revision, count in self._missing.items()
        ]
        return missing + [
            f"{self._up.id}: {place} {reason}; its lines were looked up as text, its defaults and error texts not checked"
            for place, reason in self._broken.items()
        ]

    def summary(self) -> Looked:
        """The tally so far."""
        return Looked(self._up.id, self._up.repository.name, self._up.pinned, self._newest, self._tally)

    def cited(self, citation: Citation) -> None:
        """Look up one cited line, and the default if a key is declared there."""
        source, base = citation.source, self._base(citation.source)
        if base is None:
            if self._up.packaged:
                self._unread(citation, "the archives of the package are of releases, this is a commit between them")
            return
        if self._up.packaged:
            found = self._history.packaged(base, source.path)
            if found is None:
                self._unread(citation, "the archive of the package leaves the file out")
                return
            source = source.model_copy(update={"path": found})
        text = self._history.text(base, source.path)
        fault = self._fault(text, source, base)
        if fault or text is None:
            self.problems.append(Problem(citation.record.path, citation.record.line, f"{source.repo}: {fault}"))
            return
        self._tally.lines += 1
        stated = self._stated(citation, text)
        if self._newest and not source.commit:
            self._follow(citation, base, text, self._newest, stated)

    def printed(self, entry: str, signature: Signature, own: Iterable[Citation]) -> None:
        """Look for an error text in the files that its entry cites."""
        followed = [c.source for c in own if c.source.repo == self._up.id]
        held = [source for source in followed if source.held]
        if signature.until and not held:  # of an entry that is held, the end may be the very change that nobody has read
            self._tally.past += 1
            return
        base = self._base(held[0]) if held else self._up.pinned
        parts = fixed_parts(signature.text)
        if not parts or base is None:
            self._skip(entry, signature, "too little of it is fixed")
            return
        for path in dict.fromkeys(source.path for source in followed):
            unit = self._unit(base, path, parts)
            if unit:
                self._still_printed(entry, signature, parts, base, path, unit)
                return
        if signature.until:
            self._tally.past += 1
        else:
            self._skip(entry, signature, "stands as one text in no file that the entry cites")

    def finish(self) -> None:
        """Say of each lost line where its text stands now, if in one other place."""
        lost = [finding for finding in self.findings if finding.kind is ChangeKind.LOST and len(finding.was) >= TELLING]
        if not lost or not self._newest:
            return
        places: dict[str, set[str]] = defaultdict(set)
        for found in self._history.grep(self._newest, sorted({finding.was for finding in lost}), SOURCES):
            for finding in lost:
                if finding.was in found.text:
                    places[finding.was].add(f"{found.path}:{found.line}")
        self.findings = [
            Finding(**{**vars(finding), "now": next(iter(places[finding.was]))})
            if finding in lost and len(places[finding.was]) == 1
            else finding
            for finding in self.findings
        ]

    def _base(self, source: Source) -> Commit | None:
        """The commit that a source was cited at; None, remembered as a fault, when the clone lacks it."""
        if source.revision is None:
            return self._up.pinned
        commit = self._history.commit(source.revision)
        if commit is None and self._up.packaged:  # archives have numbers instead of tags, and no commits between them
            return self._history.commit(source.revision.removeprefix("v"))
        if commit is None:
            self._missing[source.revision] += 1
        return commit

    @staticmethod
    def _fault(text: str | None, source: Source, base: Commit) -> str | None:
        """What is wrong with a citation at its own commit."""
        if text is None:
            return f"no file {source.path} at {base.stamp}"
        lines = text.splitlines()
        if source.line and source.line > len(lines):
            return f"{source.path} has {len(lines)} lines at {base.stamp}, {source.line} is cited"
        if source.contains is None or source.contains in (lines[source.line - 1] if source.line else text):
            return None
        elsewhere = [str(number) for number, line in enumerate(lines, 1) if source.contains in line][:5]
        where = f"it stands on {', '.join(elsewhere)}" if elsewhere else "it stands nowhere in the file"
        return f"{source.path}:{source.line} does not contain {source.contains!r}; {where}"

    def _stated(self, citation: Citation, text: str) -> Declared | None:
        """The declaration of a key where it is cited; a default that is not the catalog's is a problem of the catalog."""
        key, source = citation.record.record, citation.source
        if not isinstance(key, Key) or source.line is None:
            return None
        try:
            stated = declared(source.path, text, source.line, key.name)
        except UnparsableError:
            stated = None
        claims = key.required or key.default is not None
        if stated is None:
            if claims:
                reason = "the cited line declares it in a form that is not read"
                self.unchecked.append(Unchecked(self._up.id, citation.owner[1], "default", reason))
            return None
        self._tally.defaults += claims
        right = stated.default in NO_DEFAULT if key.required else same_default(stated.default, key.default)
        if claims and not right:
            says = "it is required" if key.required else f"default {key.default}"
            message = f"key {key.name}: {says}, but {source.repo} {source.path}:{source.line} states {stated.default}"
            self.problems.append(Problem(citation.record.path, citation.record.line, message))
        return stated

    def _follow(self, citation: Citation, base: Commit, old: str, newest: Commit, stated: Declared | None) -> None:
        source = citation.source
        path = self._path_now(base, newest, source.path)
        new = self._history.text(newest, path) if path else None
        if path is None or new is None:
            self._found(citation, base, ChangeKind.FILE, source.path)
            return
        if path != source.path:
            self._found(citation, base, ChangeKind.MOVED, source.path, path)
        if old != new and self._breaks(path, old, new, newest):
            self._found(citation, base, ChangeKind.UNREAD, source.path)
        spot = self._spot(source, base, old, newest, path, new)
        self._judge(citation, base, path, old, spot)
        if stated and spot.line:
            self._default(citation, base, path, new, spot, stated)

    def _spot(self, source: Source, base: Commit, old: str, newest: Commit, path: str, new: str) -> Spot:
        if source.line is None:
            return locate_anywhere(new.splitlines(), source.contains or "") if source.contains else Spot(State.HELD)
        hunks = () if old == new else self._history.hunks(base, source.path, newest, path)
        return locate(Change(old.splitlines(), new.splitlines(), hunks), source.line, source.contains)

    def _judge(self, citation: Citation, base: Commit, path: str, old: str, spot: Spot) -> None:
        source = citation.source
        line = old.splitlines()[source.line - 1].strip() if source.line else source.contains or source.path
        if spot.state is State.EDITED:
            self._found(citation, base, ChangeKind.TEXT, line, spot.text)
        elif spot.state is State.LOST:
            self._found(citation, base, ChangeKind.LOST, source.contains or line)
        elif source.line and (path, spot.line) != (source.path, source.line):
            self._tally.shifted += spot.line != source.line
            self.moves.append(Move(citation, path, spot.line))
        elif path != source.path:
            self.moves.append(Move(citation, path, None))

    def _default(self, citation: Citation, base: Commit, path: str, new: str, spot: Spot, stated: Declared) -> None:
        key = citation.record.record
        try:
            after = declared(path, new, spot.line or 0, key.name)
        except UnparsableError:
            return  # reported for the file
        if after is None and spot.state is State.EDITED:
            return  # declared under another name, or in no known form: the line says which
        if after is None or not same_default(stated.default, after.default):
            was = key.default or stated.default or "required"
            now = (after.default or "required") if after else None
            self._found(citation, base, ChangeKind.DEFAULT, was, now, (stated.first, stated.last))

    def _still_printed(
        self, entry: str, signature: Signature, parts: tuple[str, ...], base: Commit, path: str, unit: Unit
    ) -> None:
        self._tally.errors += 1
        if self._newest is None:
            return
        now = self._path_now(base, self._newest, path)
        if now in {place.rpartition(":")[0] for place in self._broken}:
            return  # reported for the file
        if now and self._unit(self._newest, now, parts):
            return
        candidates = {found.path for found in self._history.grep(self._newest, [max(parts, key=len)], SOURCES)}
        if any(self._unit(self._newest, candidate, parts) for candidate in sorted(candidates)):
            return
        shown = display_signature(signature.text)
        lines, owner = (unit.first, unit.last), ("entries", entry)
        self.findings.append(Finding(owner, entry, self._up.id, base, ChangeKind.ERROR, path, lines, shown))

    def _unit(self, commit: Commit, path: str, parts: tuple[str, ...]) -> Unit | None:
        text = self._history.text(commit, path)
        return find_text(path, text, parts) if text is not None else None

    def _path_now(self, base: Commit, newest: Commit, path: str) -> str | None:
        if base == newest or self._history.text(newest, path) is not None:
            return path
        return self._history.renames(base, newest).get(path)

    def _breaks(self, path: str, old: str, new: str, newest: Commit) -> bool:
        """Whether a file that parsed no longer does; remembered as a fault."""
        try:
            parse(path, old)
        except UnparsableError:
            return False
        try:
            parse(path, new)
        except UnparsableError as error:
            self._broken[f"{path}:{error.line}"] = f"at {newest.stamp} {error}"
            return True
        return False

    def _unread(self, citation: Citation, reason: str) -> None:
        self.unchecked.append(Unchecked(self._up.id, citation.owner[1], "cited line", reason))

    def _skip(self, entry: str, signature: Signature, reason: str) -> None:
        shown = display_signature(signature.text)
        self.unchecked.append(Unchecked(self._up.id, entry, "error text", reason, shown))

    def _found(
        self, citation: Citation, base: Commit, kind: ChangeKind, was: str, now: str | None = None,
        lines: tuple[int, int] | None = None,
    ) -> None:  # fmt: skip
        source = citation.source
        span = lines or (source.line or 0, source.line or 0)
        self.findings.append(Finding(citation.owner, citation.entry, self._up.id, base, kind, source.path, span, was, now))
