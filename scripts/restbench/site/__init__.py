"""The static site: every page is complete without JavaScript."""
