package restbench;

import io.jooby.Context;
import io.jooby.Jooby;
import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.info.Info;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import restbench.shared.Jackson;
import restbench.shared.Solr;

/** Documents from Solr. */
@OpenAPIDefinition(info = @Info(title = "restbench", version = "1.0.0"))
final class Registry extends Jooby {
  record Found(List<Document> docs) {}

  record SolrAnswer(Found response) {}

  private final Solr solr;

  Registry(Solr solr) {
    this.solr = solr;
    get("/json_serialization/typed", this::jsonSerialization);
    get("/anonymization/typed", this::anonymization);
  }

  @Operation(
      summary = "Documents of a type, as they are",
      parameters =
          @Parameter(
              name = "document_type",
              description = "The type of the documents to return",
              example = "1"))
  @ApiResponse(description = "The documents, in Solr's order")
  @ApiResponse(responseCode = "400", description = "The type is missing, or not an integer")
  @ApiResponse(responseCode = "503", description = "Solr does not answer")
  public CompletableFuture<List<Document>> jsonSerialization(Context ctx) {
    return documents(ctx.query("document_type").intValue());
  }

  @Operation(summary = "Documents with small numbers hidden")
  @ApiResponse(description = "The documents of type 1")
  @ApiResponse(responseCode = "503", description = "Solr does not answer")
  public CompletableFuture<List<Document>> anonymization(Context ctx) {
    return documents(1)
        .thenApply(documents -> documents.stream().map(Document::anonymized).toList());
  }

  private CompletableFuture<List<Document>> documents(int type) {
    return solr.select(type).thenApply(Registry::parsed);
  }

  private static List<Document> parsed(byte[] found) {
    try {
      return Jackson.MAPPER.readValue(found, SolrAnswer.class).response.docs;
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
