package io.feedline.formats.image.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.jpeg.index.internal.ScanIndexFile;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.jpeg.internal.ScanIndex;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32C;
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
    this.file = root.resolve(".feedline-index");
    Files.createDirectory(root.resolve("cat"));
    for (String name : NAMES) {
      Files.write(root.resolve("cat").resolve(name), Fixtures.bytes(name));
    }
    Files.writeString(root.resolve("cat/text.jpg"), "no image");
  }

  @Test
  void shouldGiveEachSampleItsIndexWithoutAnotherPixel() throws IOException {
    write(ImageFolder.of(root));

    ImageDataset folder = ImageFolder.of(root);
    ImageDataset without = ImageFolder.of(root).withScanIndexBytes(0);
    assertThat(folder.scanIndexStore()).isInstanceOf(ScanIndexFile.class);
    for (int i = 0; i < NAMES.length; i++) {
      assertThat(index(folder, i).toBytes())
          .isEqualTo(ScanIndexFile.index(folder.encoded(i).bytes()).orElseThrow().toBytes());
      Image image = folder.get(i).image();
      Region crop = new Region(3, 5, image.width() - 7, image.height() - 9);
      assertThat(image.crop(crop).pixels().rgb())
          .isEqualTo(without.get(i).image().crop(crop).pixels().rgb());
    }
    assertThat(index(folder, 3)).as("of a file that is not an image").isNull();
    assertThat(index(folder, 4)).as("of no sample").isNull();
    assertThat(index(folder, -1)).as("of no sample").isNull();
  }

  @Test
  void shouldDecodeAnImageThatChangedSinceThen() throws IOException {
    write(ImageFolder.of(root));
    ImageDataset folder = ImageFolder.of(root);
    Files.write(folder.path(0), Fixtures.bytes("jpeg_grey.jpg"));

    assertThat(folder.get(0).image().pixels().rgb()).isEqualTo(Fixtures.bytes("jpeg_grey.jpg.rgb"));
  }

  @Test
  void shouldNotBeUsedForAnotherStateOfTheFolder() throws IOException {
    write(ImageFolder.of(root));
    Files.write(root.resolve("cat/new.jpg"), Fixtures.bytes("jpeg_444.jpg"));

    ImageDataset folder = ImageFolder.of(root);

    assertThat(folder.scanIndexStore()).isNotInstanceOf(ScanIndexFile.class);
    assertThatThrownBy(() -> ScanIndexFile.open(file, folder.fingerprint(), folder.size()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("4 samples")
        .hasMessageContaining(folder.fingerprint());
  }

  @Test
  void shouldSurviveAnyDamage() throws IOException {
    ImageDataset plain = ImageFolder.of(root).withScanIndexBytes(0);
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
      ImageDataset folder = ImageFolder.of(root);
      int sample = round % NAMES.length;
      assertThat(folder.get(sample).image().pixels().rgb())
          .as("round %d", round)
          .isEqualTo(expected[sample]);
    }
  }

  @Test
  void shouldHaveItsNameOnlyWhenItIsWhole() throws IOException {
    ImageDataset folder = ImageFolder.of(root);
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

  @Test
  void shouldNotUseAnIndexThatIsForgedToLieOutsideOfTheFile() throws IOException {
    write(ImageFolder.of(root));
    byte[] whole = Files.readAllBytes(file);
    int tableAt = whole.length - bodyBytes() - 8 * (NAMES.length + 2);
    long end = whole.length;
    long[][] forged = {
      {-1, 100},
      {Long.MIN_VALUE, Long.MAX_VALUE},
      {-4096, end},
      {0, end},
      {tableAt, end},
      {end, end + 1000},
      {end - 10, Long.MAX_VALUE},
      {Long.MAX_VALUE - 1, Long.MAX_VALUE},
      {end, end - 100},
      {end - 10, end}
    };
    for (long[] range : forged) {
      Files.write(file, withRange(whole, tableAt, range));
      ImageDataset folder = ImageFolder.of(root);

      assertThat(folder.scanIndexStore()).isInstanceOf(ScanIndexFile.class);
      assertThat(index(folder, 0)).as("%d to %d", range[0], range[1]).isNull();
      assertThat(folder.get(0).image().pixels().rgb())
          .isEqualTo(Fixtures.bytes("jpeg_420.jpg.rgb"));
    }
  }

  @Test
  void shouldNotReadAnIndexThatIsForgedToBeLargerThanItsImageCanHave() throws IOException {
    write(ImageFolder.of(root));
    byte[] whole = Files.readAllBytes(file);
    int tableAt = whole.length - bodyBytes() - 8 * (NAMES.length + 2);
    long[] range = {whole.length, whole.length + (256L << 20)};
    Files.write(file, withRange(whole, tableAt, range));
    try (FileChannel sparse = FileChannel.open(file, StandardOpenOption.WRITE)) {
      sparse.write(ByteBuffer.allocate(1), range[1] - 1);
    }
    ImageDataset folder = ImageFolder.of(root);
    assertThat(folder.scanIndexStore()).isInstanceOf(ScanIndexFile.class);

    long before = allocatedBytes();
    assertThat(index(folder, 0)).isNull();
    assertThat(allocatedBytes() - before).isLessThan(1 << 20);
  }

  private static long allocatedBytes() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getCurrentThreadAllocatedBytes();
  }

  /** Another place for the first index, with the checksum that belongs to it. */
  private static byte[] withRange(byte[] whole, int tableAt, long[] range) {
    ByteBuffer forged = ByteBuffer.wrap(whole.clone()).order(ByteOrder.LITTLE_ENDIAN);
    forged.putLong(tableAt, range[0]).putLong(tableAt + 8, range[1]);
    CRC32C crc = new CRC32C();
    crc.update(forged.array(), 12, tableAt + 8 * (NAMES.length + 2) - 12);
    return forged.putInt(8, (int) crc.getValue()).array();
  }

  private int bodyBytes() throws IOException {
    ImageDataset folder = ImageFolder.of(root);
    int bytes = 0;
    for (int i = 0; i < NAMES.length; i++) {
      bytes += ScanIndexFile.index(folder.encoded(i).bytes()).orElseThrow().byteSize();
    }
    return bytes;
  }

  @Test
  void shouldServeOthersAfterAThreadWasInterrupted() throws Exception {
    write(ImageFolder.of(root));
    ImageDataset folder = ImageFolder.of(root);
    Thread interrupted =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              assertThat(index(folder, 0)).isNull();
              assertThat(Thread.currentThread().isInterrupted()).isTrue();
            });
    AtomicReference<Throwable> failure = new AtomicReference<>();
    interrupted.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
    interrupted.start();
    interrupted.join();

    assertThat(failure.get()).isNull();
    assertThat(index(folder, 0)).isNotNull();
  }

  @Test
  void shouldHaveNoIndexesOnceClosed() throws IOException {
    write(ImageFolder.of(root));
    ImageDataset folder = ImageFolder.of(root);
    ScanIndexFile indexes = (ScanIndexFile) folder.scanIndexStore();
    assertThat(index(folder, 0)).isNotNull();

    indexes.close();
    indexes.close();

    assertThat(index(folder, 0)).isNull();
    assertThat(folder.get(0).image().pixels().width()).isPositive();
  }

  /** Returns a sample's index, as the decoder asks for it that has the largest of the images. */
  private static ScanIndex index(ImageDataset folder, long sample) {
    try {
      JpegImage image = JpegImage.parse(Fixtures.bytes("jpeg_444.jpg"));
      return folder.scanIndexStore().place(sample).get(image);
    } catch (JpegException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private void write(ImageDataset folder) throws IOException {
    try (ScanIndexFile.Writer writer =
        new ScanIndexFile.Writer(file, folder.fingerprint(), folder.size())) {
      for (long i = 0; i < folder.size(); i++) {
        writer.add(ScanIndexFile.index(folder.encoded(i).bytes()));
      }
      writer.commit();
    }
  }
}
