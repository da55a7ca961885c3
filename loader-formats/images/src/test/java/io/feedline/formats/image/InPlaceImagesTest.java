package io.feedline.formats.image;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.feedline.data.FormatException;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.internal.RawWriter;
import io.feedline.formats.image.internal.TestRaws;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.pixel.internal.RgbSource;
import io.feedline.formats.jpeg.coefficients.internal.BaselineEncoder;
import io.feedline.formats.jpeg.coefficients.internal.CoefficientRecord;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.ImageStore.StoredImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Images of a store that lets them be looked at where they lie. */
class InPlaceImagesTest {

  private final Store store = new Store();

  /** One image, views of which are counted. */
  private static final class Store implements ImageStore {
    private byte[] bytes = new byte[0];
    private boolean shows = true;
    private boolean closed;
    private int openViews;
    private long bytesRead;

    @Override
    public long size() {
      return 1;
    }

    @Override
    public EncodedImage read(long index) {
      throw new AssertionError("it is to be looked at where it lies");
    }

    @Override
    public Optional<StoredImage> view(long index) {
      if (closed) {
        throw new IllegalStateException(name() + " is closed");
      }
      return shows ? Optional.of(new View()) : Optional.empty();
    }

    private final class View implements StoredImage {
      private final byte[] lying = bytes;
      private boolean open = true;

      View() {
        openViews++;
      }

      @Override
      public int label() {
        return 7;
      }

      @Override
      public int length() {
        return lying.length;
      }

      @Override
      public void read(int position, byte[] target, int offset, int length) {
        assertThat(open).isTrue();
        bytesRead += length;
        System.arraycopy(lying, position, target, offset, length);
      }

      @Override
      public void close() {
        if (open) {
          open = false;
          openViews--;
        }
      }
    }

    @Override
    public Path path() {
      return Path.of("store-of-one");
    }

    @Override
    public String describe(long index) {
      return "store-of-one, image " + index;
    }

    @Override
    public String name() {
      return "store-of-one";
    }

    @Override
    public String fingerprint() {
      return "one";
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @AfterEach
  void shouldHaveClosedEveryView() {
    assertThat(store.openViews).isZero();
  }

  private static byte[] record(String name) {
    return CoefficientRecord.of(Fixtures.bytes(name)).orElseThrow();
  }

  private LabeledImage image(byte[] bytes, DecodeOptions options) throws IOException {
    store.bytes = bytes;
    return ImageDataset.of(store).withDecodeOptions(options).get(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"jpeg_420.jpg", "jpeg_444.jpg", "jpeg_grey.jpg", "exif_6.jpg"})
  void shouldBeTheImageThatIsCopied(String name) throws IOException {
    for (boolean turned : new boolean[] {false, true}) {
      DecodeOptions options = DecodeOptions.DEFAULT.withExifRotation(turned);
      Image copied = Image.ofEncoded(record(name), name, options);
      LabeledImage sample = image(record(name), options);
      assertThat(sample.label()).isEqualTo(7);
      assertThat(store.openViews).as("between looks").isZero();
      assertThat(sample.image().pixels().rgb()).isEqualTo(copied.pixels().rgb());
      Region part = new Region(1, 2, copied.width() / 2, copied.height() / 3);
      assertThat(sample.image().crop(part).pixels().rgb())
          .isEqualTo(copied.crop(part).pixels().rgb());
    }
  }

  @Test
  void shouldReadTheRowsOfACropAlone() throws IOException {
    byte[] record =
        CoefficientRecord.of(
                BaselineEncoder.encode(TestImage.noise(64, 640).pixels().rgb(), 64, 640, 90))
            .orElseThrow();
    Image image = image(record, DecodeOptions.DEFAULT).image();
    store.bytesRead = 0;
    image.pixels();
    long whole = store.bytesRead;
    assertThat(whole).isGreaterThanOrEqualTo(record.length);

    store.bytesRead = 0;
    image.crop(new Region(0, 600, 64, 2)).pixels();
    assertThat(store.bytesRead).isLessThan(whole / 5);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldReadTheRowsOfACropOfARawRecordAlone(boolean lz4) throws IOException {
    byte[] rgb = TestRaws.pixels(64, 640, false, new Random(1));
    byte[] record = RawWriter.write(rgb, 64, 640, 6, lz4);
    for (boolean turned : new boolean[] {false, true}) {
      DecodeOptions options = DecodeOptions.DEFAULT.withExifRotation(turned);
      Image image = image(record, options).image();
      assertThat(image.pixels().rgb())
          .isEqualTo(Image.ofEncoded(record, "copy", options).pixels().rgb());
    }
    Image image = image(record, DecodeOptions.DEFAULT).image();
    assertThat(image.pixels().rgb()).isEqualTo(rgb);

    store.bytesRead = 0;
    byte[] part = image.crop(new Region(3, 600, 20, 2)).pixels().rgb();

    assertThat(part)
        .isEqualTo(Fixtures.decode(new RgbSource(rgb, 64, 640), new Region(3, 600, 20, 2)));
    assertThat(store.bytesRead).isLessThan(record.length / 10);
  }

  @Test
  void shouldReduceAsACopyIsReduced() throws IOException {
    DecodeOptions fast = DecodeOptions.DEFAULT.withFast(true);
    Image copied = Image.ofEncoded(record("jpeg_420.jpg"), "copy", fast);
    Image image = image(record("jpeg_420.jpg"), fast).image();
    int width = copied.width() / 5;
    int height = copied.height() / 5;
    assertThat(image.resize(width, height, Interpolation.BILINEAR).pixels().rgb())
        .isEqualTo(copied.resize(width, height, Interpolation.BILINEAR).pixels().rgb());
  }

  @Test
  void shouldKeepAJpegButNotARecordBeyondTheStoresClosing() throws IOException {
    Image record = image(record("jpeg_420.jpg"), DecodeOptions.DEFAULT).image();
    Image jpeg = image(Fixtures.bytes("jpeg_420.jpg"), DecodeOptions.DEFAULT).image();
    store.close();
    refused(IllegalStateException.class, record::pixels, "store-of-one is closed");
    assertThat(jpeg.pixels().rgb())
        .isEqualTo(Fixtures.decode(Fixtures.bytes("jpeg_420.jpg"), DecodeOptions.DEFAULT));
  }

  @Test
  void shouldRefuseAnImageThatWasReplaced() throws IOException {
    Image image = image(record("jpeg_420.jpg"), DecodeOptions.DEFAULT).image();
    store.bytes = record("jpeg_1x1.jpg");
    refused(IOException.class, image::pixels, "store-of-one, image 0", "replaced", "has 1 x 1");
    store.bytes = Fixtures.bytes("jpeg_420.jpg");
    refused(IOException.class, image::pixels, "replaced", "it was COEFFICIENTS, and is JPEG");
    store.shows = false;
    refused(IOException.class, image::pixels, "does not show it any more");
  }

  @Test
  void shouldRefuseADamagedBandAndSayWhere() throws IOException {
    byte[] damaged = record("jpeg_420.jpg");
    damaged[damaged.length - 1] ^= 1;
    Image image = image(damaged, DecodeOptions.DEFAULT).image();
    Image copy = Image.ofEncoded(damaged, "store-of-one, image 0", DecodeOptions.DEFAULT);
    assertThatThrownBy(image::pixels)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("checksum of band")
        .hasMessage(catchThrowable(copy::pixels).getMessage());
  }

  @Test
  void shouldRefuseWhatIsNoImage() {
    for (byte[] bytes : new byte[][] {new byte[0], {1, 2, 3}, record("jpeg_1x1.jpg")}) {
      byte[] cut = bytes.length > 20 ? Arrays.copyOf(bytes, 40) : bytes;
      assertThatThrownBy(() -> image(cut, DecodeOptions.DEFAULT))
          .isInstanceOf(FormatException.class)
          .hasMessageStartingWith("store-of-one, image 0: ");
    }
  }
}
