package restbench;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.http.hateoas.JsonError;
import io.micronaut.json.JsonMapper;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import restbench.shared.Solr;
import restbench.shared.SolrUnavailable;

/** Documents from Solr. */
@Controller
class Registry {
  record Found(List<Document> docs) {}

  record SolrAnswer(Found response) {}

  private static final String NO_ANSWER = "Solr gives no answer that can be used";

  private final Solr solr;
  private final JsonMapper mapper;

  Registry(Solr solr, JsonMapper mapper) {
    this.solr = solr;
    this.mapper = mapper;
  }

  @Get("/json_serialization/typed")
  @Operation(summary = "Documents of a type, as they are")
  @ApiResponse(responseCode = "200", description = "The documents, in Solr's order")
  @ApiResponse(responseCode = "400", description = "The type is missing, or not an integer")
  @ApiResponse(responseCode = "503", description = NO_ANSWER)
  CompletableFuture<List<Document>> jsonSerialization(
      @QueryValue("document_type")
          @Parameter(description = "The type of the documents to return", example = "1")
          int documentType) {
    return documents(documentType);
  }

  @Get("/anonymization/typed")
  @Operation(summary = "Documents with small numbers hidden")
  @ApiResponse(responseCode = "200", description = "The documents of type 1")
  @ApiResponse(responseCode = "503", description = NO_ANSWER)
  CompletableFuture<List<Document>> anonymization() {
    return documents(1)
        .thenApply(documents -> documents.stream().map(Document::anonymized).toList());
  }

  private CompletableFuture<List<Document>> documents(int type) {
    return solr.select(type).thenApply(this::parsed);
  }

  private List<Document> parsed(byte[] found) {
    try {
      return mapper.readValue(found, SolrAnswer.class).response.docs;
    } catch (IOException error) {
      throw new HttpStatusException(HttpStatus.SERVICE_UNAVAILABLE, NO_ANSWER);
    }
  }

  @Error(SolrUnavailable.class)
  @Status(HttpStatus.SERVICE_UNAVAILABLE)
  JsonError unavailable() {
    return new JsonError(NO_ANSWER);
  }
}
