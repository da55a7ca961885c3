package io.feedline.formats.remote.internal.fs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server in front of another one: it hands requests and answers on, but for those that a fault
 * answers. So each store has the same faults, also one that is a process of its own.
 */
final class FaultyProxy implements AutoCloseable {

  /** Headers that belong to a connection. */
  private static final Set<String> OF_CONNECTIONS =
      Set.of("host", "connection", "content-length", "transfer-encoding", "expect", "upgrade");

  private final URI origin;
  private final HttpServer server;
  private final HttpClient client = HttpClient.newHttpClient();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger number = new AtomicInteger();
  private volatile StubStore.Fault fault = (exchange, each) -> false;

  FaultyProxy(URI origin) throws IOException {
    this.origin = origin;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  /** Returns the address of the origin's root, here. */
  URI endpoint() {
    return URI.create(
        "http://127.0.0.1:" + Integer.toString(server.getAddress().getPort()) + origin.getPath());
  }

  /** Sets what is done to the requests from now on, which are counted from 0 again. */
  void fault(StubStore.Fault other) {
    fault = other;
    number.set(0);
  }

  /** Returns how many requests came since the fault was set. */
  int asked() {
    return number.get();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (fault.answer(exchange, number.getAndIncrement())) {
        return;
      }
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
      exchange
          .getRequestHeaders()
          .forEach(
              (name, values) -> {
                if (!OF_CONNECTIONS.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                  values.forEach(value -> request.header(name, value));
                }
              });
      answer(exchange, client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray()));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static void answer(HttpExchange exchange, HttpResponse<byte[]> answer)
      throws IOException {
    answer
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (!OF_CONNECTIONS.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                exchange.getResponseHeaders().put(name, values);
              }
            });
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
    server.stop(0);
    threads.shutdownNow();
  }
}
