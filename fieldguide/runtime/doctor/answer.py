"""The doctor's answer as text or JSON."""

from collections.abc import Iterator, Mapping
from typing import Any

from fieldguide.runtime.doctor.facts import HARMS, Facts, Stack
from fieldguide.runtime.doctor.judge import Outside, Trouble, Verdict, recommended
from fieldguide.runtime.doctor.repair import pip_name

Words = Mapping[str, str]


def as_json(facts: Facts, verdict: Verdict, language: str) -> dict[str, Any]:
    """One JSON object: what was found, `troubles` the worst first."""
    stack = verdict.stack
    return {
        "framework": verdict.framework.id if verdict.framework else None,
        "installed": verdict.installed,
        "release": verdict.release.tag if verdict.release else None,
        "exact": verdict.exact,
        "set": {"path": stack.path, "extra": stack.extra, "kind": stack.kind, "tested": stack.tested or None}
        if stack
        else None,
        "packages": {
            name: {"version": one.version, "asked": one.asked, "line": one.line, "other": one.other}
            for name, one in verdict.environment.packages.items()
        },
        "troubles": [_trouble_record(facts, one, language) for one in verdict.troubles],
        "outside": [
            {"package": one.package, "version": one.version, "tested": one.tested, "required": one.required}
            for one in verdict.outside
        ],
        "unknown": list(verdict.unknown),
        "fitting": [{"framework": framework, "release": tag} for framework, tag, _ in verdict.fitting],
        "complete": verdict.environment.complete,
        "cut": verdict.environment.cut,
    }


def _trouble_record(facts: Facts, one: Trouble, language: str) -> dict[str, Any]:
    pair = one.pair
    what, when, do = pair.words[language] if pair else ("", "", "")
    return {
        "id": pair.id if pair else "-".join(one.needs[:2]) if one.needs else "",
        "harm": one.harm,
        "packages": dict(one.packages),
        "needs": one.needs,
        "what": what,
        "when": when,
        "error": pair.error if pair else "",
        "entry": pair.entry if pair else "",
        "page": pair.pages.get(language, "") if pair else "",
        "repair": one.repair.line if one.repair else do,
        "sound": one.repair.sound if one.repair else True,
        "sources": list(pair.sources) if pair else [],
    }


def as_text(facts: Facts, verdict: Verdict, words: Words, language: str, name: str) -> str:
    """For people."""
    lines = [f"{name}: {_head(facts, verdict, words)}"]
    if verdict.environment.cut:
        lines.append(f"  {words['doctor_cut']}")
    if not verdict.environment.packages:
        return "\n".join([*lines, f"  {words['doctor_nothing']}"])
    groups = grouped(verdict)
    if not groups["certain"]:
        lines.append(f"  {words['doctor_no_trouble']}")
    for name, troubles in groups.items():
        head = ["", f"  {words['doctor_' + name]}"] if troubles and name != "certain" else []
        lines += [*head, *(line for one in troubles for line in _trouble(facts, one, words, language))]
    lines += list(_outside(facts, verdict, words))
    lines += list(_rest(facts, verdict, words))
    return "\n".join(lines)


def grouped(verdict: Verdict) -> dict[str, list[Trouble]]:
    """What always happens, what some runs meet, what costs time or warns alone."""
    groups: dict[str, list[Trouble]] = {"certain": [], "some": [], "minor": []}
    for one in verdict.troubles:
        groups["certain" if one.certain else "minor" if one.harm == HARMS[-1] else "some"].append(one)
    return groups


def in_log(verdict: Verdict) -> list[Trouble]:
    """What certainly goes wrong with the versions that a log names: a range that it prints is no version."""
    numbered = {name for name, one in verdict.environment.packages.items() if one.number}
    return [one for one in verdict.troubles if one.certain and one.packages.keys() <= numbered]


def log_records(facts: Facts, verdict: Verdict, language: str) -> list[dict[str, Any]]:
    """That for programs."""
    return [_trouble_record(facts, one, language) for one in in_log(verdict)]


def log_text(facts: Facts, verdict: Verdict, words: Words, language: str) -> str:
    """That for people; empty when there is nothing to say."""
    lines = [line for one in in_log(verdict) for line in _trouble(facts, one, words, language)]
    return "\n".join([words["explain_versions"], *lines]) if lines else ""


def _head(facts: Facts, verdict: Verdict, words: Words) -> str:
    if verdict.framework is None:
        return words["doctor_no_framework"]
    release = verdict.release.tag if verdict.release else "?"
    if verdict.exact:
        return f"{verdict.framework.name} {release}"
    return words["doctor_not_exact"].format(
        framework=verdict.framework.name, installed=verdict.installed or "?", release=release
    )


def _trouble(facts: Facts, one: Trouble, words: Words, language: str) -> Iterator[str]:
    versions = ", ".join(f"{facts.name(name)} {version}" for name, version in one.packages.items())
    yield f"  [{words['doctor_harm_' + one.harm]}] {versions}"
    for line in explained(facts, one, words, language):
        yield f"    {line}"
    if one.repair:
        yield f"    {words['doctor_repair' if one.repair.sound else 'doctor_repair_alone']} {one.repair.line}"


def explained(facts: Facts, one: Trouble, words: Words, language: str) -> Iterator[str]:
    """What happens, what it prints, where it is explained."""
    if one.needs:
        of, name, spec = one.needs
        yield words["doctor_needs"].format(of=facts.name(of), version=one.packages[of], name=facts.name(name), spec=spec)
    if one.pair:
        what, when, do = one.pair.words[language]
        yield f"{when}{words['doctor_colon']}{what}" if when else what
        if one.pair.error:
            yield f"{words['doctor_error']} {one.pair.error}"
        if do and not one.repair:
            yield f"{words['doctor_repair']} {do}"
        if one.pair.pages:
            yield f"{one.pair.entry} · {one.pair.pages[language]}"


def _outside(facts: Facts, verdict: Verdict, words: Words) -> Iterator[str]:
    stack = verdict.stack
    if stack:
        of = f"{stack.path}[{stack.extra}]" if stack.extra else stack.path
        yield ""
        key = "doctor_set_tested" if stack.tested else "doctor_set"
        yield f"  {words[key].format(path=of, place=stack.tested)}"
    for one in verdict.outside:
        yield f"    {row(facts, one, words)}"
    if stack and not verdict.outside:
        yield f"    {words['doctor_all_inside']}"
    take = recommended(verdict.release, verdict.environment.platform) if verdict.release else None
    if take and verdict.outside and verdict.release and (line := install_line(take)):
        yield f"  {words['doctor_take'].format(release=verdict.release.tag)} {line}"


def row(facts: Facts, one: Outside, words: Words) -> str:
    """One package that is not what upstream puts together."""
    parts = [words["doctor_tested"].format(spec=one.tested[0], place=one.tested[1])] if one.tested else []
    parts += [words["doctor_required"].format(spec=one.required[0], place=one.required[1])] if one.required else []
    return f"{facts.name(one.package)} {one.version}: {words['doctor_comma'].join(parts)}"


def _rest(facts: Facts, verdict: Verdict, words: Words) -> Iterator[str]:
    """What could not be judged, and what would fit."""
    for name in verdict.unknown:
        one = verdict.environment.packages[name]
        yield "  " + words["doctor_unknown"].format(name=facts.name(name), said=one.version or one.asked or "?")
    for name, one in verdict.environment.packages.items():
        if one.other:
            yield "  " + words["doctor_twice"].format(name=facts.name(name), first=one.version, other=one.other)
    if verdict.fitting:
        named = {one.id: one.name for one in facts.frameworks}
        shown = words["doctor_comma"].join(f"{named[framework]} {tag}" for framework, tag, _ in verdict.fitting)
        yield "  " + words["doctor_fitting"].format(releases=shown)


# What pip installs in one go; the rest of a set comes from an image, from git, or has to be built.
_PLAIN = (
    "vllm",
    "sglang",
    "torch",
    "transformers",
    "ray",
    "tensordict",
    "deepspeed",
    "accelerate",
    "peft",
    "trl",
    "numpy",
    "transferqueue",
)


def install_line(stack: Stack) -> str:
    """The pins of a set that pip can install, as one line; empty if it has none."""
    cells = [stack.by_package[name] for name in _PLAIN if name in stack.by_package]
    pins = [f'"{pip_name(one.package)}{one.spec}"' for one in cells if one.spec and not one.ref]
    return f"pip install {' '.join(pins)}" if pins else ""
