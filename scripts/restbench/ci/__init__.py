"""What the workflows call: what to measure, what came of it, and where it is published."""
