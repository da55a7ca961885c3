package io.feedline.spark.hadoop.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.internal.files.OpenFiles;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract over {@link RawFiles}, and what needs to know where they lie. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"raw", "bare", "whole"})
@NeedsHadoop
class RawFilesTest extends HadoopContract {

  private static final Configuration CONFIGURATION = RawFiles.configuration();

  @Parameter(0)
  private String scheme;

  @Override
  Configuration configuration() {
    return CONFIGURATION;
  }

  private Path local() throws IOException {
    return Files.createDirectories(disk().resolve("raw"));
  }

  @Override
  String newDirectory() throws IOException {
    return scheme + "://" + local();
  }

  /** One for each directory, and for what formats are recognized by. */
  @Test
  void shouldNotAskForEachFileOfAListedDirectory() throws IOException {
    for (int i = 0; i < 100; i++) {
      EncodedImage image = image(i % 12);
      Path file = local().resolve(i % 2 == 0 ? "train/ant" : "train/bee").resolve(i + ".jpg");
      Files.createDirectories(file.getParent());
      Files.write(file, image.bytes());
    }
    int before = RawFiles.ASKED.get();
    try (ImageDataset images = ImageDataset.open(directory().resolve("train"))) {
      assertThat(images.size()).isEqualTo(100);
    }
    assertThat(RawFiles.ASKED.get() - before).isLessThan(60);
  }

  @Test
  void shouldSayThatAFileHasChangedSinceItWasOpened() throws IOException {
    Path there = Files.write(local().resolve("file"), new byte[500_000]);
    Path file = directory().resolve("file");
    try (OpenFiles files = new OpenFiles(1)) {
      assertThat(files.size(file)).isEqualTo(500_000);
      Files.write(there, new byte[10]);
      assertThatThrownBy(() -> files.read(file, 100_000, new byte[50_000], 0, 50_000))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContainingAll(file.toString(), "has changed since it was opened");
    }
  }

  /** A stream for each thread that reads, and few that stay. */
  @Test
  void shouldCloseWhatItHasOpened() throws Exception {
    Path file = directory().resolve("file");
    Path there = Files.write(local().resolve("file"), new byte[500_000]);
    for (int i = 0; i < 100; i++) {
      try (OpenFiles files = new OpenFiles(1)) {
        files.read(file, 1000L * i, new byte[50_000], 0, 50_000);
      }
    }
    try (var open = Files.list(Path.of("/proc/self/fd"))) {
      assertThat(
              open.filter(
                  each -> {
                    try {
                      return Files.isSymbolicLink(each)
                          && Files.readSymbolicLink(each).equals(there.toRealPath());
                    } catch (IOException closedMeanwhile) {
                      return false;
                    }
                  }))
          .isEmpty();
    }
  }
}
