package io.feedline.formats.remote.internal.fs;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server on a port of its own, with a thread for each request. */
final class LocalServer implements AutoCloseable {

  static {
    // Or each answer waits for the client's acknowledgement of its first half, for 40 ms.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  LocalServer(HttpHandler handler) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException noPort) {
      throw new UncheckedIOException(noPort);
    }
    server.createContext("/", handler);
    server.setExecutor(threads);
    server.start();
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
