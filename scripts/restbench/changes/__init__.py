"""What changed: records of changes, and what they add up to."""
