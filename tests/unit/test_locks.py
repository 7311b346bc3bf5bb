from pathlib import Path

from restbench.catalog.locks import locked_version

LOCK = """\
Falcon==4.4.0 \\
    --hash=sha256:00
numpy==2.4.6 ; python_full_version < '3.12' \\
    --hash=sha256:01
numpy==2.10.0 ; python_full_version >= '3.12' \\
    --hash=sha256:02
uvicorn[standard]==0.54.0
"""


def test_versions_come_from_pins(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.txt"
    lock.write_text(LOCK)
    assert locked_version(lock, "pypi:falcon") == "4.4.0"
    assert locked_version(lock, "pypi:uvicorn") == "0.54.0"
    assert locked_version(lock, "pypi:flask") is None


def test_of_several_pins_the_newest_counts(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.txt"
    lock.write_text(LOCK)
    assert locked_version(lock, "pypi:numpy") == "2.10.0"
