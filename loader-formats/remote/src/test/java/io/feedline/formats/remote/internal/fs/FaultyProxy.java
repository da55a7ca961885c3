package io.feedline.formats.remote.internal.fs;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * A server in front of another one: it hands requests and answers on, but for those that a fault
 * answers. So each store has the same faults, also one that is a process of its own.
 */
final class FaultyProxy implements AutoCloseable {

  private static final Set<String> OF_CONNECTIONS =
      Set.of("host", "connection", "content-length", "transfer-encoding", "expect", "upgrade");

  private final URI origin;
  private final HttpClient client = HttpClient.newHttpClient();

  private final LocalServer server = new LocalServer(this::handle);

  FaultyProxy(URI origin) {
    this.origin = origin;
  }

  URI endpoint() {
    return URI.create(server.endpoint() + origin.getPath());
  }

  void fault(StubStore.Fault other) {
    server.fault(other);
  }

  int asked() {
    return server.asked();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try {
      byte[] body = exchange.getRequestBody().readAllBytes();
      URI asked = exchange.getRequestURI();
      String query = asked.getRawQuery() == null ? "" : "?" + asked.getRawQuery();
      HttpRequest.Builder request =
          HttpRequest.newBuilder(
                  URI.create("http://" + origin.getAuthority() + asked.getRawPath() + query))
              .method(
                  exchange.getRequestMethod(),
                  body.length == 0
                      ? HttpRequest.BodyPublishers.noBody()
                      : HttpRequest.BodyPublishers.ofByteArray(body));
      forEachOther(
          exchange.getRequestHeaders(),
          (name, values) -> values.forEach(value -> request.header(name, value)));
      answer(exchange, client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray()));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static void forEachOther(
      Map<String, List<String>> headers, BiConsumer<String, List<String>> taker) {
    headers.forEach(
        (name, values) -> {
          if (!OF_CONNECTIONS.contains(name.toLowerCase(Locale.ROOT))) {
            taker.accept(name, values);
          }
        });
  }

  private static void answer(HttpExchange exchange, HttpResponse<byte[]> answer)
      throws IOException {
    forEachOther(answer.headers().map(), exchange.getResponseHeaders()::put);
    if (exchange.getRequestMethod().equals("HEAD")) {
      answer
          .headers()
          .firstValue("Content-Length")
          .ifPresent(length -> exchange.getResponseHeaders().set("Content-Length", length));
    }
    exchange.sendResponseHeaders(
        answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
    exchange.getResponseBody().write(answer.body());
  }

  @Override
  public void close() {
    server.close();
  }
}
