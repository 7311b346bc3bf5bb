"""How noisy figures are."""

from collections.abc import Sequence

import numpy as np


def coefficient_of_variation(values: Sequence[float]) -> float:
    """Standard deviation over mean, of at least two values."""
    sample = np.asarray(values, dtype=float)
    return float(np.std(sample, ddof=1) / np.mean(sample))
