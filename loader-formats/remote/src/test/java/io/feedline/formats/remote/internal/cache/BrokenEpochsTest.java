package io.feedline.formats.remote.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.internal.fs.ObjectFileSystem;
import io.feedline.formats.remote.internal.fs.StubStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Epochs that are left while a bucket is read ahead through a cache that is told their order. */
class BrokenEpochsTest {

  private static final int IMAGES = 40;

  @TempDir private Path disk;

  @Test
  void shouldLeaveNoConnectionNoThreadAndNoFileBehind() throws Exception {
    assumeTrue(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean,
        "open descriptors are counted on Unix only");
    UnixOperatingSystemMXBean system =
        (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    byte[] image = Fixtures.bytes("jpeg_grey.jpg");
    try (StubStore stub = new StubStore()) {
      for (int i = 0; i < IMAGES; i++) {
        stub.put("train/ant/%02d.jpg".formatted(i), image);
      }
      long room = IMAGES * 9 / 10 * CacheDirectory.cost(image.length);
      DiskCache cache =
          DiskCache.at(disk.resolve("cache")).cacheBytes(CacheDirectory.OVERHEAD + room).build();
      try (ObjectFileSystem files = stub.open()) {
        Path cached = cache.inFrontOf(files.getPath("/train"));
        long before;
        try (ImageDataset images = ImageDataset.open(cached)) {
          images.encoded(0);
          before = system.getOpenFileDescriptorCount();
          leave(images, 1000);
        }
        cached.getFileSystem().close();
        // Both ends of 16 connections that are kept for the next request, at most.
        assertThat(system.getOpenFileDescriptorCount()).isLessThanOrEqualTo(before + 2 * 16);
      }
      assertThat(Thread.getAllStackTraces().keySet())
          .noneMatch(thread -> thread.isAlive() && thread.getName().contains("left-alone"));
      try (Stream<Path> left = Files.list(cache.directory())) {
        assertThat(left.map(each -> each.getFileName().toString()))
            .allMatch(name -> name.endsWith(".line") || name.equals("feedline-cache"));
      }
    }
  }

  private static void leave(ImageDataset images, int epochs) throws IOException {
    try (DataLoader<?> loader =
        DataLoader.builder(images.encoded())
            .collator((samples, batch) -> batch.values("image", samples))
            .name("left-alone")
            .batchSize(8)
            .shuffle(true)
            .numWorkers(2)
            .readAhead(8)
            .build()) {
      for (int epoch = 0; epoch < epochs; epoch++) {
        BatchIterator batches = loader.iterator();
        for (int taken = 0; taken < epoch % 4; taken++) {
          batches.next().close();
        }
      }
    }
  }
}
