package restbench;

import static io.vertx.ext.web.validation.builder.Parameters.explodedParam;
import static io.vertx.json.schema.common.dsl.Keywords.maxItems;
import static io.vertx.json.schema.common.dsl.Keywords.maximum;
import static io.vertx.json.schema.common.dsl.Keywords.minimum;
import static io.vertx.json.schema.common.dsl.Schemas.arraySchema;
import static io.vertx.json.schema.common.dsl.Schemas.intSchema;
import static restbench.Answers.after;

import io.vertx.core.Future;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.validation.RequestParameters;
import io.vertx.ext.web.validation.ValidationHandler;
import io.vertx.ext.web.validation.builder.ValidationHandlerBuilder;
import io.vertx.json.schema.SchemaRepository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import restbench.shared.Jackson;
import restbench.shared.Solr;

/** Documents from Solr. */
final class Registry {
  record Found(List<Document> docs) {}

  record SolrAnswer(Found response) {}

  private final Solr solr;

  Registry(Solr solr) {
    this.solr = solr;
  }

  void addRoutes(Router router, SchemaRepository schemas) {
    var integer = intSchema().with(minimum(Integer.MIN_VALUE), maximum(Integer.MAX_VALUE));
    var validation =
        ValidationHandlerBuilder.create(schemas)
            .queryParameter(
                explodedParam("document_type", arraySchema().items(integer).with(maxItems(1))))
            .build();
    router.get("/json_serialization/typed").handler(validation).respond(this::jsonSerialization);
    router.get("/anonymization/typed").respond(this::anonymization);
  }

  private Future<List<Document>> jsonSerialization(RoutingContext ctx) {
    RequestParameters parameters = ctx.get(ValidationHandler.REQUEST_CONTEXT_KEY);
    return documents(ctx, parameters.queryParameter("document_type").getJsonArray().getInteger(0));
  }

  private Future<List<Document>> anonymization(RoutingContext ctx) {
    return documents(ctx, 1)
        .map(documents -> documents.stream().map(Document::anonymized).toList());
  }

  private Future<List<Document>> documents(RoutingContext ctx, int type) {
    return after(ctx, solr.select(type)).map(Registry::parsed);
  }

  private static List<Document> parsed(byte[] found) {
    try {
      return Jackson.MAPPER.readValue(found, SolrAnswer.class).response.docs;
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
