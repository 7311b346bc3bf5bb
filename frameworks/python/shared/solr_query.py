"""The request to Solr and its error. `solr` and `blocking_solr` send the request."""

import os

SELECT_URL = os.environ.get("SOLR_URL", "http://localhost:8983/solr/performance") + "/select"

# An app has 2 s to say that Solr does not answer. This is shorter.
TIMEOUT_SECONDS = 1.5

# More than the number of requests at the same time, so that none waits for a connection.
CONNECTIONS = 100


class SolrUnavailable(Exception):  # noqa: N818 - a temporary state, not an error in a program
    """Solr, or the cache in front of it, cannot be reached, takes too long, or answers with an error."""


def parameters(document_type: int) -> dict[str, str]:
    """Returns the parameters of the request for the documents of a type, with their children nested."""
    return {
        "fl": "id,document_type,int_array,string_array,child_objects,name,number,[child limit=10]",
        "q": "*:*",
        "rows": "100",
        "fq": f"document_type:{document_type}",
    }
