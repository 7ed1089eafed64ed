"""What is said in every language: `en: …`, `zh: …` in a record, gathered as `texts`."""

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from pydantic import GetJsonSchemaHandler, SerializerFunctionWrapHandler, model_serializer, model_validator
from pydantic.json_schema import JsonSchemaValue

from fieldguide.content.addresses import LANGUAGES
from fieldguide.content.catalog.models.base import Model

# The field of a record that has them; faults are told without its name, which stands in no file.
TEXTS = "texts"


Words = TypeVar("Words")


class InLanguages(Model, Generic[Words]):
    """A record with words in every language, or in none where the record allows it.

    Attributes:
        texts: language → words.
    """

    texts: Mapping[str, Words]

    @model_validator(mode="before")
    @classmethod
    def _gathered(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        texts = {language: data[language] for language in LANGUAGES if language in data}
        return {name: value for name, value in data.items() if name not in texts} | {TEXTS: texts}

    @model_validator(mode="after")
    def _all(self) -> "InLanguages[Words]":
        if len(self.texts) < len(LANGUAGES) and (self.texts or not self._may_be_silent()):
            raise ValueError(f"give the words in every language: {', '.join(LANGUAGES)}")
        return self

    @model_serializer(mode="wrap")
    def _as_written(self, serialized: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data: dict[str, Any] = serialized(self)
        texts: dict[str, Any] = data.pop(TEXTS, {})
        return data | texts

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The schema of what is written: a field for each language."""
        schema = handler.resolve_ref_schema(handler(core))
        properties = schema["properties"]
        if texts := properties.pop(TEXTS, None):
            properties |= dict.fromkeys(LANGUAGES, texts["additionalProperties"])
            asked = [name for name in schema.get("required", ()) if name != TEXTS]
            schema["required"] = [*asked, *(() if cls._may_be_silent() else LANGUAGES)]
        return schema

    @classmethod
    def _may_be_silent(cls) -> bool:
        return False

    def _differ(self, *names: str) -> bool:
        """Whether one of these parts is said in some languages only."""
        return any(len({bool(getattr(words, name)) for words in self.texts.values()}) > 1 for name in names)
