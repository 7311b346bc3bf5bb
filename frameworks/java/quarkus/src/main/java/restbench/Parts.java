package restbench;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** Thirty routes, each of which answers the integer of its path. The OpenAPI document has none. */
final class Parts {
  private Parts() {}

  abstract static class Get {
    @GET
    @Path("/{part}")
    @Operation(hidden = true)
    public Map<String, Integer> part(int part) {
      return Map.of("part", part);
    }
  }

  abstract static class Post {
    @POST
    @Path("/{part}")
    @Operation(hidden = true)
    public Map<String, Integer> part(int part) {
      return Map.of("part", part);
    }
  }

  abstract static class Put {
    @PUT
    @Path("/{part}")
    @Operation(hidden = true)
    public Map<String, Integer> part(int part) {
      return Map.of("part", part);
    }
  }

  @Path("/route-get-0")
  public static class Get0 extends Get {}

  @Path("/route-get-1")
  public static class Get1 extends Get {}

  @Path("/route-get-2")
  public static class Get2 extends Get {}

  @Path("/route-get-3")
  public static class Get3 extends Get {}

  @Path("/route-get-4")
  public static class Get4 extends Get {}

  @Path("/route-get-5")
  public static class Get5 extends Get {}

  @Path("/route-get-6")
  public static class Get6 extends Get {}

  @Path("/route-get-7")
  public static class Get7 extends Get {}

  @Path("/route-get-8")
  public static class Get8 extends Get {}

  @Path("/route-get-9")
  public static class Get9 extends Get {}

  @Path("/route-post-0")
  public static class Post0 extends Post {}

  @Path("/route-post-1")
  public static class Post1 extends Post {}

  @Path("/route-post-2")
  public static class Post2 extends Post {}

  @Path("/route-post-3")
  public static class Post3 extends Post {}

  @Path("/route-post-4")
  public static class Post4 extends Post {}

  @Path("/route-post-5")
  public static class Post5 extends Post {}

  @Path("/route-post-6")
  public static class Post6 extends Post {}

  @Path("/route-post-7")
  public static class Post7 extends Post {}

  @Path("/route-post-8")
  public static class Post8 extends Post {}

  @Path("/route-post-9")
  public static class Post9 extends Post {}

  @Path("/route-put-0")
  public static class Put0 extends Put {}

  @Path("/route-put-1")
  public static class Put1 extends Put {}

  @Path("/route-put-2")
  public static class Put2 extends Put {}

  @Path("/route-put-3")
  public static class Put3 extends Put {}

  @Path("/route-put-4")
  public static class Put4 extends Put {}

  @Path("/route-put-5")
  public static class Put5 extends Put {}

  @Path("/route-put-6")
  public static class Put6 extends Put {}

  @Path("/route-put-7")
  public static class Put7 extends Put {}

  @Path("/route-put-8")
  public static class Put8 extends Put {}

  @Path("/route-put-9")
  public static class Put9 extends Put {}
}
