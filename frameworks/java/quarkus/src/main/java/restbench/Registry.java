package restbench;

import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jboss.resteasy.reactive.RestQuery;
import restbench.shared.Jackson;
import restbench.shared.Solr;

/** Documents from Solr. */
@Path("/")
public class Registry {
  record Found(List<Document> docs) {}

  record SolrAnswer(Found response) {}

  private final Solr solr;

  Registry(Solr solr) {
    this.solr = solr;
  }

  @GET
  @Path("/json_serialization/typed")
  @Operation(summary = "Documents of a type, as they are")
  @APIResponse(responseCode = "200", description = "The documents, in Solr's order")
  @APIResponse(responseCode = "400", description = "The type is missing, or given more than once")
  @APIResponse(responseCode = "404", description = "The type is not an integer")
  @APIResponse(responseCode = "503", description = "Solr does not answer")
  public CompletionStage<List<Document>> jsonSerialization(
      @Parameter(description = "The type of the documents to return", example = "1")
          @RestQuery("document_type")
          @NotNull
          Integer type,
      UriInfo uri) {
    if (uri.getQueryParameters().get("document_type").size() > 1) {
      throw new BadRequestException("document_type is given more than once");
    }
    return documents(type);
  }

  @GET
  @Path("/anonymization/typed")
  @Operation(summary = "Documents with small numbers hidden")
  @APIResponse(responseCode = "200", description = "The documents of type 1")
  @APIResponse(responseCode = "503", description = "Solr does not answer")
  public CompletionStage<List<Document>> anonymization() {
    return documents(1)
        .thenApply(documents -> documents.stream().map(Document::anonymized).toList());
  }

  private CompletionStage<List<Document>> documents(int type) {
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
