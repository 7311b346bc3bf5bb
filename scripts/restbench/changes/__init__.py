"""What a change costs: how two versions of an entry are compared, and what records keep of it."""
