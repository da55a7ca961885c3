package io.feedline.formats.zip.internal;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.Python;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The behavior of archives alone; the contracts of all formats run elsewhere. */
class ZipStoreTest {

  /** More than the end record of an archive counts without ZIP64. */
  private static final int MANY = 70_000;

  private static final byte[] LOCAL = {'P', 'K', 3, 4};
  private static final byte[] CENTRAL = {'P', 'K', 1, 2};

  @TempDir private Path directory;

  private Path fixture(String name) throws IOException {
    return FixtureFiles.copy(ZipStoreTest.class, directory, name);
  }

  private static ImageDataset open(Path archive) throws IOException {
    return ImageDataset.of(new ZipFormat().open(archive, StoreOptions.NONE));
  }

  @Test
  void shouldReadWhatPythonPacked() throws IOException {
    try (ImageDataset images = open(fixture("images.zip"))) {
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
  void shouldReadWhatPythonCompressed() throws IOException {
    try (ImageDataset plain = open(fixture("images.zip"));
        ImageDataset deflated = open(fixture("deflated.zip"))) {
      assertThat(deflated.size()).isEqualTo(plain.size());
      for (long i = 0; i < plain.size(); i++) {
        assertThat(deflated.encoded(i).key()).isEqualTo(plain.encoded(i).key());
        assertThat(deflated.encoded(i).bytes()).isEqualTo(plain.encoded(i).bytes());
        assertThat(deflated.get(i).image().width()).isEqualTo(plain.get(i).image().width());
      }
    }
  }

  @Test
  void shouldRefuseAnEncryptedEntryByItsName() throws IOException {
    Path archive = archive("a/secret.png", Fixtures.bytes("png_1x1.png"));
    patch(archive, CENTRAL, 8, 1);
    try (ImageDataset images = open(archive)) {
      assertThatThrownBy(() -> images.encoded(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll(archive.toString(), "a/secret.png", "encrypted", "zip -0");
    }
  }

  @Test
  void shouldRefuseCompressedDataThatAreDamagedOrNotAsLongAsTheDirectorySays() throws IOException {
    byte[] image = new byte[5000];
    Path longer = archive("a/longer.png", image);
    patch(longer, CENTRAL, 24, 5001 % 256);
    Path huge = archive("a/huge.png", image);
    patch(huge, CENTRAL, 27, 0x7F);
    Path damaged = archive("a/damaged.png", image);
    patch(damaged, LOCAL, 30 + "a/damaged.png".length(), 7);

    for (Path archive : List.of(longer, huge, damaged)) {
      try (ImageDataset images = open(archive)) {
        assertThatThrownBy(() -> images.encoded(0))
            .as(archive.toString())
            .isInstanceOf(FormatException.class)
            .hasMessageContaining(archive.toString())
            .message()
            .containsAnyOf(
                "end after 5000 of 5001 bytes", "of which", "its compressed data are damaged");
      }
    }
  }

  private Path named(String... names) throws IOException {
    Path archive = directory.resolve("named.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
      for (String name : names) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(Fixtures.bytes("png_1x1.png"));
      }
    }
    return archive;
  }

  @Test
  void shouldReadNamesHoweverToolsWriteThem() throws IOException {
    Path archive = named("/cat/0.png", "./dog/0.png", "cat\\1.png", "dog//2.png", ".//cat/./3.png");
    try (ImageDataset images = open(archive)) {
      assertThat(images.classes()).containsExactly("cat", "dog");
      assertThat(images.labels()).containsExactly(0, 1, 0, 1, 0);
      assertThat(images.encoded(2).fileName()).isEqualTo("cat/1.png");
      assertThat(images.store().key(4)).isEqualTo("cat/3");
      assertThat(images.describe(4)).contains(".//cat/./3.png");
    }
    for (String outside : List.of("../cat/0.png", "cat/../../0.png", "cat\\../0.png")) {
      refused(FormatException.class, () -> open(named(outside)), "named.zip", outside, "leads out");
    }
  }

  /** As {@code zip -r data.zip data/} packs a folder of images. */
  @Test
  void shouldGoDownToTheDirectoriesOfClasses() throws IOException {
    Path archive = named("data/cat/1.png", "data/cat/2.png", "data/dog/1.png", "data/README.txt");
    try (ImageDataset images = open(archive)) {
      assertThat(images.classes()).containsExactly("cat", "dog");
      assertThat(images.store().key(2)).isEqualTo("dog/1");
    }
    try (ImageDataset images = open(named("a/b/cat/1.png", "a/b/dog/deep/1.png"))) {
      assertThat(images.classes()).containsExactly("cat", "dog");
    }
    for (String[] names : new String[][] {{"cat/1.png"}, {"cat/1.png", "cat/deep/2.png"}}) {
      try (ImageDataset images = open(named(names))) {
        assertThat(images.classes()).containsExactly("cat");
      }
    }
  }

  @Test
  void shouldRefuseAnArchiveOfSeveralSplits() throws IOException {
    Path archive = named("data/train/cat/1.png", "data/val/cat/1.png");
    refused(FormatException.class, () -> open(archive), "named.zip", "[train, val]");
  }

  @Test
  void shouldLeaveOutWhatMacOsAddsToAnArchive() throws IOException {
    try (ImageDataset images = open(named("cat/a.png", "__MACOSX/cat/._a.png"))) {
      assertThat(images.classes()).containsExactly("cat");
      assertThat(images.size()).isEqualTo(1);
    }
  }

  /** Packs one compressed entry. */
  private Path archive(String name, byte[] bytes) throws IOException {
    Path archive = directory.resolve(name.replace('/', '-') + ".zip");
    try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(archive)) {
      ZipArchiveEntry entry = new ZipArchiveEntry(name);
      entry.setSize(bytes.length);
      zip.putArchiveEntry(entry);
      zip.write(bytes);
      zip.closeArchiveEntry();
    }
    return archive;
  }

  /** Replaces a byte of the archive's only entry, counted from one of its headers. */
  private static void patch(Path archive, byte[] header, int offset, int value) throws IOException {
    byte[] bytes = Files.readAllBytes(archive);
    int at = 0;
    while (!Arrays.equals(bytes, at, at + header.length, header, 0, header.length)) {
      at++;
    }
    bytes[at + offset] = (byte) value;
    Files.write(archive, bytes);
  }

  @Test
  void shouldNoticeADamagedImage() throws IOException {
    Path archive = fixture("images.zip");
    byte[] bytes = Files.readAllBytes(archive);
    bytes[200] ^= 1;
    Files.write(archive, bytes);

    try (ImageDataset images = open(archive)) {
      refused(FormatException.class, () -> images.encoded(0), "dog/b.jpg", "CRC-32");
      assertThat(images.encoded(1).bytes()).isEqualTo(Fixtures.bytes("png_1x1.png"));
    }
  }

  @Test
  void shouldRefuseAnArchiveThatIsCutOffOrHasNoImages() throws IOException {
    Path archive = fixture("images.zip");
    byte[] bytes = Files.readAllBytes(archive);
    for (int length : new int[] {0, 10, bytes.length / 2, bytes.length - 1}) {
      Files.write(archive, Arrays.copyOf(bytes, length));
      refused(FormatException.class, () -> open(archive), archive.toString());
    }
    Files.write(archive, Arrays.copyOfRange(bytes, bytes.length - 22, bytes.length));
    refused(FormatException.class, () -> open(archive), archive.toString());
  }

  @Test
  void shouldWriteMoreImagesThanAnArchiveCountsInSixteenBits() throws Exception {
    Path archive = directory.resolve("many.zip");
    byte[] bytes = Fixtures.bytes("png_1x1.png");
    try (StoreWriter<EncodedImage> writer =
        new ZipFormat().create(archive, Packing.of(List.of("dot"), MANY))) {
      for (int i = 0; i < MANY; i++) {
        writer.write(new EncodedImage(Integer.toString(i), bytes, 0, "png"));
      }
      writer.commit();
    }

    try (ImageDataset images = open(archive)) {
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
    assertThatThrownBy(() -> open(absent))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining(absent + ": there is no such file")
        .hasMessageEndingWith("the nearest directory that exists is " + empty);
  }
}
