import json

import falcon
import hug

import issue_tracker_marshmallow
import issue_tracker_raw
import workload
import workload_marshmallow


@hug.get("/hello_world", output=hug.output_format.text)
def hello_world() -> str:
    return "Hello World"


@hug.get([f"/route-get-{number}/{{part}}" for number in range(10)])
@hug.post([f"/route-post-{number}/{{part}}" for number in range(10)])
@hug.put([f"/route-put-{number}/{{part}}" for number in range(10)])
def answer_part(part: hug.types.number) -> dict:
    return {"part": part}


@hug.extend_api("/api/v1")
def issue_tracker() -> list:
    return [issue_tracker_raw, issue_tracker_marshmallow]


@hug.extend_api("/test")
def work() -> list:
    return [workload, workload_marshmallow]


@hug.exception((json.JSONDecodeError, UnicodeError), status=falcon.HTTP_BAD_REQUEST)
def malformed_body(exception: Exception) -> dict:
    return {"errors": {"body": str(exception)}}
