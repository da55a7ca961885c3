package io.feedline.formats.store.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Epochs that are left while files are being read ahead. */
class BrokenReadAheadTest {

  private static final int SIZE = 100;

  @TempDir Path directory;

  private ImageDataset images(String format) throws IOException {
    Path path = directory.resolve(format);
    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named(format).create(path, Packing.of(List.of("ant"), SIZE))) {
      for (int i = 0; i < SIZE; i++) {
        writer.write(new EncodedImage("ant/" + i, Fixtures.bytes("jpeg_grey.jpg"), 0, "jpg"));
      }
      writer.commit();
    }
    return ImageDataset.open(path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"imagefolder", "webdataset"})
  void shouldLeaveNoFileAndNoThreadBehind(String format) throws IOException {
    assumeTrue(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean,
        "open descriptors are counted on Unix only");
    UnixOperatingSystemMXBean system =
        (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    try (ImageDataset images = images(format)) {
      images.encoded(0);
      long before = system.getOpenFileDescriptorCount();
      try (DataLoader<EncodedImage> loader =
          DataLoader.builder(images.encoded())
              .collator((samples, batch) -> batch.values("image", samples))
              .name("broken")
              .batchSize(10)
              .shuffle(true)
              .numWorkers(2)
              .readAhead(8)
              .readAheadBytes(100_000)
              .build()) {
        for (int epoch = 0; epoch < 1000; epoch++) {
          BatchIterator batches = loader.iterator();
          for (int taken = 0; taken < epoch % 4; taken++) {
            batches.next().close();
          }
        }
      }
      assertThat(system.getOpenFileDescriptorCount()).isLessThanOrEqualTo(before);
      assertThat(Thread.getAllStackTraces().keySet())
          .noneMatch(thread -> thread.isAlive() && thread.getName().contains("broken"));
    }
  }
}
