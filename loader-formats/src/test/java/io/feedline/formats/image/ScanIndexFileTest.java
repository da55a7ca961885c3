package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScanIndexFileTest {
  private static final String[] NAMES = {"jpeg_444.jpg", "jpeg_grey.jpg", "jpeg_420.jpg"};

  private Path root;
  private Path file;

  @BeforeEach
  void makeAFolder(@TempDir Path root) throws IOException {
    this.root = root;
    this.file = root.resolve("feedline-index");
    Files.createDirectory(root.resolve("cat"));
    for (String name : NAMES) {
      Files.write(root.resolve("cat").resolve(name), Fixtures.bytes(name));
    }
    Files.writeString(root.resolve("cat/text.jpg"), "no image");
  }

  @Test
  void shouldGiveEachSampleItsIndex() throws IOException {
    write(ImageFolder.of(root));

    ImageFolder folder = ImageFolder.of(root);
    assertThat(folder.scanIndexes()).isInstanceOf(ScanIndexFile.class);
    for (int i = 0; i < NAMES.length; i++) {
      assertThat(folder.scanIndexes().get(i).toBytes())
          .isEqualTo(ScanIndexFile.index(folder.encoded(i)).orElseThrow().toBytes());
    }
    assertThat(folder.scanIndexes().get(3)).as("of a file that is no image").isNull();
    assertThat(folder.scanIndexes().get(4)).as("of no sample").isNull();
    assertThat(folder.scanIndexes().get(-1)).as("of no sample").isNull();
  }

  @Test
  void shouldNotChangeAnyPixel() throws IOException {
    write(ImageFolder.of(root));
    ImageFolder with = ImageFolder.of(root);
    ImageFolder without = ImageFolder.builder(root).scanIndexes(ScanIndexStore.none()).build();
    for (int i = 0; i < NAMES.length; i++) {
      Image image = with.get(i).image();
      Region crop = new Region(3, 5, image.width() - 7, image.height() - 9);
      assertThat(image.crop(crop).pixels().rgb())
          .isEqualTo(without.get(i).image().crop(crop).pixels().rgb());
    }
  }

  @Test
  void shouldDecodeAnImageThatChangedSinceThen() throws IOException {
    write(ImageFolder.of(root));
    ImageFolder folder = ImageFolder.of(root);
    Files.write(folder.path(0), Fixtures.bytes("jpeg_grey.jpg"));

    assertThat(folder.get(0).image().pixels().rgb()).isEqualTo(Fixtures.bytes("jpeg_grey.jpg.rgb"));
  }

  @Test
  void shouldNotBeUsedForAnotherStateOfTheFolder() throws IOException {
    write(ImageFolder.of(root));
    Files.write(root.resolve("cat/new.jpg"), Fixtures.bytes("jpeg_444.jpg"));

    ImageFolder folder = ImageFolder.of(root);

    assertThat(folder.scanIndexes()).isNotInstanceOf(ScanIndexFile.class);
    assertThatThrownBy(() -> ScanIndexFile.open(file, folder.fingerprint(), folder.size()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("4 samples")
        .hasMessageContaining(folder.fingerprint());
  }

  @Test
  void shouldSurviveAnyDamage() throws IOException {
    ImageFolder plain = ImageFolder.builder(root).scanIndexes(ScanIndexStore.none()).build();
    write(plain);
    byte[] whole = Files.readAllBytes(file);
    byte[][] expected = new byte[NAMES.length][];
    for (int i = 0; i < NAMES.length; i++) {
      expected[i] = plain.get(i).image().pixels().rgb();
    }
    Random random = new Random(3);
    for (int round = 0; round < 300; round++) {
      byte[] damaged = whole.clone();
      if (round % 3 == 0) {
        damaged = Arrays.copyOf(whole, random.nextInt(whole.length));
      } else {
        for (int i = 0; i <= round % 5; i++) {
          damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
        }
      }
      Files.write(file, damaged);
      ImageFolder folder = ImageFolder.of(root);
      int sample = round % NAMES.length;
      assertThat(folder.get(sample).image().pixels().rgb())
          .as("round %d", round)
          .isEqualTo(expected[sample]);
    }
  }

  @Test
  void shouldHaveItsNameOnlyWhenItIsWhole() throws IOException {
    ImageFolder folder = ImageFolder.of(root);
    try (ScanIndexFile.Writer writer =
        new ScanIndexFile.Writer(file, folder.fingerprint(), folder.size())) {
      writer.add(Optional.empty());
      assertThat(file).doesNotExist();
      assertThatThrownBy(writer::commit)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("1 of 4");
    }
    try (var left = Files.list(root)) {
      assertThat(left).containsExactly(root.resolve("cat"));
    }
  }

  private void write(ImageFolder folder) throws IOException {
    try (ScanIndexFile.Writer writer =
        new ScanIndexFile.Writer(file, folder.fingerprint(), folder.size())) {
      for (long i = 0; i < folder.size(); i++) {
        writer.add(ScanIndexFile.index(folder.encoded(i)));
      }
      writer.commit();
    }
  }
}
