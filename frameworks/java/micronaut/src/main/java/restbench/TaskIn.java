package restbench;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.micronaut.core.annotation.Introspected;
import jakarta.validation.constraints.NotNull;
import java.util.List;

/** The fields of a task that a client sends. */
@Introspected
@JsonNaming(SnakeCaseStrategy.class)
record TaskIn(
    @NotNull String summary,
    @NotNull String description,
    @NotNull String issueType,
    @NotNull String priority,
    @NotNull List<@NotNull String> labels,
    @NotNull List<@NotNull String> components) {}
