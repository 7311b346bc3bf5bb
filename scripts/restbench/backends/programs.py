"""The commands that start Solr and the cache, both natively and in containers."""

CORE_PATH = "/solr/performance"
"""The path of the core in the URL that apps get."""

_HEAP = "256m"
"""Solr's heap for 100 documents and their children: twice what Solr needs, so that it seldom collects garbage."""

_CACHE_MEMORY = "64m"

_SETTINGS = (
    "http_gzip_support=off",  # "on" stores answers compressed and unpacks each: 1k requests per second, not 25k
    "default_ttl=86400",
    "default_grace=0",  # the cache must not send an answer that is out of date
    "thread_stats_rate=1",  # each request is counted at once
)


def solr_command(java: str, launcher: str, home: str, data: str, port: int) -> list[str]:
    """Returns the command that starts Solr on `port`, with the configset in `home` and the index in `data`.

    `launcher` is the folder that Maven packed.
    """
    settings = {"solr.solr.home": home, "solr.data.dir": f"{data}/index", "solr.log.dir": data, "java.io.tmpdir": data}
    properties = [f"-D{name}={value}" for name, value in settings.items()]
    classpath = f"{launcher}/launcher.jar:{launcher}/lib/*"
    return [java, f"-Xms{_HEAP}", f"-Xmx{_HEAP}", *properties, "-cp", classpath, "Launcher", str(port)]


def cache_command(varnishd: str, folder: str, address: str, solr: str) -> list[str]:
    """Returns the command that starts Varnish in front of Solr, with its working files in `folder`.

    Varnish listens on `address`, and Solr on `solr`. Both are given as host:port.
    """
    settings = [f"-p{setting}" for setting in _SETTINGS]
    argv = [varnishd, "-F", "-n", folder, "-a", address, "-b", solr, "-s", f"malloc,{_CACHE_MEMORY}", "-j", "none"]
    return [*argv, *settings]
