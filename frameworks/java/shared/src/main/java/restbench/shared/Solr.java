package restbench.shared;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A client of Solr with a pool of connections that are kept alive. */
public final class Solr {
  /** An app has 2 s to say that Solr does not answer. This is shorter. */
  private static final long TIMEOUT_MS = 1500;

  /** The URL that gives the documents of a type, with their children nested. The type is appended. */
  private static final String SELECT =
      Environment.SOLR_URL
          + "/select?q="
          + encoded("*:*")
          + "&rows=100&fl="
          + encoded(
              "id,document_type,int_array,string_array,child_objects,name,number,[child limit=10]")
          + "&fq="
          + encoded("document_type:");

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .executor(Waiting.THREADS)
          .build();

  /** Returns Solr's JSON: {"response": {"docs": […], …}, …}. Fails with SolrUnavailable. */
  public CompletableFuture<byte[]> select(int documentType) {
    // a bare minus sign is an operator of Solr's query language
    var type = Integer.toString(documentType).replace("-", "\\-");
    var request = HttpRequest.newBuilder(URI.create(SELECT + encoded(type))).build();
    var answer = client.sendAsync(request, BodyHandlers.ofByteArray());
    return answer
        .copy()
        .orTimeout(TIMEOUT_MS, TimeUnit.MILLISECONDS)
        .whenComplete((got, error) -> answer.cancel(true)) // ends a request that still waits
        .handle(Solr::body);
  }

  private static byte[] body(HttpResponse<byte[]> answer, Throwable error) {
    if (error != null) {
      throw new SolrUnavailable(error);
    }
    if (answer.statusCode() != 200) {
      throw new SolrUnavailable(answer.statusCode());
    }
    return answer.body();
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
