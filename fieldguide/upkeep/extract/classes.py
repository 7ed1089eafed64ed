"""Dataclasses as declarations of YAML keys: ROLL and ChatLearn."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from fieldguide.content.catalog.models import KeyKind
from fieldguide.upkeep.extract.declared import Declared, Extraction, one_line, shown
from fieldguide.upkeep.extract.git import GitError, Tree

_LITERAL = re.compile(r"Literal\[[^\]]*\]")  # its values are the choices
_DICTIONARY = re.compile(r"\b(Dict|dict|Mapping|DictConfig)\[")


@dataclass(frozen=True)
class Field:
    """A field of a dataclass as written."""

    name: str
    type: str
    default: str | None
    help: str | None
    choices: tuple[str, ...]
    classes: tuple[str, ...]
    settable: bool
    line: int
    contains: str


@dataclass(frozen=True, eq=False)
class Class:
    """A dataclass with the fields it writes itself; a field that stands twice counts as its last."""

    name: str
    bases: tuple[str, ...]
    fields: Mapping[str, Field]
    path: str


@dataclass(frozen=True)
class Classes:
    """The dataclasses of some files; two of one name are told apart by where they are looked up from."""

    all: tuple[Class, ...]
    files: tuple[str, ...] = ()

    @cached_property
    def _by_name(self) -> dict[str, list[Class]]:
        found: dict[str, list[Class]] = {}
        for one in self.all:
            found.setdefault(one.name, []).append(one)
        return found

    def find(self, name: str, path: str = "") -> Class | None:
        """The class that `name` means in the file `path`: its own one, else the first."""
        found = self._by_name.get(name, ())
        return next((one for one in found if one.path == path), found[0] if found else None)

    def lineage(self, one: Class) -> Iterator[Class]:
        """The class and its bases, nearest first."""
        yield one
        for name in one.bases:
            base = self.find(name, one.path)
            if base is not None and base is not one:
                yield from self.lineage(base)

    def fields(self, one: Class) -> dict[str, tuple[Class, Field]]:
        """Field → the class that decides it."""
        found: dict[str, tuple[Class, Field]] = {}
        for owner in self.lineage(one):
            for field in owner.fields.values():
                found.setdefault(field.name, (owner, field))
        return found


@dataclass(frozen=True)
class Wiring:
    """How the classes of a framework become one configuration.

    Attributes:
        roots: classes that a YAML file is read into. When one is missing, the framework keeps its configuration
            somewhere else by now, or did not have that pipeline yet.
        mounts: class → places where code puts it without saying so in a type.
        typed: `Class.field` → classes that code puts there.
    """

    roots: tuple[str, ...]
    mounts: Mapping[str, tuple[str, ...]]
    typed: Mapping[str, tuple[str, ...]]


def fields(tree: Tree, paths: Iterable[str], wiring: Wiring) -> Extraction:
    """Every field of every dataclass of these files, with the dotted places at which the class is mounted."""
    classes, problems = read_classes(tree, paths)
    absent = [f"no dataclass {name}, where the configuration starts" for name in wiring.roots if not classes.find(name)]
    places = _places(classes, wiring)
    declared = [
        _declared(owner, field, tuple(places.get((owner, field.name), ())))
        for owner in classes.all
        for field in owner.fields.values()
        if field.settable
    ]
    return Extraction(tuple(declared), classes.files, problems, tuple(absent))


def read_classes(tree: Tree, paths: Iterable[str]) -> tuple[Classes, tuple[str, ...]]:
    """The dataclasses of these files, and what could not be read."""
    found: list[Class] = []
    read, problems = [], []
    for path in paths:
        try:
            found.extend(_parsed(path, tree.text(path)))
            read.append(path)
        except SyntaxError as error:
            problems.append(f"{path}:{error.lineno}: not valid Python: {error.msg}")
        except GitError as error:
            problems.append(str(error))
    return Classes(tuple(found), tuple(read)), tuple(problems)


def _declared(owner: Class, field: Field, paths: tuple[str, ...]) -> Declared:
    default = None if field.default == "MISSING" else field.default
    return Declared(
        name=field.name,
        kind=KeyKind.YAML,
        type=field.type,
        default=default,
        required=default is None,
        choices=field.choices,
        help=field.help,
        declared=owner.name,
        paths=paths,
        spellings=(),
        path=owner.path,
        line=field.line,
        contains=field.contains,
    )


@lru_cache(maxsize=4096)
def _parsed(path: str, text: str) -> tuple[Class, ...]:
    lines = text.splitlines()
    nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef))
    return tuple(_class(node, path, lines) for node in nodes if any(_is_dataclass(one) for one in node.decorator_list))


def _is_dataclass(decorator: ast.expr) -> bool:
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    return last_name(target) == "dataclass"


def last_name(node: ast.AST) -> str:
    """`c` of `a.b.c`, or the name that stands alone; empty for anything else."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _class(node: ast.ClassDef, path: str, lines: Sequence[str]) -> Class:
    fields: dict[str, Field] = {}
    for statement, following in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            name = statement.target.id
            if not name.startswith("_") and "ClassVar" not in ast.unparse(statement.annotation):
                fields[name] = _field(name, statement, following, lines)
    return Class(node.name, tuple(last_name(base) for base in node.bases), fields, path)


def _field(name: str, node: ast.AnnAssign, following: ast.stmt | None, lines: Sequence[str]) -> Field:
    options = _options(node.value)
    metadata = _metadata(options.get("metadata"))
    init = options.get("init")
    return Field(
        name=name,
        type=_LITERAL.sub("Literal", source(lines, node.annotation)),
        default=field_default(lines, node.value),
        help=_text(metadata.get("help")) or _docstring(following),
        choices=_choices(node.annotation) or _constants(metadata.get("choices")),
        classes=_classes(node.annotation),
        settable=not (isinstance(init, ast.Constant) and init.value is False),
        line=node.lineno,
        contains=shown(lines[node.lineno - 1]),
    )


def field_default(lines: Sequence[str], value: ast.expr | None) -> str | None:
    """What the right side of `name: type = value` sets, `field(default=…)` and `field(default_factory=…)` included."""
    if not _is_field(value):
        return _default(lines, value)
    options = _options(value)
    factory = options.get("default_factory")
    return _made(lines, factory) if factory else _default(lines, options.get("default"))


def _is_field(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Call) and last_name(value.func) in ("field", "Field")


def _options(value: ast.expr | None) -> dict[str, ast.expr]:
    """What `field(…)` is given by name; nothing for another value."""
    return {one.arg: one.value for one in value.keywords if one.arg} if isinstance(value, ast.Call) and _is_field(value) else {}


def _made(lines: Sequence[str], factory: ast.expr) -> str:
    """What a factory makes, as an expression."""
    if isinstance(factory, ast.Lambda):
        return source(lines, factory.body)
    return {"list": "[]", "dict": "{}"}.get(last_name(factory), f"{source(lines, factory)}()")


def _default(lines: Sequence[str], value: ast.expr | None) -> str | None:
    return None if value is None else source(lines, value)


def source(lines: Sequence[str], node: ast.expr) -> str:
    """Text of an expression in one line, as written; comments inside it are left out."""
    if node.lineno == node.end_lineno:
        return lines[node.lineno - 1].encode()[node.col_offset : node.end_col_offset].decode()
    return one_line(ast.unparse(node))


def _metadata(node: ast.expr | None) -> dict[str, ast.expr]:
    if not isinstance(node, ast.Dict):
        return {}
    return {text: value for key, value in zip(node.keys, node.values, strict=True) if (text := text_of(key))}


def _text(node: ast.expr | None) -> str | None:
    text = text_of(node)
    return one_line(text) or None if text else None


def text_of(node: ast.AST | None) -> str | None:
    """A string constant, also one put together with `+`; what an f-string inserts shows as its expression."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = text_of(node.left), text_of(node.right)
        return None if left is None or right is None else left + right
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(one) or "" for one in node.values)
    return "{" + ast.unparse(node.value) + "}" if isinstance(node, ast.FormattedValue) else None


def _docstring(following: ast.stmt | None) -> str | None:
    return _text(following.value) if isinstance(following, ast.Expr) else None


def _choices(annotation: ast.expr) -> tuple[str, ...]:
    for node in ast.walk(annotation):
        if isinstance(node, ast.Subscript) and last_name(node.value) == "Literal":
            return _constants(node.slice)
    return ()


def _constants(node: ast.expr | None) -> tuple[str, ...]:
    items = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return tuple(str(item.value) for item in items if isinstance(item, ast.Constant))


def _classes(annotation: ast.expr) -> tuple[str, ...]:
    """Names in an annotation, those inside a string included."""
    found = []
    for node in ast.walk(annotation):
        if isinstance(node, ast.Name | ast.Attribute):
            found.append(last_name(node))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.extend(re.findall(r"\w+", node.value))
    return tuple(dict.fromkeys(found))


def _places(classes: Classes, wiring: Wiring) -> dict[tuple[Class, str], list[str]]:
    found: dict[tuple[Class, str], list[str]] = {}
    siblings: dict[str, set[str]] = {}

    def walk(one: Class, prefix: tuple[str, ...], above: tuple[Class, ...]) -> None:
        own = classes.fields(one)
        roles = _roles(classes, own, wiring)
        for owner, field in own.values():
            found.setdefault((owner, field.name), []).append(".".join((*prefix, field.name)))
            here = "*" if field.name in roles else field.name
            inner = ("*",) if _DICTIONARY.search(field.type) else ()
            for child in _children(classes, owner, field, wiring):
                siblings.setdefault(".".join(prefix), set()).add(here)
                if child not in above:
                    walk(child, (*prefix, here, *inner), (*above, child))

    for name, prefixes in (*((root, ("",)) for root in wiring.roots), *wiring.mounts.items()):
        if (one := classes.find(name)) is not None:
            for prefix in prefixes:
                walk(one, tuple(prefix.split(".")) if prefix else (), (one,))
    return {key: _distinct(paths, siblings) for key, paths in found.items()}


def _children(classes: Classes, owner: Class, field: Field, wiring: Wiring) -> tuple[Class, ...]:
    names = (*field.classes, *wiring.typed.get(f"{owner.name}.{field.name}", ()))
    return tuple(one for name in names if (one := classes.find(name, owner.path)))


def _roles(classes: Classes, own: Mapping[str, tuple[Class, Field]], wiring: Wiring) -> frozenset[str]:
    """Fields that stand for a role: three or more siblings of one class are written as `*`."""
    by_class: dict[tuple[Class, ...], list[str]] = {}
    for owner, field in own.values():
        children = _children(classes, owner, field, wiring)
        if children and not _DICTIONARY.search(field.type):
            by_class.setdefault(children, []).append(field.name)
    return frozenset(name for names in by_class.values() if len(names) > 2 for name in names)


def covers(pattern: str, path: str) -> bool:
    """Whether a place with `*` stands for another.

    >>> covers("*.system_envs", "actor_train.system_envs"), covers("*.a", "a")
    (True, False)
    """
    left, right = pattern.split("."), path.split(".")
    return len(left) == len(right) and all(a in ("*", b) for a, b in zip(left, right, strict=True))


def _distinct(paths: Sequence[str], siblings: Mapping[str, set[str]]) -> list[str]:
    """Each place once, without those that another one with `*` stands for; the same below every sibling is one with `*`."""
    unique = list(dict.fromkeys(paths))
    for path in list(unique):
        parts = path.split(".")
        for number in range(1, len(parts)):
            names = siblings.get(".".join(parts[:number]), set())
            same = [".".join((*parts[:number], name, *parts[number + 1 :])) for name in names]
            if len(same) > 2 and set(same) <= set(unique):
                unique.insert(unique.index(path), ".".join((*parts[:number], "*", *parts[number + 1 :])))
                unique = [one for one in unique if one not in same]
                break
    return [path for path in unique if not any(other != path and covers(other, path) for other in unique)]
