"""What changed: records of changes, what they add up to, and changes that nobody made."""
