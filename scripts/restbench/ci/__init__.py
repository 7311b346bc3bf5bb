"""The code behind the workflows: it plans jobs, gathers their results, publishes them and comments on pull requests."""
