"""The resources of the variant raw, with orjson as their JSON library."""

import falcon
import orjson

import issue_tracker_raw
from json_library import JSONLibrary

use_orjson = JSONLibrary(orjson.dumps, orjson.loads)


@falcon.before(use_orjson)
class UserInfo(issue_tracker_raw.UserInfo):
    pass


@falcon.before(use_orjson)
class Sprint(issue_tracker_raw.Sprint):
    pass


@falcon.before(use_orjson)
class Tasks(issue_tracker_raw.Tasks):
    pass
