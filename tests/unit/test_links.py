"""Near and far: what is set up for a delay is taken down again, whatever happens."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from restbench.errors import ToolError
from restbench.targets import links
from restbench.targets.links import NetworkLink, container_link, container_link_unavailable_reason, native_link
from tests.made.programs import a_program

URL = "http://127.0.0.1:8123"


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The commands that would have been run."""
    commands: list[str] = []

    def record(*words: str) -> str:
        commands.append(" ".join(words))
        return ""

    monkeypatch.setattr(links, "_run", record)
    yield commands


def test_near_is_no_link_at_all(ran: list[str]) -> None:
    with native_link(URL, 0) as native, container_link(URL, 0, lambda: 7) as container:
        assert native == container == NetworkLink(URL)
    assert ran == []


def test_far_clients_have_a_namespace_and_both_ends_delay(ran: list[str]) -> None:
    with native_link(URL, 25) as link:
        assert link.base_url.startswith("http://198.1")
        assert link.base_url.endswith(":8123")
        assert link.through[:3] == ("ip", "netns", "exec")
        delays = [command for command in ran if command.endswith("netem delay 25ms")]
        assert [command.startswith("ip netns exec") for command in delays] == [False, True]
        up = len(ran)
    assert [command.split()[1:3] for command in ran[up:]] == [["link", "delete"], ["netns", "delete"]]


def test_a_container_delays_its_answers_for_both_ways_and_no_longer_than_needed(
    ran: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with container_link(URL, 25, lambda: 7) as link:
        assert link == NetworkLink(URL)
        assert ran == ["nsenter --target 7 --net tc qdisc add dev eth0 root netem delay 50ms"]
    assert ran[1:] == ["nsenter --target 7 --net tc qdisc delete dev eth0 root"]


def test_nothing_is_changed_in_the_network_of_a_process_that_has_the_pid_of_an_ended_container(ran: list[str]) -> None:
    there = [7]
    with container_link(URL, 25, lambda: there[0] if there else None):
        there.clear()
    with container_link(URL, 25, lambda: None):
        pass
    assert [command.partition("tc ")[2] for command in ran] == ["qdisc add dev eth0 root netem delay 50ms"]


def test_who_is_not_root_asks_sudo_for_a_container_s_link(ran: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with container_link(URL, 25, lambda: 7):
        pass
    assert [command.split()[:3] for command in ran] == [["sudo", "-n", "nsenter"]] * 2


def test_a_container_s_link_is_tried_without_a_container(ran: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    container_link_unavailable_reason.cache_clear()
    assert container_link_unavailable_reason() is None
    assert ran == ["unshare --net tc qdisc add dev lo root netem delay 1ms"]
    container_link_unavailable_reason.cache_clear()


def test_sudo_that_wants_a_password_is_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sudo = a_program(tmp_path / "sudo", "echo 'sudo: a password is required' >&2\nexit 1")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("PATH", str(tmp_path))
    container_link_unavailable_reason.cache_clear()
    reason = container_link_unavailable_reason()
    assert reason == "this machine cannot delay a link: sudo says: a password is required"
    sudo.unlink()
    container_link_unavailable_reason.cache_clear()
    assert container_link_unavailable_reason() == "this machine cannot delay a link: sudo is missing: run as root"
    container_link_unavailable_reason.cache_clear()


def test_what_fails_half_way_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[str] = []

    def no_netem(*words: str) -> str:
        commands.append(" ".join(words))
        if "netem" in words:
            raise ToolError("tc says: Error: Specified qdisc kind is unknown.")
        return ""

    monkeypatch.setattr(links, "_run", no_netem)
    with pytest.raises(ToolError, match="qdisc kind is unknown"), native_link(URL, 25):
        raise AssertionError("there is no such link")
    assert commands[-1].startswith("ip netns delete restbench-")


def test_two_harnesses_take_addresses_of_their_own() -> None:
    pairs = [links._addresses(pid) for pid in range(1, 2000)]
    assert len({address for pair in pairs for address in pair}) == 2 * len(pairs)
    assert all(near.startswith(("198.18.", "198.19.")) for near, _ in pairs)
