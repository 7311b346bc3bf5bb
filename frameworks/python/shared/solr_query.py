"""What entries ask Solr for, and what may go wrong; `solr` and `blocking_solr` do the asking."""

import os

SELECT_URL = os.environ.get("SOLR_URL", "http://localhost:8983/solr/performance") + "/select"

# Shorter than the 2 s within which an app has to say that Solr does not answer.
TIMEOUT_SECONDS = 1.5

# More than requests that come at a time: none waits for a connection.
CONNECTIONS = 100


class SolrUnavailable(Exception):  # noqa: N818 - a state that passes, not a mistake
    """Solr, or the cache in front of it, cannot be reached, takes too long, or answers with an error."""


def parameters(document_type: int) -> dict[str, str]:
    """Of the request for the documents of a type with their children nested."""
    return {
        "fl": "id,document_type,int_array,string_array,child_objects,name,number,[child limit=10]",
        "q": "*:*",
        "rows": "100",
        "fq": f"document_type:{document_type}",
    }
