package io.feedline.formats.remote.internal.fs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A server on a port of its own, with a thread for each request. */
final class LocalServer implements AutoCloseable {

  static {
    // Or each answer waits for the client's acknowledgement of its first half, for 40 ms.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final ConcurrentLinkedDeque<StubStore.Request> requests = new ConcurrentLinkedDeque<>();
  private final AtomicInteger number = new AtomicInteger();
  private volatile StubStore.Fault fault = (exchange, each) -> false;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpHandler handler;
  private final HttpServer server;

  LocalServer(HttpHandler handler) {
    this.handler = handler;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException noPort) {
      throw new UncheckedIOException(noPort);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Map<String, List<String>> headers = new HashMap<>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values));
      requests.add(
          new StubStore.Request(exchange.getRequestMethod(), exchange.getRequestURI(), headers));
      if (!fault.answer(exchange, number.getAndIncrement())) {
        handler.handle(exchange);
      }
    }
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** Sets what is done to the requests from now on, which are counted from 0 again. */
  void fault(StubStore.Fault other) {
    number.set(0);
    fault = other;
  }

  /** Returns how many requests came since the fault was set. */
  int asked() {
    return number.get();
  }

  List<StubStore.Request> requests() {
    return List.copyOf(requests);
  }

  void forgetRequests() {
    requests.clear();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
