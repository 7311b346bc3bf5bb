"""The business logic of the suite `workload`, the same in every entry. The framework decides how to run it."""

import os

import bcrypt

TIMED_SECONDS = 0.020
PROCESSING_SECONDS = float(os.environ.get("PROCESSING_MS", "0")) / 1000
PROCESSING_NOTE = f"handled for {PROCESSING_SECONDS * 1000:g} ms"


def greeting(payload: str) -> str:
    return f"Hello, {payload}"


def hash_password(payload: str) -> str:
    """Takes about 50 ms of CPU time. Other threads run meanwhile: call it in a thread, not on an event loop."""
    return bcrypt.hashpw(payload.encode(), bcrypt.gensalt(10)).decode()
