"""The commands that start Solr and the cache, both natively and in containers."""

from pathlib import Path

from jinja2 import StrictUndefined, Template

from restbench.backends.made_up import made_up
from restbench.backends.numbers import Numbers
from restbench.backends.query import query_pattern

CORE_PATH = "/solr/performance"
"""The path of the core in the URL that apps get."""

_HEAP = "256m"
"""Solr's heap for 100 documents and their children: twice what Solr needs, so that it seldom collects garbage."""

_CACHE_MEMORY = "64m"

_SETTINGS = (
    "http_gzip_support=off",  # "on" stores answers compressed and unpacks each: a twentieth of the requests
    "default_ttl=86400",
    "default_grace=0",  # the cache must not send an answer that is out of date
    "thread_stats_rate=1",  # each request is counted at once
    "feature=+esi_disable_xml_check",  # the documents are JSON
    "http_range_support=off",  # an app must not ask for the number alone
)

_WRITE_AND_START = 'printf %s "$1" > "$0" && shift && exec "$@"'
"""A script of sh whose arguments are the path of a file, what it has to contain, and a command."""


def solr_command(java: str, launcher: str, home: str, data: str, port: int) -> list[str]:
    """Returns the command that starts Solr on `port`, with the configset in `home` and the index in `data`.

    `launcher` is the folder that Maven packed.
    """
    settings = {"solr.solr.home": home, "solr.data.dir": f"{data}/index", "solr.log.dir": data, "java.io.tmpdir": data}
    properties = [f"-D{name}={value}" for name, value in settings.items()]
    classpath = f"{launcher}/launcher.jar:{launcher}/lib/*"
    return [java, f"-Xms{_HEAP}", f"-Xmx{_HEAP}", *properties, "-cp", classpath, "Launcher", str(port)]


def cache_command(varnishd: str, folder: str, address: str, configuration: str) -> list[str]:
    """Returns the command that starts Varnish in front of Solr, with its working files in `folder`, and beside it.

    Varnish listens on `address`, which is given as host:port. `configuration`: what `cache_configuration` returns.
    """
    file, settings = f"{folder}.vcl", [f"-p{setting}" for setting in _SETTINGS]
    argv = [varnishd, "-F", "-n", folder, "-a", address, "-f", file, "-s", f"malloc,{_CACHE_MEMORY}", "-j", "none"]
    return ["sh", "-c", _WRITE_AND_START, file, configuration, *argv, *settings]


def cache_configuration(fixtures: Path, solr: str, numbers: Numbers) -> str:
    """Returns Varnish's configuration. `solr`: where Solr listens, as host:port."""
    template = Template((fixtures / "solr" / "cache.vcl.j2").read_text(encoding="utf-8"), undefined=StrictUndefined)
    host, _, port = solr.rpartition(":")
    address = rf"(?i)^{CORE_PATH}/select\?{query_pattern()}"
    return str(template.render(host=host, port=port, address=address, numbers=numbers, made_up=made_up()))
