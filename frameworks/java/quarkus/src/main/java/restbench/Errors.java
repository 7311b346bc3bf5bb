package restbench;

import static org.jboss.resteasy.reactive.RestResponse.Status.SERVICE_UNAVAILABLE;

import java.util.concurrent.CompletionException;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jboss.resteasy.reactive.server.UnwrapException;
import restbench.shared.SolrUnavailable;

/** Answers to errors. A stage that fails wraps its error in a CompletionException. */
@UnwrapException(CompletionException.class)
public class Errors {
  @ServerExceptionMapper
  public RestResponse<Void> solrUnavailable(SolrUnavailable error) {
    return RestResponse.status(SERVICE_UNAVAILABLE);
  }
}
