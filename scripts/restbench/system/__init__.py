"""The machine: CPUs, processes, cgroups, ports, locks, files, Debian packages and the checkout.

Nothing in this folder knows entries or results.
"""
