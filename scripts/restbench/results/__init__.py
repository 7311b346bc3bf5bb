"""Result files: the schema, reading, writing, merging, history."""
