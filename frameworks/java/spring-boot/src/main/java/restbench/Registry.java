package restbench;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import restbench.shared.Solr;
import restbench.shared.SolrUnavailable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Documents from Solr. */
@RestController
class Registry {
  record Found(List<Document> docs) {}

  record SolrAnswer(Found response) {}

  private final Solr solr;
  private final JsonMapper mapper;

  Registry(Solr solr, JsonMapper mapper) {
    this.solr = solr;
    this.mapper = mapper;
  }

  @GetMapping("/json_serialization/typed")
  @Operation(summary = "Documents of a type, as they are")
  @ApiResponse(responseCode = "200", description = "The documents, in Solr's order")
  @ApiResponse(
      responseCode = "400",
      description = "The type is missing, or not an integer",
      content =
          @Content(
              mediaType = MediaType.APPLICATION_PROBLEM_JSON_VALUE,
              schema = @Schema(implementation = ProblemDetail.class)))
  List<Document> jsonSerialization(
      @RequestParam("document_type")
          @Size(min = 1, max = 1) // Of several values, an int would take the first.
          @Parameter(
              description = "The type of the documents to return",
              schema = @Schema(type = "integer", format = "int32", example = "1"))
          List<Integer> documentType) {
    return documents(documentType.get(0));
  }

  @GetMapping("/anonymization/typed")
  @Operation(summary = "Documents with small numbers hidden")
  @ApiResponse(responseCode = "200", description = "The documents of type 1")
  List<Document> anonymization() {
    return documents(1).stream().map(Document::anonymized).toList();
  }

  private List<Document> documents(int type) {
    return mapper.readValue(solr.select(type).join(), SolrAnswer.class).response.docs;
  }

  @ExceptionHandler({SolrUnavailable.class, JacksonException.class})
  @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
  ProblemDetail unavailable() {
    return ProblemDetail.forStatusAndDetail(
        HttpStatus.SERVICE_UNAVAILABLE, "Solr gives no answer that can be used");
  }
}
