"""The commands that Solr and the cache are started with, natively and in their images alike."""

CORE_PATH = "/solr/performance"

_HEAP = "256m"
"""Of Solr, for 100 documents and their children: twice what it needs, so that its collector seldom runs."""

_CACHE_MEMORY = "64m"

_SETTINGS = (
    "http_gzip_support=off",  # else it keeps answers compressed and unpacks each: 1k requests per second, not 25k
    "default_ttl=86400",
    "default_grace=0",  # an answer that is out of date is none
    "thread_stats_rate=1",  # each request is counted at once
)


def solr_command(java: str, launcher: str, home: str, data: str, port: int) -> list[str]:
    """Solr with the configset in `home` and its index in `data`. `launcher`: the folder that Maven packed."""
    settings = {"solr.solr.home": home, "solr.data.dir": f"{data}/index", "solr.log.dir": data, "java.io.tmpdir": data}
    properties = [f"-D{name}={value}" for name, value in settings.items()]
    classpath = f"{launcher}/launcher.jar:{launcher}/lib/*"
    return [java, f"-Xms{_HEAP}", f"-Xmx{_HEAP}", *properties, "-cp", classpath, "Launcher", str(port)]


def cache_command(varnishd: str, folder: str, address: str, solr: str) -> list[str]:
    """Varnish at an address, in front of Solr at another, both host:port, with its working files in `folder`."""
    settings = [f"-p{setting}" for setting in _SETTINGS]
    return [
        varnishd,
        "-F",
        "-n",
        folder,
        "-a",
        address,
        "-b",
        solr,
        "-s",
        f"malloc,{_CACHE_MEMORY}",
        "-j",
        "none",
        *settings,
    ]
