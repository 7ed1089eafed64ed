"""What a Dockerfile or an install script installs, line by line.

Nothing is run: variables are those that the file itself sets, of two branches both are read, and what is installed last stays.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from fieldguide.runtime.doctor.requirement import requirement
from fieldguide.runtime.doctor.vocabulary import Found, Vocabulary

_TOKEN = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s;&|"'])+|&&|\|\||[;|&]""")
_COMMENT = re.compile(r"(?:^|\s)#(?=\s|$).*$|^\s*#.*$")
_VARIABLE = re.compile(r"\$\{(\w+)(?::?-([^}]*))?\}|\$(\w+)")
_ASSIGNED = re.compile(r"(\w+)=(.*)", re.DOTALL)
_SEPARATORS = frozenset({"&&", "||", ";", "|", "&", "then", "else", "do", "fi", "done", "if", "{", "}", "(", ")"})
# Options of pip, conda and git that take the next word.
_VALUED = frozenset(
    {
        "-i", "--index-url", "--extra-index-url", "--index", "--trusted-host", "-f", "--find-links", "-r", "--requirement",
        "-c", "--constraint", "--build-constraint", "-t", "--target", "--config-settings", "--config-setting", "--retries",
        "--timeout", "--default-timeout", "--resume-retries", "--python", "--build-option", "--global-option", "-n", "--name",
        "-p", "--prefix", "--channel", "--depth",
    }
)  # fmt: skip
_PINNED_BY = {"PYTHON_VERSION": "python", "CUDA_VERSION": "cuda", "NCCL_VERSION": "nccl", "CUDNN_VERSION": "cudnn"}
_CONDA = frozenset({"conda", "mamba", "micromamba"})
_PYTHON = re.compile(r"python(3\.\d+)(?:-dev|-venv)?")
_INDEX = re.compile(r"(?:pytorch\.org|sglang\.ai|vllm\.ai)/(?:\w+/)+cu(\d\d)(\d)")

Word = tuple[str, int]


def read_commands(text: str, vocabulary: Vocabulary) -> list[Found]:
    """What is installed, each package once, in the order of the lines."""
    reader = _Reader(vocabulary)
    for words in _lines(text):
        reader.line(words)
    return reader.finish()


def _lines(text: str) -> Iterator[list[Word]]:
    """The words of each command, continued lines put together, with the line that each stands on."""
    words: list[Word] = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = _COMMENT.sub("", line).rstrip()
        if line.lstrip().startswith("#") and words:
            continue  # a comment between continued lines
        words += [(token[0], number) for token in _TOKEN.finditer(bare.removesuffix("\\"))]
        if not bare.endswith("\\") and words:
            yield words
            words = []
    if words:
        yield words


class _Reader:
    """Collects what the commands of one file install."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._variables: dict[str, Word] = {}
        self._found: dict[str, Found] = {}
        self._cloned: str | None = None
        self._index: Found | None = None

    def finish(self) -> list[Found]:
        if self._index:
            self._found.setdefault("cuda", self._index)
        kept = [one for one in self._found.values() if one.spec or one.ref or one.package not in ("python", "cuda")]
        return sorted(kept, key=lambda one: (one.line, one.package))

    def line(self, words: Sequence[Word]) -> None:
        head = words[0][0].upper() if words else ""
        if head == "FROM":
            self._image(words)
        elif head in ("ARG", "ENV", "EXPORT", "LOCAL"):
            self._assign(words[1:])
        else:
            hopper = any("hopper" in word for word, _ in words)  # FlashAttention 3 is built from the repository of 2
            for command in _split(words[1:] if head == "RUN" else words):
                self._command(self._bare(command), hopper)

    def _image(self, words: Sequence[Word]) -> None:
        for word, line in words[1:]:
            if not word.startswith("--"):
                text, at = self._filled(word, line)
                self._keep(self._vocabulary.of_image(text, at))
                return

    def _assign(self, words: Sequence[Word]) -> None:
        if len(words) == 2 and "=" not in words[0][0]:
            words = [(f"{words[0][0]}={words[1][0]}", words[1][1])]
        for word, line in words:
            if match := _ASSIGNED.fullmatch(word):
                value, at = self._filled(_unquoted(match[2]), line)
                self._variables[match[1]] = (value, at)
                package = _PINNED_BY.get(match[1])
                if package and re.fullmatch(r"\d+(\.\d+)+", value):
                    short = value.count(".") == 1
                    self._keep([Found(package, f"=={value}.*" if short else f"=={value}", line=at)])

    def _bare(self, command: Sequence[Word]) -> Sequence[Word]:
        """Without variables that are set for the one command, or with them set for all if there is nothing else."""
        start = next((at for at, (word, _) in enumerate(command) if not _ASSIGNED.fullmatch(word)), len(command))
        if start == len(command):
            self._assign(command)
        return command[start:]

    def _filled(self, word: str, line: int) -> Word:
        """A word with its variables, and the line that says the version: that of the variable."""
        places = [line]

        def value(match: re.Match[str]) -> str:
            known = self._variables.get(match[1] or match[3])
            if known:
                places.append(known[1])
                return known[0]
            return match[2] if match[2] is not None else match[0]

        text = _VARIABLE.sub(value, _unquoted(word))
        return text, places[-1]

    def _command(self, words: Sequence[Word], hopper: bool) -> None:
        plain = [word for word, _ in words]
        if "install" in plain and _is_pip(plain):
            self._pip(words[plain.index("install") + 1 :])
        elif "uninstall" in plain and _is_pip(plain):
            for word in plain:
                self._found.pop(self._vocabulary.id_of(_unquoted(word)) or "", None)
        elif plain and plain[0] in _CONDA:
            self._conda(words[1:])
        elif plain[:1] == ["git"] and not hopper:
            self._git(words[1:])
        elif plain[:1] == ["git"]:
            self._cloned = None
        elif "install" in plain and any(word.startswith("apt") for word in plain):
            self._apt(words)

    def _pip(self, words: Sequence[Word]) -> None:
        upgrade = any(word in ("-U", "--upgrade", "--force-reinstall") for word, _ in words)
        for word, line in self._arguments(words):
            text, at = self._filled(word, line)
            one = None if "$" in text else requirement(text, self._vocabulary, at)
            if one and not (one.package in self._found and not one.spec and not one.ref and not upgrade):
                self._keep([one])

    def _arguments(self, words: Sequence[Word]) -> Iterator[Word]:
        skip = False
        for word, line in words:
            if index := _INDEX.search(word):
                self._index = Found("cuda", f"=={index[1]}.{index[2]}.*", line=line)
            if skip:
                skip = False
            elif word.startswith("-"):
                skip = word in _VALUED
            else:
                yield word, line

    def _conda(self, words: Sequence[Word]) -> None:
        for word, line in self._arguments(words):
            text, at = self._filled(word, line)
            name, _, version = text.partition("=")
            package = self._vocabulary.id_of(name) or {"cuda": "cuda", "cudatoolkit": "cuda"}.get(name)
            version = version.strip("=").removesuffix("=").partition("=")[0]
            if package and version and "$" not in version:
                self._keep([Found(package, f"=={version}" if version.count(".") > 1 else f"=={version}.*", line=at)])

    def _git(self, words: Sequence[Word]) -> None:
        plain = [_unquoted(word) for word, _ in words]
        if "clone" in plain:
            place = next(((word, line) for word, line in words if "://" in word or word.startswith("git@")), None)
            self._cloned = self._vocabulary.of_repository(_unquoted(place[0])) if place else None
            branch = next((words[at + 1] for at, word in enumerate(plain[:-1]) if word in ("-b", "--branch")), None)
            if self._cloned and place:
                self._ref(*(branch or ("HEAD", place[1])))
        elif "checkout" in plain and self._cloned and len(words) > 1:
            arguments = [row for row in words[plain.index("checkout") + 1 :] if not row[0].startswith("-")]
            if arguments:
                self._ref(*arguments[0])

    def _ref(self, word: str, line: int) -> None:
        text, at = self._filled(word, line)
        if self._cloned and "$" not in text:
            self._keep([Found(self._cloned, "", text, at)])

    def _apt(self, words: Sequence[Word]) -> None:
        for word, line in words:
            text, at = self._filled(word, line)
            if match := _PYTHON.fullmatch(text):
                self._keep([Found("python", f"=={match[1]}.*", line=at)])

    def _keep(self, found: Iterable[Found]) -> None:
        for one in found:
            self._found[one.package] = one


def _split(words: Sequence[Word]) -> Iterator[list[Word]]:
    command: list[Word] = []
    for word in words:
        if word[0] in _SEPARATORS:
            if command:
                yield command
            command = []
        else:
            command.append(word)
    if command:
        yield command


def _is_pip(plain: Sequence[str]) -> bool:
    return any(re.fullmatch(r"(?:.*/)?pip3?(?:\.\d+)?", word) for word in plain)


def _unquoted(word: str) -> str:
    return word.replace('"', "").replace("'", "")
