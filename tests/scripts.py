"""Launch scripts made up at random, of constructs that each parser reads without a fault."""

import random

NAMES = ("A", "B", "C", "nodes", "batch")


def made_up(draw: random.Random) -> str:
    """A script of some ten statements."""
    lines = [_statement(draw, 2) for _ in range(draw.randint(3, 10))]
    return "\n".join([*lines, f"run {' '.join(_word(draw) for _ in range(4))}", ""])


def _statement(draw: random.Random, depth: int) -> str:
    kind = draw.randrange(9 if depth else 5)
    name = draw.choice(NAMES)
    if kind == 0:
        return f"{name}={_value(draw)}"
    if kind == 1:
        return f"export {name}=${{{draw.choice(NAMES)}:-{_value(draw)}}}"
    if kind == 2:
        return f"L{draw.choice(['', '+'])}=(--x {_word(draw)}\n  --{name}={_word(draw)} # {name}\n)"
    if kind == 3:
        return f'run {name.lower()}.size={_word(draw)} \\\n  {_word(draw)} "${{L[@]}}"'
    if kind == 4:
        return f'T="$T k.{name.lower()}={_inner(draw)}"'
    inner = "\n".join(_statement(draw, depth - 1) for _ in range(draw.randint(1, 3)))
    if kind == 5:
        return f"if [ {_test(draw)} ]; then\n{inner}\nelse\n  {name}={_value(draw)}\nfi"
    if kind == 6:
        return f"for {name} in 1 {_word(draw)}; do\n{inner}\ndone"
    if kind == 7:
        return f'case "${name}" in\n  1|2*)\n{inner}\n    ;;\n  *) {name}={_value(draw)} ;;\nesac'
    return f"f{depth}() {{\n{inner}\n}}\nf{depth} {_word(draw)}"


def _test(draw: random.Random) -> str:
    name = draw.choice(NAMES)
    return draw.choice([f'-z "${name}"', f'"${name}" = 4', f'"${name}" -gt 2', "-f x", f'"$1" != "${name}"'])


def _value(draw: random.Random) -> str:
    return draw.choice(
        [str(draw.randint(0, 64)), _arithmetic(draw), f'"{_inner(draw)}"', "'a  b'", f"${{{draw.choice(NAMES)}}}x"]
    )


def _inner(draw: random.Random) -> str:
    return f"{draw.choice(['', 'p', '/'])}${draw.choice(NAMES)}{draw.choice(['', ' q', '-1'])}"


def _word(draw: random.Random) -> str:
    a, b = draw.choice(NAMES), draw.choice(NAMES)
    return draw.choice(
        [
            f"${a}",
            f'"${a}"',
            f"${{{a}:-{_arithmetic(draw)}}}",
            f"${a}:${b}/c",
            _arithmetic(draw),
            "$1",
            "${#L[@]}",
            "$T",
            "$(nproc)",
        ]
    )


def _arithmetic(draw: random.Random) -> str:
    a, b, operator = draw.choice(NAMES), draw.choice([*NAMES, "3", "8"]), draw.choice("+-*/%")
    return draw.choice([f"$(({a} {operator} {b}))", f"$((({a} + {b}) {operator} 2))", f"$((${a} {operator} {b}))"])
