package restbench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import restbench.shared.Environment;

/**
 * Step 3: write this as the framework's own documentation would. Until then it uses the JDK's own
 * server, and answers only GET /hello_world.
 */
public final class App {
  private static final byte[] HELLO = "Hello World".getBytes(UTF_8);
  private static final int NO_BODY = -1;

  private App() {}

  public static void main(String[] args) throws IOException {
    // without this, an answer waits for the client's delayed acknowledgement
    System.setProperty("sun.net.httpserver.nodelay", "true");
    var server = HttpServer.create(new InetSocketAddress(Environment.PORT), 0);
    server.setExecutor(Executors.newFixedThreadPool(Environment.WORKERS));
    server.createContext("/", App::answer);
    server.start();
  }

  private static void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestURI().getPath().equals("/hello_world")) {
        exchange.sendResponseHeaders(404, NO_BODY);
      } else if (!exchange.getRequestMethod().equals("GET")) {
        exchange.sendResponseHeaders(405, NO_BODY);
      } else {
        exchange.getResponseHeaders().set("content-type", "text/plain; charset=utf-8");
        exchange.sendResponseHeaders(200, HELLO.length);
        exchange.getResponseBody().write(HELLO);
      }
    }
  }
}
