"""What a file of a run is, and whose: by its name, else by its first lines."""

from fieldguide.runtime.run.events import Who, who_of
from fieldguide.runtime.run.rules import RunRules

OTHER = "other"


def kind_by_name(name: str, rules: RunRules) -> tuple[str, Who]:
    """Kind and owner of a file by its path; "other" where no rule fits."""
    node = next((said["node"] for one in rules.nodes if (said := one.read(name))), "")
    for kind, named in rules.files:
        if (said := named.read(name)) is not None:
            return kind, who_of({"node": node, **said})
    return OTHER, Who(node=node)


def kind_by_head(head: str, rules: RunRules) -> str:
    """Kind of a file by how it begins."""
    return next((kind for kind, named in rules.heads if named.compiled.search(head)), OTHER)
