package restbench.shared;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;

/** The fields of a task that a client sends. */
@JsonNaming(SnakeCaseStrategy.class)
public record TaskIn(
    String summary,
    String description,
    String issueType,
    String priority,
    List<String> labels,
    List<String> components) {}
