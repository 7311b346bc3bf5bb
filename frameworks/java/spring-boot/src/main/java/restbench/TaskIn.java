package restbench;

import jakarta.validation.constraints.NotNull;
import java.util.List;

/** The fields of a task that a client sends. */
record TaskIn(
    @NotNull String summary,
    @NotNull String description,
    @NotNull String issueType,
    @NotNull String priority,
    @NotNull List<@NotNull String> labels,
    @NotNull List<@NotNull String> components) {}
