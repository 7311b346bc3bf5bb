from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.validators import ProhibitSurrogateCharactersValidator


@extend_schema_field(str)
class TextField(serializers.Field):
    """Any text, exactly as it was sent. CharField would take numbers and refuse U+0000, which no option changes."""

    default_error_messages: ClassVar = {"invalid": "Not a text."}
    default_validators: ClassVar = [ProhibitSurrogateCharactersValidator()]  # as CharField has

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return data

    def to_representation(self, value: str) -> str:
        return value
