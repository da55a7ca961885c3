package io.feedline.formats.remote.internal.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The faults of a network in front of each kind of server. */
@ParameterizedClass(name = "{0}")
@EnumSource(
    value = S3Server.Kind.class,
    names = {"STUB", "GOOGLE", "AZURITE"})
@Timeout(240)
@Tag("once")
class EveryServerFaultsTest extends ServerContract {

  private static final int IMAGES = ServerChild.IMAGES;
  private static int directories;

  @TempDir private Path disk;
  private FaultyProxy proxy;
  private String directory;

  @BeforeEach
  void stand() throws IOException {
    proxy = new FaultyProxy(server().endpoint());
    directory = "faults" + directories++;
  }

  @AfterEach
  void stopProxy() {
    if (proxy != null) { // where there is no such server
      proxy.close();
    }
  }

  /**
   * Requests are refused at the opening and in the middle of an epoch, as a store does that is
   * asked too often.
   */
  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void shouldReadAnEpochThatIsThrottled(int status) throws Exception {
    Path local = disk.resolve("mds");
    ServerChild.write(local);
    server().putAll(local, directory + "/");
    Set<String> refused = ConcurrentHashMap.newKeySet();
    proxy.fault(
        (exchange, number) ->
            refused.add(
                    exchange.getRequestMethod()
                        + exchange.getRequestURI()
                        + exchange.getRequestHeaders().getFirst("Range"))
                && StubStore.send(exchange, status, "", "Retry-After", "1"));
    try (ObjectFileSystem files = server().files(proxy.endpoint());
        ImageDataset images = ImageDataset.open(files.getPath("/" + directory))) {
      for (int epoch = 0; epoch < 2; epoch++) {
        List<Long> read = new ArrayList<>();
        refused.clear();
        try (DataLoader<Long> loader =
            DataLoader.builder(images.map(sample -> (long) sample.image().width()))
                .batchSize(7)
                .numWorkers(3)
                .build()) {
          for (Batch batch : loader) {
            try (batch) {
              for (long index : batch.indices()) {
                read.add(index);
              }
            }
          }
        }
        assertThat(read).isEqualTo(IntStream.range(0, IMAGES).mapToObj(Long::valueOf).toList());
        // The second epoch may find all that it reads in memory.
        assertThat(refused.size() + epoch).isPositive();
      }
    }
  }

  /** A server that refuses all from some request on leaves what a killed process does. */
  @Test
  void shouldContinueAfterAKillAtAnyRequest() throws Exception {
    Path local = disk.resolve("mds");
    ServerChild.write(local);
    Throwable killed;
    int runs = 0;
    do {
      String target = "/" + directory + "/" + runs;
      int requests = ++runs;
      proxy.fault(
          (exchange, number) -> number >= requests && StubStore.refuse(exchange, 403, "Gone"));
      try (ObjectFileSystem files = server().files(proxy.endpoint())) {
        killed = catchThrowable(() -> ServerChild.write(files.getPath(target)));
      }
      try (ObjectFileSystem files = server().files()) {
        if (killed != null) {
          assertThat(killed).isInstanceOf(IOException.class);
          assertThatThrownBy(() -> ImageDataset.open(files.getPath(target)))
              .as("killed at request " + requests)
              .isInstanceOf(IOException.class);
          ServerChild.write(files.getPath(target));
        }
        assertSame(files.getPath(target), local);
      }
    } while (killed != null);
    assertThat(runs).isBetween(8, 60);
  }

  /** A process is killed while it waits for an answer; another one continues. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 7})
  void shouldContinueWhatAKilledProcessHasPacked(int request) throws Exception {
    Path local = disk.resolve("mds");
    ServerChild.write(local);
    String target = "/" + directory;
    ServerChild.kill(proxy, kind(), target, disk, request);
    try (ObjectFileSystem files = server().files()) {
      assertThatThrownBy(() -> ImageDataset.open(files.getPath(target)))
          .isInstanceOf(IOException.class);
      ServerChild.write(files.getPath(target));
      assertSame(files.getPath(target), local);
    }
  }

  private static void assertSame(Path there, Path here) throws IOException {
    try (ImageStore remote = StoreFormat.named("mds").open(there, StoreOptions.NONE);
        ImageStore local = StoreFormat.named("mds").open(here, StoreOptions.NONE);
        Stream<Path> files = Files.list(there);
        Stream<Path> expected = Files.list(here)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              expected.map(each -> each.getFileName().toString()).toList());
      assertThat(remote.size()).isEqualTo(IMAGES);
      for (int i = 0; i < IMAGES; i++) {
        assertThat(remote.read(i).bytes()).isEqualTo(local.read(i).bytes());
        assertThat(remote.read(i).label()).isEqualTo(local.read(i).label());
      }
    }
  }

  @Test
  void shouldSayThatARequestIsRefusedForGood() throws Exception {
    server().put(directory + "/a.bin", new byte[10]);
    for (int status : List.of(403, 500)) {
      proxy.fault((exchange, number) -> StubStore.refuse(exchange, status, "Gone"));
      try (ObjectFileSystem files = server().files(proxy.endpoint())) {
        URI uri = files.getPath("/" + directory + "/a.bin").toUri();
        assertThatThrownBy(() -> Files.readAllBytes(files.getPath("/" + directory + "/a.bin")))
            .isInstanceOf(IOException.class)
            .hasMessageContainingAll(uri.toString(), "status " + status);
        if (status == 403) {
          assertThat(proxy.asked()).as("once more with new credentials").isLessThanOrEqualTo(2);
        }
      }
    }
  }
}
