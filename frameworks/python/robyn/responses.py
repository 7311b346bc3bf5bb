from robyn import Response, jsonify
from robyn.exceptions import HTTPException


def text(body: str) -> Response:
    """Robyn itself would leave out the charset."""
    return Response(status_code=200, headers={"Content-Type": "text/plain; charset=utf-8"}, body=body)


def http_error(error: Exception) -> Response:
    """Robyn leaves it to the app to answer an HTTPException."""
    if not isinstance(error, HTTPException):
        raise error
    return Response(
        status_code=error.status_code,
        headers={"Content-Type": "application/json"},
        body=jsonify({"detail": error.detail}),
    )
