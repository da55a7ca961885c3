package io.feedline.formats.pixels;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The behavior of IDX and CIFAR alone; the contract of all stores runs elsewhere. */
class PixelImagesTest {

  private static final String IMAGES = "train-images-idx3-ubyte";
  private static final String LABELS = "train-labels-idx1-ubyte";

  @TempDir private Path directory;

  private Path fixture(String... names) throws IOException {
    return FixtureFiles.copy(getClass(), directory, names);
  }

  /** Labels and checksums of the pixels, as torchvision reads them or numpy wrote them. */
  private static List<String> noted(String name) {
    return FixtureFiles.lines(PixelImagesTest.class, "values.txt").stream()
        .filter(line -> line.startsWith(name + ","))
        .map(line -> line.substring(name.length() + 1))
        .toList();
  }

  /** Returns the checksum of pixels; for gray images, of one of the three equal channels. */
  private static String crc(Pixels pixels, boolean gray) {
    byte[] rgb = pixels.rgb();
    byte[] samples = new byte[gray ? rgb.length / 3 : rgb.length];
    for (int i = 0; i < samples.length; i++) {
      samples[i] = rgb[gray ? 3 * i : i];
    }
    return FixtureFiles.crc(samples);
  }

  private static List<String> read(ImageDataset images, boolean gray) throws IOException {
    List<String> read = new ArrayList<>();
    for (long i = 0; i < images.size(); i++) {
      read.add(images.label(i) + "," + crc(images.get(i).image().pixels(), gray));
    }
    return read;
  }

  @Test
  void shouldReadIdxAsTorchvisionDoes() throws IOException {
    fixture(IMAGES, LABELS, "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte");
    try (ImageDataset train = IdxImages.of(directory);
        ImageDataset test = IdxImages.builder(directory).test().build()) {
      assertThat(read(train, true)).isEqualTo(noted("train")).hasSize(7);
      assertThat(read(test, true)).isEqualTo(noted("t10k")).hasSize(3);
      assertThat(train.get(0).image().width()).isEqualTo(4);
      assertThat(train.get(0).image().height()).isEqualTo(5);
    }
    try (ImageDataset test =
        ImageDataset.open(directory, StoreOptions.of(Map.of("split", "test")))) {
      assertThat(test.size()).isEqualTo(3);
    }
    StoreOptions wrong = StoreOptions.of(Map.of("split", "validation"));
    assertThatThrownBy(() -> new IdxFormat().open(directory, wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("split", "validation");
  }

  @Test
  void shouldReadIdxAsItIsDistributed() throws IOException {
    Path images = fixture("gz/" + IMAGES + ".gz", "gz/" + LABELS + ".gz");
    assertThat(StoreFormat.of(images).name()).isEqualTo("idx");
    try (ImageDataset train = IdxImages.of(images)) {
      assertThat(read(train, true)).isEqualTo(noted("train"));
      assertThat(train.encoded(0).fileName()).isEqualTo("0.pgm");
    }
    Files.delete(images.resolveSibling(LABELS + ".gz"));
    refused(FormatException.class, () -> IdxImages.of(images), LABELS, "withoutLabels()");
    try (ImageDataset train = IdxImages.builder(images).withoutLabels().build()) {
      assertThat(train.labels()).containsOnly(-1);
    }
    ImageDataset closed = IdxImages.builder(images).withoutLabels().build();
    closed.close();
    assertThatThrownBy(() -> closed.encoded(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldRefuseDamagedIdx() throws IOException {
    Path images = fixture(IMAGES, LABELS);
    byte[] sound = Files.readAllBytes(images);

    refuse(images, Arrays.copyOf(sound, sound.length - 1), "155 bytes", "156");
    refuse(images, Arrays.copyOf(sound, sound.length + 1), "157 bytes");
    refuse(images, Arrays.copyOf(sound, 7), "begins with other bytes");
    refuse(images, new byte[0], "begins with other bytes");
    refuse(images, ByteBuffer.wrap(sound.clone()).putInt(4, -1).array(), "[-1]");
    refuse(images, ByteBuffer.wrap(sound.clone()).putInt(12, 0).array(), "[7, 5, 0]");
    refuse(images, ByteBuffer.wrap(sound.clone()).putInt(8, 1 << 20).array(), "1048576");
    refuse(images, ByteBuffer.wrap(sound.clone()).put(2, (byte) 13).array(), "type 13");
    refuse(images, ByteBuffer.wrap(sound.clone()).put(3, (byte) 1).array(), "rank 1");
    refuse(images, ByteBuffer.wrap(sound.clone()).putInt(4, 6).array(), "6");
  }

  /** More than there is, less, other bytes, and a size that would not fit into memory. */
  @Test
  void shouldRefuseDamagedGzip() throws IOException {
    Path images = fixture("gz/" + IMAGES + ".gz", "gz/" + LABELS + ".gz");
    byte[] sound = Files.readAllBytes(images);
    byte[] plain = FixtureFiles.bytes(getClass(), IMAGES);

    refuse(images, Arrays.copyOf(sound, sound.length / 2), "damaged or cut off");
    refuse(images, gzip(Arrays.copyOf(plain, plain.length - 1)), "fewer", "156");
    refuse(images, gzip(Arrays.copyOf(plain, plain.length + 1)), "more", "156");
    ByteBuffer bomb = ByteBuffer.wrap(plain.clone());
    bomb.putInt(4, 1 << 25).putInt(8, 1000).putInt(12, 1);
    refuse(images, gzip(bomb.array()), "gunzip");
    bomb.putInt(4, 1 << 20).putInt(8, 1000);
    refuse(images, gzip(bomb.array()), "fewer");
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }

  private static void refuse(Path images, byte[] bytes, String... words) throws IOException {
    Files.write(images, bytes);
    assertThatThrownBy(() -> IdxImages.of(images).close())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(images.getParent().toString())
        .hasMessageContainingAll(words);
  }

  @Test
  void shouldReadBrokenIdxOrRefuseIt() throws IOException {
    Path images = fixture(IMAGES, LABELS);
    byte[] sound = Files.readAllBytes(images);
    for (int i = 0; i < 500; i++) {
      Random random = new Random(i);
      byte[] broken = sound.clone();
      broken[random.nextInt(16)] = (byte) random.nextInt();
      Files.write(images, broken);
      try (ImageDataset dataset = IdxImages.of(images)) {
        assertThat(dataset.encoded(0).bytes()).isNotEmpty();
      } catch (FormatException refusal) {
        assertThat(refusal).hasMessageContaining(images.getParent().toString());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldReadCifar10(boolean train) throws IOException {
    fixture(
        "cifar10/data_batch_1.bin",
        "cifar10/data_batch_2.bin",
        "cifar10/test_batch.bin",
        "cifar10/batches.meta.txt");
    Path folder = directory.resolve("cifar10");
    CifarImages.Builder builder = CifarImages.builder(folder);
    if (train) {
      assertThatThrownBy(builder::build)
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll(
              "[data_batch_3.bin, data_batch_4.bin, data_batch_5.bin] missing");
    }
    for (int batch = 3; batch <= 5; batch++) {
      Files.copy(
          folder.resolve("data_batch_2.bin"), folder.resolve("data_batch_%d.bin".formatted(batch)));
    }
    List<String> expected = new ArrayList<>();
    if (train) {
      expected.addAll(noted("cifar10/data_batch_1.bin"));
      for (int batch = 2; batch <= 5; batch++) {
        expected.addAll(noted("cifar10/data_batch_2.bin"));
      }
    } else {
      builder.test();
      expected.addAll(noted("cifar10/test_batch.bin"));
    }
    try (ImageDataset images = builder.build()) {
      assertThat(read(images, false)).isEqualTo(expected).isNotEmpty();
      assertThat(images.classes()).hasSize(10).startsWith("airplane", "automobile");
    }
  }

  @Test
  void shouldReadFineAndCoarseLabelsOfCifar100() throws IOException {
    Path train =
        fixture(
            "cifar100/train.bin",
            "cifar100/test.bin",
            "cifar100/fine_label_names.txt",
            "cifar100/coarse_label_names.txt");
    List<String> noted = noted("cifar100/train.bin");
    try (ImageDataset fine = CifarImages.of(train.getParent());
        ImageDataset coarse =
            ImageDataset.open(
                train.getParent(), StoreOptions.of(Map.of("label-field", "coarse")))) {
      List<String> fineRead = read(fine, false);
      List<String> coarseRead = read(coarse, false);
      for (int i = 0; i < 6; i++) {
        String[] labels = noted.get(i).split("[:,]", -1);
        assertThat(coarseRead.get(i)).isEqualTo(labels[0] + "," + labels[2]);
        assertThat(fineRead.get(i)).isEqualTo(labels[1] + "," + labels[2]);
      }
      assertThat(fine.classes()).hasSize(100);
      assertThat(coarse.classes()).hasSize(20);
      assertThat(fine.fingerprint()).isNotEqualTo(coarse.fingerprint());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"batches.meta data_batch_1", "meta train test"})
  void shouldNameTheVersionForPython(String files) throws IOException {
    for (String name : files.split(" ", -1)) {
      Files.writeString(directory.resolve(name), "a pickle");
    }
    assertThatThrownBy(() -> ImageDataset.open(directory))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(directory.toString(), "version for Python", "-binary.tar.gz");
  }

  @Test
  void shouldRefuseDamagedCifar() throws IOException {
    Path batch = fixture("cifar10/data_batch_1.bin", "cifar10/batches.meta.txt");
    byte[] sound = Files.readAllBytes(batch);
    byte[] label = sound.clone();
    label[3073] = 11;
    Files.write(batch, label);
    try (ImageDataset images = CifarImages.of(batch)) {
      refused(
          FormatException.class, () -> images.encoded(1), batch + ", image 1", "11", "10 classes");
    }
    Files.write(batch, Arrays.copyOf(sound, sound.length - 1));
    assertThatThrownBy(() -> CifarImages.of(batch))
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(batch.toString(), "9218 bytes", "records of 3073");
    assertThatThrownBy(() -> CifarImages.builder(batch).coarseLabels().build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("CIFAR-10 has one label");
    assertThatThrownBy(() -> CifarImages.builder(batch.getParent()).test().build())
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("test_batch.bin", "test.bin");
    assertThatThrownBy(() -> CifarImages.of(directory.resolve("none.bin")))
        .isInstanceOf(FileNotFoundException.class);
  }
}
