"""restbench: benchmarks of REST frameworks with proof that the app was right."""

__version__ = "0.1.0"
