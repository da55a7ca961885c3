package io.feedline.formats.remote.internal.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.RemoteFileSystem;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files whose addresses are signed for GET: presigned ones of S3, and others with a query. */
@Timeout(60)
class SignedAddressTest {

  private static final String SIGNATURE = "X-Amz-Expires=9&X-Amz-Signature=MARKER%2Fsignature";

  private final byte[] bytes = new byte[5000];
  @TempDir private Path disk;
  @AutoClose private final LocalServer server = new LocalServer(this::answer);

  @BeforeEach
  void fill() {
    new Random(1).nextBytes(bytes);
  }

  /** Answers GET of what is signed alone, as S3 does. */
  private void answer(HttpExchange exchange) throws IOException {
    String query = String.valueOf(exchange.getRequestURI().getRawQuery());
    boolean signed = query.contains(SIGNATURE) && exchange.getRequestMethod().equals("GET");
    boolean empty = exchange.getRequestURI().getPath().endsWith("empty");
    if (!signed) {
      StubStore.refuse(exchange, 403, "AccessDenied");
    } else if (empty) {
      StubStore.send(exchange, 416, "", "Content-Range", "bytes */0");
    } else {
      exchange.getResponseHeaders().add("ETag", "\"v1\"");
      StubStore.ranged(exchange, bytes, exchange.getRequestHeaders().getFirst("Range"));
    }
  }

  private URI uri(String file, String query) {
    return URI.create(server.endpoint() + "/" + file + "?" + query);
  }

  @Test
  void shouldReadAFileByItsSignedAddress() throws IOException {
    Path path = Path.of(uri("a/b.tar", SIGNATURE));

    assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
    assertThat(path.getFileName()).hasToString("b.tar");
    assertThat(path + " " + path.toUri() + " " + path.getFileSystem()).doesNotContain("MARKER");
    assertThat(Files.exists(path.resolveSibling("b.tar.index"))).isFalse();
    assertThatThrownBy(() -> Files.size(path.resolveSibling("c.tar")))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(server.requests())
        .allMatch(each -> (each.method() + each.uri()).startsWith("GET/a/b.tar?" + SIGNATURE));
    assertThat(Files.size(Path.of(uri("empty", SIGNATURE)))).isZero();
  }

  @Test
  void shouldTakeAddressesWithOtherQueriesForOtherFiles() throws IOException {
    Path one = Path.of(uri("a", "file=1&" + SIGNATURE));
    Path two = Path.of(uri("a", "file=2&" + SIGNATURE));

    assertThat(Files.size(one)).isEqualTo(5000);
    assertThat(Files.size(two)).isEqualTo(5000);
    assertThat(one).isNotEqualTo(two);
    assertThat(server.requests())
        .anyMatch(each -> each.uri().getQuery().contains("file=1"))
        .anyMatch(each -> each.uri().getQuery().contains("file=2"));
  }

  @Test
  void shouldFindInTheCacheWhatHasAnotherSignature() throws IOException {
    DiskCache cache = DiskCache.at(disk.resolve("cache")).cacheBytes(1 << 20).build();
    String[] queries = {
      "file=1&" + SIGNATURE, SIGNATURE + "&X-Amz-Date=later&file=1", "file=2&" + SIGNATURE
    };
    for (String query : queries) {
      Path cached = cache.inFrontOf(Path.of(uri("a.bin", query)));
      try (FileSystem through = cached.getFileSystem()) {
        assertThat(through.isOpen()).isTrue();
        assertThat(Files.readAllBytes(cached)).isEqualTo(bytes);
      }
    }
    try (Stream<Path> entries = Files.list(disk.resolve("cache"))) {
      assertThat(entries.map(Path::toString).filter(each -> each.endsWith(".line"))).hasSize(2);
    }
  }

  @Test
  void shouldSayThatASignatureMayHaveExpired() {
    Path path = Path.of(uri("a", "X-Amz-Signature=MARKERold"));

    assertThatThrownBy(() -> Files.size(path))
        .hasMessageContainingAll("/a: the server refuses, status 403", "may have expired")
        .hasMessageNotContaining("MARKER");
  }

  @Test
  void shouldReadNoQueryOfABucket() {
    assertThatThrownBy(() -> Path.of(URI.create("s3://bucket/a?X-Amz-Signature=MARKER")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("MARKER");
    assertThatThrownBy(() -> RemoteFileSystem.http(uri("", SIGNATURE)).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("MARKER");
  }
}
