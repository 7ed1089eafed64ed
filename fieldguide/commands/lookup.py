"""What is looked up by name or in words: an entry, a key, whatever is about some words."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from fieldguide.commands.data import compiled_folder, edition
from fieldguide.commands.output import is_coloured
from fieldguide.runtime.guide import Answers, read_answers, read_guide


def entry(options: argparse.Namespace) -> int:
    """Print an entry whole."""
    from fieldguide.runtime.entries import read_entries
    from fieldguide.runtime.lookup import nearest_ids, whole

    folder = compiled_folder(options.root)
    answers = read_answers(folder, options.lang)
    found = whole(options.id, read_entries(folder, options.lang), answers, edition(folder, options.root))
    if found is None:
        return _unknown(
            "entry", answers, answers.words["find_no_entry"].format(given=options.id), nearest_ids(options.id, answers)
        )
    print(json.dumps(asdict(found), ensure_ascii=False, indent=2) if options.json else f"{found.markdown}\n{found.page}")
    return 0


def key(options: argparse.Namespace) -> int:
    """Say what is known of a key, in every framework that has it."""
    from fieldguide.runtime.keys import read_keys
    from fieldguide.runtime.lookup import key_record, key_text

    folder = compiled_folder(options.root)
    guide, answers = read_guide(folder), read_answers(folder, options.lang)
    if (code := _refuse_framework("key", options.framework, [one.id for one in guide.frameworks], answers)) is not None:
        return code
    framework = next((one.glossary for one in guide.frameworks if one.id == options.framework), None)
    keys, about = read_keys(folder, options.lang), edition(folder, options.root)
    found = keys.named(options.name, framework)
    if options.json:
        print(json.dumps([key_record(one, about) for one in found], ensure_ascii=False, indent=2))
    elif found:
        print("\n\n".join(key_text(one, guide, answers.words, about, is_coloured(sys.stdout)) for one in found))
    if found:
        return 0
    said = answers.words["find_no_key"].format(given=options.name)
    return _unknown("key", answers, said, keys.nearest(options.name, framework), code=1)


def search(options: argparse.Namespace) -> int:
    """List what the search box of the site lists."""
    from fieldguide.runtime.lookup import found, rows_text
    from fieldguide.runtime.rank.finder import read_finder

    folder = compiled_folder(options.root)
    guide, answers = read_guide(folder), read_answers(folder, options.lang)
    if (code := _refuse_framework("search", options.framework, [one.id for one in guide.frameworks], answers)) is not None:
        return code
    finder, about = read_finder(folder, options.lang, guide), edition(folder, options.root)
    rows = found(" ".join(options.words), guide, answers, finder, about, options.framework, options.most)
    if options.json:
        print(json.dumps([asdict(row) for row in rows], ensure_ascii=False, indent=2))
    else:
        print(rows_text(rows, answers.words, is_coloured(sys.stdout)) if rows else answers.words["find_nothing"])
    return 0 if rows else 1


def _refuse_framework(command: str, given: str | None, known: Sequence[str], answers: Answers) -> int | None:
    """Exit code of a framework that there is not; None where it is fine."""
    if given is None or given in known:
        return None
    said = answers.words["doctor_bad_framework"].format(given=given, known=answers.words["calc_separator"].join(known))
    print(f"{command}: {said}", file=sys.stderr)
    return 2


def _unknown(command: str, answers: Answers, said: str, near: Sequence[str], code: int = 2) -> int:
    print(f"{command}: {said}", file=sys.stderr)
    if near:
        print(answers.words["find_nearest"].format(names=answers.words["calc_separator"].join(near)), file=sys.stderr)
    return code
