package restbench;

import static io.javalin.apibuilder.ApiBuilder.get;

import io.javalin.apibuilder.EndpointGroup;
import io.javalin.http.Context;
import io.javalin.openapi.OpenApi;
import io.javalin.openapi.OpenApiContent;
import io.javalin.openapi.OpenApiParam;
import io.javalin.openapi.OpenApiResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import restbench.shared.Jackson;
import restbench.shared.Solr;

/** Documents from Solr. */
final class Registry implements EndpointGroup {
  record Found(List<Document> docs) {}

  record SolrAnswer(Found response) {}

  private final Solr solr;

  Registry(Solr solr) {
    this.solr = solr;
  }

  @Override
  public void addEndpoints() {
    get("/json_serialization/typed", this::jsonSerialization);
    get("/anonymization/typed", this::anonymization);
  }

  @OpenApi(
      path = "/json_serialization/typed",
      summary = "Documents of a type, as they are",
      queryParams =
          @OpenApiParam(
              name = "document_type",
              type = Integer.class,
              description = "The type of the documents to return",
              required = true,
              example = "1"),
      responses = {
        @OpenApiResponse(
            status = "200",
            description = "The documents, in Solr's order",
            content = @OpenApiContent(from = Document[].class)),
        @OpenApiResponse(status = "400", description = "The type is missing, or not an integer"),
        @OpenApiResponse(status = "503", description = "Solr does not answer")
      })
  private void jsonSerialization(Context ctx) {
    int type =
        ctx.queryParamAsClass("document_type", Integer.class)
            .check(first -> ctx.queryParams("document_type").size() < 2, "REPEATED")
            .get();
    ctx.future(() -> documents(type).thenAccept(ctx::json));
  }

  @OpenApi(
      path = "/anonymization/typed",
      summary = "Documents with small numbers hidden",
      responses = {
        @OpenApiResponse(
            status = "200",
            description = "The documents of type 1",
            content = @OpenApiContent(from = Document[].class)),
        @OpenApiResponse(status = "503", description = "Solr does not answer")
      })
  private void anonymization(Context ctx) {
    ctx.future(
        () ->
            documents(1)
                .thenAccept(found -> ctx.json(found.stream().map(Document::anonymized).toList())));
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
