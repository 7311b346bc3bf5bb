"""Whether an app can tell a measured round from a checked one, in which every answer is read."""
