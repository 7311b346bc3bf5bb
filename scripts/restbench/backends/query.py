"""The request for the documents of a type, as apps send it to Solr (docs/CONTRACT.md)."""

import re
from urllib.parse import urlencode

_PARAMETERS = {
    "fl": "id,document_type,int_array,string_array,child_objects,name,number,[child limit=10]",
    "q": "*:*",
    "rows": "100",
}
_OF_TYPE = "document_type:"

QUERY = urlencode({**_PARAMETERS, "fq": f"{_OF_TYPE}1"})
"""The query string of the request that apps send most. All documents have the type 1."""


def query_pattern() -> str:
    """Returns a regular expression for the query strings of this request, of all types.

    They have four parameters, in any order, and encode characters as they like.
    """
    values = {name: _encoded(value) for name, value in _PARAMETERS.items()}
    values["fq"] = rf"{_encoded(_OF_TYPE)}(?:(?:\\|%5C)?-)?[0-9]+"
    each = "".join(rf"(?=(?:.*&)?{name}={value}(?:&|$))" for name, value in values.items())
    return rf"{each}(?:[^&]+&){{{len(values) - 1}}}[^&]+$"


def _encoded(text: str) -> str:
    """Returns a regular expression for a text, of which a URL may encode all but letters, digits and underscores."""
    plain = {" ": r"\+"}
    return "".join(
        each if re.match(r"\w", each) else f"(?:{plain.get(each) or re.escape(each)}|%{ord(each):02X})" for each in text
    )
