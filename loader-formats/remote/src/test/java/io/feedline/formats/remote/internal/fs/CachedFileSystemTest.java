package io.feedline.formats.remote.internal.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.RemoteFileSystem.ObjectChangedException;
import java.io.IOException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cache in front of the paths of a bucket. */
class CachedFileSystemTest {

  @TempDir private Path disk;
  @AutoClose private final StubStore stub = new StubStore();

  @BeforeEach
  void start() throws IOException {
    Path local = disk.resolve("train");
    for (int i = 0; i < 6; i++) {
      Path file = local.resolve(i < 3 ? "ant" : "bee").resolve(i + ".jpg");
      Files.createDirectories(file.getParent());
      Files.write(file, Fixtures.bytes("jpeg_444.jpg"));
    }
    stub.putAll(local, "train/");
  }

  private DiskCache cache() {
    return DiskCache.at(disk.resolve("cache")).cacheBytes(1 << 24).build();
  }

  private static List<byte[]> epoch(Path path) throws IOException {
    List<byte[]> images = new ArrayList<>();
    try (ImageDataset dataset = ImageDataset.open(path)) {
      for (long i = 0; i < dataset.size(); i++) {
        images.add(dataset.encoded(i).bytes());
      }
    }
    return images;
  }

  private long gets() {
    return stub.requests().stream()
        .filter(each -> each.method().equals("GET") && each.path().endsWith(".jpg"))
        .count();
  }

  @Test
  void shouldReadTheSameObjectsOverConnectionsOfItsOwn() throws IOException {
    try (ObjectFileSystem files = stub.open()) {
      Path train = files.getPath("train");
      List<byte[]> expected = epoch(train);
      try (ObjectFileSystem few =
          (ObjectFileSystem) files.provider().newFileSystem(train, Map.of("connections", "3"))) {
        assertThat(few.objects().requests().limit()).isEqualTo(3);
        assertThat(epoch(few.getPath(train.toString()))).containsExactlyElementsOf(expected);
      }
      assertThat(files.objects().requests().limit()).isEqualTo(16);
      assertThat(epoch(train)).containsExactlyElementsOf(expected);
    }
  }

  @Test
  void shouldReadAnImageFromTheBucketOnceInAllRuns() throws Exception {
    try (ObjectFileSystem files = stub.open()) {
      List<byte[]> expected = epoch(files.getPath("train"));
      assertThat(gets()).isEqualTo(6);
      for (int run = 0; run < 3; run++) {
        Path cached = cache().inFrontOf(files.getPath("train"));
        assertThat(cached.toUri()).isEqualTo(files.getPath("train").toUri());
        for (int epoch = 0; epoch < 2; epoch++) {
          assertThat(epoch(cached))
              .usingElementComparator(java.util.Arrays::compare)
              .isEqualTo(expected);
        }
        cached.getFileSystem().close();
        assertThatThrownBy(() -> Files.size(cached)).isInstanceOf(ClosedFileSystemException.class);
      }
      assertThat(gets()).isEqualTo(12);
      assertThat(epoch(files.getPath("train"))).hasSize(6);
    }
    try (Stream<Path> kept = Files.list(disk.resolve("cache"))) {
      assertThat(kept.map(each -> each.getFileName().toString()))
          .as("names without any part of a key")
          .hasSize(6 + 1)
          .allMatch(name -> name.matches("[0-9a-f]{32}\\.line|feedline-cache"));
    }
  }

  @Test
  void shouldKeepNothingOfAReplacedObject() throws IOException {
    stub.ignoringIfMatch().put("one", new byte[1000]);
    try (ObjectFileSystem files = stub.open()) {
      Path cached = cache().inFrontOf(files.getPath("one"));
      assertThat(Files.size(cached)).isEqualTo(1000);
      stub.put("one", new byte[1001]).put("one", new byte[1000]);
      assertThatThrownBy(() -> Files.readAllBytes(cached))
          .isInstanceOf(ObjectChangedException.class);
      cached.getFileSystem().close();
    }
    try (Stream<Path> kept = Files.list(disk.resolve("cache"))) {
      assertThat(kept.map(each -> each.getFileName().toString())).containsExactly("feedline-cache");
    }
  }

  @Test
  void shouldTellTwoServersApartThatHaveTheSameKeySizeAndVersion() throws IOException {
    byte[] here = {1, 2, 3};
    byte[] there = {4, 5, 6};
    try (StubStore one = new StubStore().put("same", here);
        StubStore other = new StubStore().put("same", there);
        ObjectFileSystem oneFiles = one.open();
        ObjectFileSystem otherFiles = other.open()) {
      Path cachedHere = cache().inFrontOf(oneFiles.getPath("same"));
      assertThat(Files.readAllBytes(cachedHere)).isEqualTo(here);
      cachedHere.getFileSystem().close(); // what it has read is written

      Path cachedThere = cache().inFrontOf(otherFiles.getPath("same"));
      assertThat(Files.readAllBytes(cachedThere)).isEqualTo(there);
      cachedThere.getFileSystem().close();
    }
  }

  @Test
  void shouldRefuseAPathOfThisMachine() {
    assertThatThrownBy(() -> cache().inFrontOf(disk))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a cache is for data that is not on this machine")
        .hasMessageContaining(disk.toString());
  }
}
