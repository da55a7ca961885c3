package io.feedline.formats.image.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.Shape;
import io.feedline.data.Dataset;
import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomCrop;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomVerticalFlip;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.SampleRandom;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pairs whose pixels say where they come from, so that both halves can be compared. */
class ImagePairTest {

  private static final int SCALE = 3;
  private static final int WIDTH = 20;
  private static final int HEIGHT = 14;

  private static final RandomTransform<Image, Image> QUARTERS =
      (image, random) -> image.rotate90(Integer.remainderUnsigned(random.nextInt(), 4));

  private static final RandomTransform<ImagePair, ImagePair> TURN = JointTransform.of(QUARTERS);

  private static RandomTransform<ImagePair, ImagePair> crop(int size) {
    return JointTransform.of(RandomCrop.of(size));
  }

  private static RandomTransform<ImagePair, ImagePair> flip(boolean vertical, double probability) {
    return JointTransform.of(
        vertical ? RandomVerticalFlip.of(probability) : RandomHorizontalFlip.of(probability));
  }

  /** The pixel at (x, y) of the low image, and all nine of the high one there, are (x, y, 7). */
  private static ImagePair pair() {
    return new ImagePair(image(1), image(SCALE));
  }

  private static Image image(int scale) {
    byte[] rgb = new byte[3 * WIDTH * HEIGHT * scale * scale];
    int at = 0;
    for (int y = 0; y < HEIGHT * scale; y++) {
      for (int x = 0; x < WIDTH * scale; x++) {
        rgb[at++] = (byte) (x / scale);
        rgb[at++] = (byte) (y / scale);
        rgb[at++] = 7;
      }
    }
    return Image.ofRgb(rgb, WIDTH * scale, HEIGHT * scale);
  }

  private static void requireAligned(ImagePair pair) throws Exception {
    Pixels low = pair.low().pixels();
    Pixels high = pair.high().pixels();
    assertThat(pair.scale()).isEqualTo(SCALE);
    for (int y = 0; y < high.height(); y++) {
      for (int x = 0; x < high.width(); x++) {
        assertThat(high.rgbAt(x, y))
            .as("pixel (%d, %d)", x, y)
            .isEqualTo(low.rgbAt(x / SCALE, y / SCALE));
      }
    }
  }

  private static SampleRandom random(long index) {
    return new SampleRandom(5, 0, index, 0);
  }

  @Test
  void shouldCropBothAtTheSamePlace() throws Exception {
    Set<Integer> corners = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      ImagePair cropped = crop(13).apply(pair(), random(i));

      assertThat(cropped.low().width()).isEqualTo(13);
      assertThat(cropped.high().height()).isEqualTo(39);
      if (i < 10) {
        requireAligned(cropped);
      }
      corners.add(cropped.low().crop(new Region(0, 0, 1, 1)).pixels().rgbAt(0, 0));
    }
    assertThat(corners).as("all places, the last ones included").hasSize(8 * 2);
  }

  @Test
  void shouldDrawWhatTransformsOfImagesDraw() throws Exception {
    RandomTransform<ImagePair, ImagePair> pairs = crop(9).andThen(flip(false, 0.5)).andThen(TURN);
    RandomTransform<ImagePair, ImagePair> joint =
        JointTransform.of(RandomCrop.of(9).andThen(RandomHorizontalFlip.of()).andThen(QUARTERS));
    for (int i = 0; i < 20; i++) {
      SampleRandom crop = random(i).substream(0);
      int y = Integer.remainderUnsigned(crop.nextInt(), HEIGHT - 8);
      int x = Integer.remainderUnsigned(crop.nextInt(), WIDTH - 8);
      boolean flipped = (random(i).substream(1).nextInt() & 0xFFFFFF) < 1 << 23;
      int quarters = Integer.remainderUnsigned(random(i).substream(2).nextInt(), 4);
      Image expected = image(SCALE).crop(new Region(3 * x, 3 * y, 27, 27));
      expected = (flipped ? expected.flipHorizontal() : expected).rotate90(quarters);

      ImagePair pair = pairs.apply(pair(), random(i));

      assertThat(pair.high().pixels().rgb()).isEqualTo(expected.pixels().rgb());
      assertThat(Golden.tensorCrc(joint.apply(pair(), random(i)).high()))
          .isEqualTo(Golden.tensorCrc(pair.high()));
      requireAligned(pair);
    }
  }

  @Test
  void shouldDecodeOnlyTheCropAndOnlyWhenWritten() throws Exception {
    CountingSource low = new CountingSource(40, 40);
    CountingSource high = new CountingSource(80, 80);
    RandomTransform<ImagePair, ImagePair> all =
        crop(8).andThen(flip(false, 0.5)).andThen(flip(true, 1)).andThen(TURN);

    ImagePair result = all.apply(new ImagePair(low.image(), high.image()), random(3));

    assertThat(low.decodes() + high.decodes()).isZero();
    Golden.written(result.low());
    Golden.written(result.high());
    assertThat(low.decodes()).isEqualTo(1);
    assertThat(high.decodes()).isEqualTo(1);
  }

  @Test
  void shouldCollateIntoLowAndHigh() throws Exception {
    Dataset<ImagePair> pairs =
        Dataset.of(4, index -> pair())
            .map(crop(6).andThen(TURN))
            .map(pair -> pair.map(Normalize.imagenet()));
    try (DataLoader<ImagePair> loader = DataLoader.builder(pairs).batchSize(4).build()) {
      for (Batch batch : loader) {
        try (batch) {
          assertThat(batch.tensor("low").shape()).isEqualTo(Shape.of(4, 3, 6, 6));
          assertThat(batch.tensor("high").shape()).isEqualTo(Shape.of(4, 3, 18, 18));
        }
      }
    }
  }

  @Test
  void shouldRefuseSizesThatAreNoPair() {
    Image low = Image.ofRgb(new byte[3 * 6], 3, 2);
    for (int[] size : new int[][] {{6, 5}, {7, 4}, {6, 6}, {2, 2}, {1, 1}}) {
      Image high = Image.ofRgb(new byte[3 * size[0] * size[1]], size[0], size[1]);
      assertThatThrownBy(() -> new ImagePair(low, high))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("3 x 2")
          .hasMessageContaining("%d x %d", size[0], size[1]);
    }
  }
}
