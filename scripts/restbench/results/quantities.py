"""Numbers of results, with bounds that are far from anything that can be measured.

Results may come from a stranger's job. A number can be finite and still break what is computed from it: the square of
1e308 is not finite, and the logarithm of 0 does not exist.
"""

from typing import Annotated

from pydantic import Field

Throughput = Annotated[float, Field(gt=0, le=1e9)]
"""Requests per second."""

Microseconds = Annotated[float, Field(gt=0, le=1e10)]
"""CPU time of a request."""

SignedMilliseconds = Annotated[float, Field(ge=-1e9, le=1e9)]
"""A difference of times."""

Seconds = Annotated[float, Field(ge=0, le=1e7)]
"""A duration, at most 116 days."""

PositiveSeconds = Annotated[float, Field(gt=0, le=1e7)]
"""A duration that throughput is computed from."""

Share = Annotated[float, Field(ge=0, le=1e9)]
"""A share of CPUs, where 1.0 is all of one side's."""

Bytes = Annotated[int, Field(ge=0, le=2**50)]

LogCost = Annotated[float, Field(ge=-50, le=50)]
"""The logarithm of a ratio of costs."""

Variance = Annotated[float, Field(ge=0, le=1e4)]
"""The variance of a logarithm."""

Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
"""A number of rounds, connections, CPUs, packages or lines."""

Rate = Annotated[int, Field(ge=1, le=1_000_000_000)]
"""Requests per second that are sent."""
