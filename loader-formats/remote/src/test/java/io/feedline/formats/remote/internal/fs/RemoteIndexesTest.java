package io.feedline.formats.remote.internal.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedline.formats.image.Fixtures;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shards that are not on this machine are scanned once. */
@Execution(ExecutionMode.SAME_THREAD)
class RemoteIndexesTest {

  private static final String DIRECTORY = "feedline.indexes";
  private static final int IMAGES = 40;
  private static final long IMAGE_BYTES = 200_000;

  @TempDir private Path disk;
  private String before;
  @AutoClose private final StubStore stub = new StubStore();

  @BeforeEach
  void start() {
    before = System.getProperty(DIRECTORY);
    System.setProperty(DIRECTORY, disk.resolve("indexes").toString());
  }

  @AfterEach
  void stop() {
    if (before == null) {
      System.clearProperty(DIRECTORY);
    } else {
      System.setProperty(DIRECTORY, before);
    }
  }

  private Path packed(String format, String name, int shift) throws IOException {
    Path made = disk.resolve(name);
    byte[] jpeg = Fixtures.bytes("jpeg_444.jpg");
    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named(format).create(made, Packing.of(List.of("ant"), IMAGES))) {
      for (int i = 0; i < IMAGES; i++) {
        // Of different lengths, which are the same in all.
        int more = (int) IMAGE_BYTES + 1000 * ((i + shift) % IMAGES);
        byte[] bytes = Arrays.copyOf(jpeg, jpeg.length + more);
        bytes[bytes.length - 1] = (byte) i;
        writer.write(new EncodedImage("%04d".formatted(i), bytes, 0, "jpg"));
      }
      writer.commit();
    }
    return made;
  }

  /** Opens the bucket's data and returns its images, and what opening it has brought. */
  private Opened open(String format) throws IOException {
    stub.forgetRequests();
    try (ObjectFileSystem files = stub.open();
        ImageStore store =
            StoreFormat.named(format).open(files.getPath("/data"), StoreOptions.NONE)) {
      long ranges = stub.requests().stream().filter(each -> each.path().contains("data-0")).count();
      List<byte[]> images = new ArrayList<>();
      for (int i = 0; i < IMAGES; i++) {
        images.add(store.read(i).bytes());
      }
      return new Opened(ranges, images);
    }
  }

  private record Opened(long requestsOfShards, List<byte[]> images) {
    void assertSameAs(ImageStore local) throws IOException {
      for (int i = 0; i < IMAGES; i++) {
        assertThat(images.get(i)).isEqualTo(local.read(i).bytes());
      }
    }
  }

  @Test
  void shouldKeepIndexesWhereNobodyElseCanRead() throws IOException {
    assumeTrue(disk.getFileSystem().supportedFileAttributeViews().contains("posix"));
    stub.putAll(packed("webdataset", "local", 0), "data/");
    open("webdataset");
    assertThat(Files.getPosixFilePermissions(disk.resolve("indexes")))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"webdataset", "tfrecord"})
  void shouldScanAShardOnceInAllRuns(String format) throws IOException {
    Path local = packed(format, "local", 0);
    stub.putAll(local, "data/");
    Opened first = open(format);
    List<Path> kept;
    try (Stream<Path> files = Files.list(disk.resolve("indexes"))) {
      kept = files.toList();
    }

    Opened second = open(format);

    assertThat(first.requestsOfShards).isPositive();
    assertThat(second.requestsOfShards).as("of a shard whose index is kept").isZero();
    assertThat(kept).hasSize(1);
    long size = Files.size(kept.get(0));
    assertThat(size).isEqualTo(48 + 8 * (IMAGES + 1));
    assertThat(second.images).usingElementComparator(Arrays::compare).isEqualTo(first.images);
    try (ImageStore here = StoreFormat.named(format).open(local, StoreOptions.NONE)) {
      second.assertSameAs(here);
    }
  }

  @Test
  void shouldUseAnIndexThatWasCopiedWithItsShard() throws IOException {
    Path local = packed("webdataset", "local", 0);
    try (ImageStore here = StoreFormat.named("webdataset").open(local, StoreOptions.NONE)) {
      assertThat(local.resolve(".data-000000.tar.feedline-index")).exists();
      stub.putAll(local, "data/");

      Opened opened = open("webdataset");

      opened.assertSameAs(here);
      assertThat(opened.requestsOfShards).isLessThanOrEqualTo(6);
      assertThat(open("webdataset").requestsOfShards).isZero();
    }
  }

  @Test
  void shouldNotUseTheIndexOfAnotherShardOfTheSameSize() throws IOException {
    Path local = packed("webdataset", "local", 0);
    Path other = packed("webdataset", "other", 3);
    String shard = "data-000000.tar";
    assertThat(Files.size(other.resolve(shard))).isEqualTo(Files.size(local.resolve(shard)));
    try (ImageStore indexed = StoreFormat.named("webdataset").open(local, StoreOptions.NONE);
        ImageStore here = StoreFormat.named("webdataset").open(other, StoreOptions.NONE)) {
      assertThat(indexed.size()).isEqualTo(here.size());
      String index = "." + shard + ".feedline-index";
      stub.putAll(other, "data/").put("data/" + index, Files.readAllBytes(local.resolve(index)));

      open("webdataset").assertSameAs(here);
    }
  }

  @Test
  void shouldScanAgainWhenTheShardHasChanged() throws IOException {
    stub.putAll(packed("webdataset", "local", 0), "data/");
    open("webdataset");
    Path other = packed("webdataset", "other", 3);
    stub.putAll(other, "data/");

    Opened opened = open("webdataset");

    try (ImageStore here = StoreFormat.named("webdataset").open(other, StoreOptions.NONE)) {
      opened.assertSameAs(here);
    }
  }
}
