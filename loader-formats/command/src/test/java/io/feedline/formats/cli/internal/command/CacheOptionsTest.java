package io.feedline.formats.cli.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.cli.CommandFixture;
import io.feedline.formats.image.dataset.FakeData;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.remote.internal.fs.StubStore;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The options --cache and --cache-size. */
class CacheOptionsTest extends CommandFixture {

  @TempDir private Path directory;
  private final StubStore server = new StubStore();
  private final String uri = server.endpoint() + "/bucket/images.zip";

  @BeforeEach
  void serveAnArchive() throws IOException {
    Path file = directory.resolve("images.zip");
    try (ImageDataset images = FakeData.builder(20).classes(2).imageSize(32, 32).build();
        StoreWriter<EncodedImage> writer =
            StoreFormat.named("zip").create(file, Packing.of(images.classes(), images.size()))) {
      for (long i = 0; i < images.size(); i++) {
        writer.write(images.encoded(i));
      }
      writer.commit();
    }
    server.put("images.zip", Files.readAllBytes(file));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void shouldReadFromTheCacheWhatAnEarlierCommandHasRead() {
    Path cache = directory.resolve("cache");
    String first = ok("verify", uri, "--cache-size 4M --cache", cache);
    assertThat(first).contains("20 images").contains("all can be read and decoded");
    int asked = server.asked();
    ok("inspect", uri, "--cache-size 4M --cache", cache);
    Path copy = directory.resolve("copy");
    ok("convert", uri, copy, "--to imagefolder --cache-size 4M --cache", cache);
    int each = asked - 1; // without the request for the content
    assertThat(server.asked()).isEqualTo(asked + 2 * each);
    assertThat(copy).isDirectory();
    assertThat(ok("verify", uri)).isEqualTo(first);
    assertThat(server.asked()).isGreaterThan(asked + 3 * each);
  }

  @Test
  void shouldTakeANumberOfConnections() {
    Path cache = directory.resolve("cache");
    String first = ok("verify", uri);
    int asked = server.asked();
    String options = "--connections 1 --cache-size 4M --cache";
    assertThat(ok("verify", uri, options, cache)).isEqualTo(first);
    int filled = server.asked() - asked;
    assertThat(ok("verify", uri, options, cache)).isEqualTo(first);
    assertThat(server.asked() - asked - filled).as("not for the content").isEqualTo(filled - 1);
    assertThat(fails(ExitCode.USAGE, "verify", uri, "--connections 0"))
        .contains("--connections: connections must be 1 or more, was 0");
    ok("verify", directory.resolve("images.zip"), "--connections 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"inspect", "verify", "index", "doctor"})
  void shouldTakeACacheInEveryCommandThatReads(String command) {
    assertThat(fails(ExitCode.USAGE, command, uri, "--cache", directory.resolve("cache")))
        .contains("--cache needs --cache-size: how much of the disk it may take");
    assertThat(fails(ExitCode.USAGE, command, uri, "--cache-size 2G"))
        .contains("--cache-size needs --cache DIR");
    assertThat(server.asked()).isZero();
  }

  @Test
  void shouldSayWhyACacheCannotBe() throws IOException {
    assertThat(fails(ExitCode.USAGE, "verify", uri, "--cache", directory, "--cache-size 1G"))
        .contains("--cache: " + directory.toRealPath() + " is not a cache of Feedline");
    Path notes = Files.writeString(directory.resolve("notes"), "...");
    assertThat(fails(ExitCode.USAGE, "verify", uri, "--cache", notes, "--cache-size 1G"))
        .contains("--cache: " + notes + " is a file, and a cache is a directory");
    Path file = directory.resolve("images.zip");
    assertThat(
            fails(
                ExitCode.USAGE,
                "verify",
                file,
                "--cache",
                directory.resolve("cache"),
                "--cache-size 1G"))
        .contains("--cache: a cache is for data that is not on this machine")
        .contains(file.toString());
  }
}
