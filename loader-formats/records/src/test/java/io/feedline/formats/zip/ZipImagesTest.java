package io.feedline.formats.zip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.ImageStoreWriter;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.Python;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The behavior of archives alone; the contracts of all formats run elsewhere. */
class ZipImagesTest {

  /** More than the end record of an archive counts without ZIP64. */
  private static final int MANY = 70_000;

  @TempDir private Path directory;

  private Path fixture(String name) throws IOException {
    Path file = directory.resolve(name);
    try (InputStream in = ZipImagesTest.class.getResourceAsStream(name)) {
      Files.copy(in, file);
    }
    return file;
  }

  @Test
  void shouldReadWhatPythonPacked() throws IOException {
    try (ImageDataset images = ZipImages.of(fixture("images.zip"))) {
      assertThat(images.classes()).containsExactly("cat", "dog");
      assertThat(images.labels()).containsExactly(1, 1, 0);
      assertThat(images.encoded(0).key()).isEqualTo("dog/b");
      assertThat(images.encoded(1).fileName()).isEqualTo("dog/deep/a.PNG");
      assertThat(images.encoded(1).bytes()).isEqualTo(Fixtures.bytes("png_1x1.png"));
      assertThat(images.encoded(2).key()).isEqualTo("cat/\u00fc");
      assertThat(images.get(2).image().width()).isEqualTo(35);
    }
  }

  @Test
  void shouldRefuseACompressedEntryByItsName() throws IOException {
    Path archive = fixture("deflated.zip");
    try (ImageDataset images = ZipImages.of(archive)) {
      assertThatThrownBy(() -> images.encoded(2))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll(archive.toString(), "cat/\u00fc.jpeg", "compressed", "zip -0");
    }
  }

  @Test
  void shouldNoticeADamagedImage() throws IOException {
    Path archive = fixture("images.zip");
    byte[] bytes = Files.readAllBytes(archive);
    bytes[200] ^= 1;
    Files.write(archive, bytes);

    try (ImageDataset images = ZipImages.of(archive)) {
      assertThatThrownBy(() -> images.encoded(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("dog/b.jpg", "CRC-32");
      assertThat(images.encoded(1).bytes()).isEqualTo(Fixtures.bytes("png_1x1.png"));
    }
  }

  @Test
  void shouldRefuseAnArchiveThatIsCutOffOrHasNoImages() throws IOException {
    Path archive = fixture("images.zip");
    byte[] bytes = Files.readAllBytes(archive);
    for (int length : new int[] {0, 10, bytes.length / 2, bytes.length - 1}) {
      Files.write(archive, Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> ZipImages.of(archive))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining(archive.toString());
    }
    Files.write(archive, Arrays.copyOfRange(bytes, bytes.length - 22, bytes.length));
    assertThatThrownBy(() -> ZipImages.of(archive))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(archive.toString());
  }

  @Test
  void shouldWriteMoreImagesThanAnArchiveCountsInSixteenBits() throws Exception {
    Path archive = directory.resolve("many.zip");
    byte[] bytes = Fixtures.bytes("png_1x1.png");
    try (ImageStoreWriter writer =
        new ZipImages().create(archive, Packing.of(List.of("dot"), MANY))) {
      for (int i = 0; i < MANY; i++) {
        writer.write(new EncodedImage(Integer.toString(i), bytes, 0, "png"));
      }
      writer.commit();
    }

    try (ImageDataset images = ZipImages.of(archive)) {
      assertThat(images.size()).isEqualTo(MANY);
      assertThat(images.encoded(MANY - 1).key()).isEqualTo("dot/" + (MANY - 1));
      assertThat(images.encoded(MANY - 1).bytes()).isEqualTo(bytes);
    }
    assertThat(Python.run(getClass(), "read_archive.py", "zipfile", archive))
        .containsExactly("None " + MANY + " dot/0.png dot/" + (MANY - 1) + ".png");
  }

  @Test
  void shouldTellAnArchiveThatIsNotThereFromADamagedOne(@TempDir Path empty) {
    Path absent = empty.resolve("no/images.zip");
    assertThatThrownBy(() -> ZipImages.of(absent))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining(absent + ": there is no such file")
        .hasMessageEndingWith("the nearest directory that exists is " + empty);
  }
}
