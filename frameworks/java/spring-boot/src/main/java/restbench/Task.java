package restbench;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import restbench.shared.Task.Row;

/** A task as the tracker answers it. In JSON, its parts are one object. */
record Task(int board, @JsonUnwrapped Row row, @JsonUnwrapped TaskIn sent) {}
