package io.feedline.formats.cli.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.feedline.formats.cli.CommandFixture;
import io.feedline.formats.image.dataset.FakeData;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.ImageStoreWriter;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The options --cache and --cache-size. */
class CacheOptionsTest extends CommandFixture {

  private final AtomicInteger gets = new AtomicInteger();

  @TempDir private Path directory;
  private HttpServer server;
  private byte[] archive;

  @BeforeEach
  void serveAnArchive() throws IOException {
    Path file = directory.resolve("images.zip");
    try (ImageDataset images = FakeData.builder(20).classes(2).imageSize(32, 32).build();
        ImageStoreWriter writer =
            StoreFormat.named("zip").create(file, Packing.of(images.classes(), images.size()))) {
      for (long i = 0; i < images.size(); i++) {
        writer.write(images.encoded(i));
      }
      writer.commit();
    }
    archive = Files.readAllBytes(file);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/images.zip", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestURI().getPath().equals("/images.zip")) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      exchange.getResponseHeaders().set("ETag", "\"v1\"");
      exchange.getResponseHeaders().set("Accept-Ranges", "bytes");
      if (exchange.getRequestMethod().equals("HEAD")) {
        exchange.getResponseHeaders().set("Content-Length", Integer.toString(archive.length));
        exchange.sendResponseHeaders(200, -1);
        return;
      }
      gets.incrementAndGet();
      String[] range =
          exchange.getRequestHeaders().getFirst("Range").substring("bytes=".length()).split("-", 2);
      int from = Integer.parseInt(range[0]);
      int to = Math.min(Integer.parseInt(range[1]), archive.length - 1);
      exchange
          .getResponseHeaders()
          .set("Content-Range", "bytes " + from + "-" + to + "/" + archive.length);
      exchange.sendResponseHeaders(206, to - from + 1);
      exchange.getResponseBody().write(archive, from, to - from + 1);
    }
  }

  private String uri() {
    return "http://%s:%s/images.zip"
        .formatted(
            server.getAddress().getAddress().getHostAddress(),
            Integer.toString(server.getAddress().getPort()));
  }

  @Test
  void shouldReadFromTheCacheWhatAnEarlierCommandHasRead() throws IOException {
    Path cache = directory.resolve("cache");
    String first = ok("verify", uri(), "--cache", cache, "--cache-size 4M");
    assertThat(first).contains("20 images").contains("all can be read and decoded");
    assertThat(gets).hasValue(1);
    ok("inspect", uri(), "--cache-size 4M --cache", cache);
    Path copy = directory.resolve("copy");
    ok("convert", uri(), copy, "--to imagefolder --cache-size 4M --cache", cache);
    assertThat(gets).hasValue(1);
    assertThat(copy).isDirectory();
    assertThat(ok("verify", uri())).isEqualTo(first);
    assertThat(gets).hasValueGreaterThan(1);
  }

  @Test
  void shouldTakeANumberOfConnections() throws IOException {
    Path cache = directory.resolve("cache");
    String first = ok("verify", uri());
    int before = gets.get();
    for (int i = 0; i < 2; i++) {
      assertThat(ok("verify", uri(), "--connections 1 --cache-size 4M --cache", cache))
          .isEqualTo(first);
    }
    assertThat(gets).hasValue(before + 1);
    assertThat(fails(ExitCode.USAGE, "verify", uri(), "--connections", "0"))
        .contains("--connections: connections must be 1 or more, was 0");
    Path local = Files.write(directory.resolve("local.zip"), archive);
    ok("verify", local, "--connections", "1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"inspect", "verify", "index", "doctor"})
  void shouldTakeACacheInEveryCommandThatReads(String command) {
    assertThat(fails(ExitCode.USAGE, command, uri(), "--cache", directory.resolve("cache")))
        .contains("--cache needs --cache-size: how much of the disk it may take");
    assertThat(fails(ExitCode.USAGE, command, uri(), "--cache-size", "2G"))
        .contains("--cache-size needs --cache DIR");
    assertThat(gets).hasValue(0);
  }

  @Test
  void shouldSayWhyACacheCannotBe() throws IOException {
    assertThat(fails(ExitCode.USAGE, "verify", uri(), "--cache", directory, "--cache-size", "1G"))
        .contains("--cache: " + directory.toRealPath() + " is not a cache of Feedline");
    Path notes = Files.writeString(directory.resolve("notes"), "...");
    assertThat(fails(ExitCode.USAGE, "verify", uri(), "--cache", notes, "--cache-size", "1G"))
        .contains("--cache: " + notes + " is a file, and a cache is a directory");
    Path file = directory.resolve("images.zip");
    assertThat(
            fails(
                ExitCode.USAGE,
                "verify",
                file,
                "--cache",
                directory.resolve("cache"),
                "--cache-size",
                "1G"))
        .contains("--cache: a cache is for data that is not on this machine")
        .contains(file.toString());
  }
}
