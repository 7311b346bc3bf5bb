"""The ground: CPUs, processes, cgroups, ports, locks, files, the checkout. Nothing here knows of entries or results."""
