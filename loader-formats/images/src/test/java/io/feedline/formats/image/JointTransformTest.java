package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.ColorJitter;
import io.feedline.formats.image.transform.ConvertDtype;
import io.feedline.formats.image.transform.Grayscale;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomErasing;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.RandomRotation;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.image.transform.SanitizeBoundingBoxes;
import io.feedline.transform.RandomApply;
import io.feedline.transform.RandomChoice;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.SampleRandom;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JointTransformTest {

  private static final int WIDTH = 40;
  private static final int HEIGHT = 30;

  private static final Transform<Image, Image> FLIP = Image::flipHorizontal;

  private record Sample(
      String name,
      Image image,
      Mask mask,
      InstanceMasks instances,
      BoundingBoxes boxes,
      KeyPoints points,
      BoxLabels labels) {}

  private record Nested(Sample inner, Map<String, Object> map, List<Object> list, Mask[] array) {}

  /** The pixel at (x, y) has red x and green y, so that images say where their pixels went. */
  private static Image image(int scale) {
    int width = scale * WIDTH;
    byte[] rgb = new byte[3 * width * scale * HEIGHT];
    for (int i = 0; i < rgb.length; i += 3) {
      rgb[i] = (byte) (i / 3 % width / scale);
      rgb[i + 1] = (byte) (i / 3 / width / scale);
    }
    return Image.ofRgb(rgb, width, scale * HEIGHT);
  }

  private static Sample sample() {
    return new Sample(
        "a",
        image(1),
        TestTargets.ids(WIDTH, HEIGHT),
        TestTargets.instances(WIDTH, HEIGHT),
        TestTargets.boxes(WIDTH, HEIGHT),
        TestTargets.points(WIDTH, HEIGHT),
        TestTargets.labels());
  }

  private static SampleRandom random(long index) {
    return new SampleRandom(7, 0, index, 0);
  }

  /** Checks that each pixel of the mask is where its pixel of the image is. */
  private static void requireAligned(Image image, Mask mask) throws Exception {
    Pixels pixels = image.pixels();
    int[] ids = mask.ids();
    assertThat(ids).hasSize(pixels.width() * pixels.height());
    for (int i = 0; i < ids.length; i++) {
      int rgb = pixels.rgbAt(i % pixels.width(), i / pixels.width());
      int expected = (rgb >> 8 & 0xFF) * WIDTH + (rgb >> 16) + 1;
      assertThat(ids[i]).as("id at %d of %s", i, image).isEqualTo(expected);
    }
  }

  @Test
  void shouldChangeAllPartsOfARecordTogether() throws Exception {
    Sample sample = sample();

    Sample flipped = JointTransform.<Sample>of(FLIP).apply(sample);

    assertThat(flipped.name()).isSameAs(sample.name());
    assertThat(flipped.image().pixels().rgbAt(0, 5)).isEqualTo((WIDTH - 1) << 16 | 5 << 8);
    requireAligned(flipped.image(), flipped.mask());
    assertThat(flipped.boxes().box(0)).containsExactly(20, 6, 36, 18);
    assertThat(flipped.points().toArray()).startsWith(39, 0, 29, 15);
    assertThat(flipped.labels()).isSameAs(sample.labels());
    assertThat(flipped.image().boxes()).as("what went along is in the sample").isEmpty();
  }

  @Test
  void shouldFindPartsInNestedRecordsMapsListsAndArrays() throws Exception {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("mask", TestTargets.ids(WIDTH, HEIGHT));
    map.put("class", 3);
    List<Object> list = List.of("kept", TestTargets.ids(WIDTH, HEIGHT), image(1));
    Nested nested = new Nested(sample(), map, list, new Mask[] {TestTargets.ids(WIDTH, HEIGHT)});

    Nested cropped =
        JointTransform.<Nested>of((Image image) -> image.crop(new Region(3, 2, 20, 10)))
            .apply(nested);

    Image image = cropped.inner().image();
    assertThat(image.width()).isEqualTo(20);
    requireAligned(image, cropped.inner().mask());
    requireAligned(image, (Mask) cropped.map().get("mask"));
    requireAligned(image, (Mask) cropped.list().get(1));
    requireAligned((Image) cropped.list().get(2), cropped.array()[0]);
    assertThat(cropped.map()).isInstanceOf(LinkedHashMap.class).containsEntry("class", 3);
    assertThat(cropped.list().get(0)).isEqualTo("kept");
    assertThat(nested.inner().mask().width()).as("the sample stays").isEqualTo(WIDTH);
  }

  @Test
  void shouldGiveNoOrderToAMapThatHasNone() throws Exception {
    Map<String, Object> map =
        Map.of("image", image(1), "mask", TestTargets.ids(WIDTH, HEIGHT), "zero", 0);

    Map<String, Object> flipped = JointTransform.<Map<String, Object>>of(FLIP).apply(map);

    assertThat(flipped).isExactlyInstanceOf(HashMap.class).containsOnlyKeys(map.keySet());
    requireAligned((Image) flipped.get("image"), (Mask) flipped.get("mask"));
  }

  @Test
  void shouldDrawWhatItDrawsForImagesAlone() throws Exception {
    RandomTransform<Image, Image> transform =
        RandomResizedCrop.of(16)
            .andThen(RandomApply.of(RandomRotation.of(40), 0.5))
            .andThen(RandomHorizontalFlip.of())
            .andThen(ColorJitter.of(0.4, 0.4, 0.4, 0.1))
            .andThen(Normalize.imagenet())
            .andThen(RandomErasing.of());

    for (int i = 0; i < 20; i++) {
      Image alone = transform.apply(image(1), random(i));
      Sample joint = JointTransform.<Sample>of(transform).apply(sample(), random(i));

      assertThat(Golden.tensorCrc(joint.image())).isEqualTo(Golden.tensorCrc(alone));
    }
  }

  @Test
  void shouldApplyATransformOnceSoThatAllPartsGoOneWay() throws Exception {
    RandomTransform<Image, Image> transform =
        RandomChoice.of(RandomHorizontalFlip.of(1), RandomHorizontalFlip.of(0));
    int flips = 0;
    for (int i = 0; i < 40; i++) {
      Sample result = JointTransform.<Sample>of(transform).apply(sample(), random(i));

      requireAligned(result.image(), result.mask());
      flips += result.image().pixels().rgbAt(0, 0) == 0 ? 0 : 1;
    }
    assertThat(flips).isBetween(5, 35);
  }

  @Test
  void shouldTakeAnImageAloneAndReturnASampleItselfWhereNothingChanges() throws Exception {
    Sample sample = sample();

    assertThat(JointTransform.<Image>of(FLIP).apply(image(1)).pixels().rgbAt(0, 0))
        .isEqualTo((WIDTH - 1) << 16);
    assertThat(JointTransform.<Sample>of(RandomHorizontalFlip.of(0)).apply(sample, random(0)))
        .isSameAs(sample);
  }

  @Test
  void shouldPassOnThroughANestedJointTransform() throws Exception {
    Transform<Image, Image> inner = JointTransform.of(FLIP);

    Sample flipped = JointTransform.<Sample>of(inner).apply(sample());

    requireAligned(flipped.image(), flipped.mask());

    record Boxed(Image image, BoundingBoxes boxes) {}
    Transform<Image, Image> withItsOwn =
        image -> {
          Boxed boxed = new Boxed(image, TestTargets.boxes(WIDTH, HEIGHT));
          Boxed changed = JointTransform.<Boxed>of(FLIP).apply(boxed);
          assertThat(changed.boxes().box(0)).containsExactly(20, 6, 36, 18);
          return changed.image();
        };
    Sample around = JointTransform.<Sample>of(withItsOwn).apply(sample());
    requireAligned(around.image(), around.mask());
    assertThat(around.boxes().box(0)).containsExactly(20, 6, 36, 18);
  }

  @Test
  void shouldScaleOperationsForAFurtherImageThatIsLarger() throws Exception {
    record Pair(Image low, Image high) {}
    Transform<Image, Image> transform =
        image ->
            image
                .crop(new Region(4, 6, 24, 20))
                .rotate90(1)
                .pad(1, 2, 3, 4, PaddingMode.CONSTANT, 0)
                .flipVertical()
                .resize(14, 13, Interpolation.NEAREST)
                .erase(new Region(2, 3, 4, 5), 1, 1, 1)
                .toTensor(DType.UINT8, ImageLayout.HWC);

    Pair pair = JointTransform.<Pair>of(transform).apply(new Pair(image(1), image(3)));

    assertThat(pair.high().width()).isEqualTo(42);
    assertThat(pair.high().height()).isEqualTo(39);
    byte[] low = TestTargets.written(pair.low()).array();
    byte[] high = TestTargets.written(pair.high()).array();
    for (int i = 0; i < low.length; i++) {
      int x = i / 3 % 14;
      int y = i / 3 / 14;
      int middle = 3 * ((3 * y + 1) * 42 + 3 * x + 1) + i % 3;
      assertThat(high[middle]).as("sample %d of (%d, %d)", i % 3, x, y).isEqualTo(low[i]);
    }
  }

  @Test
  void shouldWarpAFurtherImageAboutTheSamePlace() throws Exception {
    record Pair(Image low, Image high) {}
    Transform<Image, Image> transform =
        image ->
            image
                .rotate(90, 12, 9, false, Interpolation.NEAREST, 0)
                .rotate(30, true, Interpolation.NEAREST, 0);

    Pair pair = JointTransform.<Pair>of(transform).apply(new Pair(image(1), image(3)));

    assertThat(pair.high().width()).isEqualTo(3 * pair.low().width());
    Pixels low = pair.low().pixels();
    Pixels high = pair.high().pixels();
    int equal = 0;
    for (int y = 0; y < low.height(); y++) {
      for (int x = 0; x < low.width(); x++) {
        equal += low.rgbAt(x, y) == high.rgbAt(3 * x + 1, 3 * y + 1) ? 1 : 0;
      }
    }
    // The middle of a pixel is that of nine, but for what rounds the other way at an edge.
    assertThat(equal).isGreaterThan(low.width() * low.height() * 95 / 100);
  }

  private static void refuse(Object sample, Transform<Image, Image> transform, String... words) {
    assertThatThrownBy(() -> JointTransform.of(transform).apply(sample))
        .isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void shouldRefusePartsThatDoNotGoWithTheImage() {
    Map<String, Object> sample = new LinkedHashMap<>();
    sample.put("image", image(1));
    sample.put("mask", Mask.ofIds(new byte[6], 3, 2));
    refuse(
        sample,
        FLIP,
        "entry 'mask' (the mask ids in memory) does not go with",
        "entry 'image' (the image pixels in memory)",
        "it is 3 x 2, the image is 40 x 30");
    sample.put("mask", Image.ofRgb(new byte[3 * 60 * 45], 60, 45));
    refuse(sample, FLIP, "it is 60 x 45, the first image is 40 x 30", "a whole number of times");
    sample.remove("image");
    sample.put("mask", TestTargets.boxes(4, 4));
    refuse(sample, FLIP, "needs an image in the sample", "entry 'mask' (the boxes)");
    refuse("text", FLIP, "neither that nor targets in String");
  }

  @Test
  void shouldRefuseTransformsThatTargetsCannotFollow() {
    refuse(sample(), image -> image.pixels().toImage(), "5 targets", "operations of Image");
    refuse(sample(), image -> image.pad(1, 1, 1, 1, PaddingMode.REFLECT, 0), "repeats objects");
    Map<String, Object> sample = new LinkedHashMap<>();
    sample.put("image", image(1));
    sample.put("boxes", TestTargets.boxes(WIDTH, HEIGHT));
    sample.put("labels", BoxLabels.of(1, 2));
    SanitizeBoundingBoxes sanitize = SanitizeBoundingBoxes.of();
    refuse(sample, sanitize, "found 6 boxes, but labels for 2");
    sample.remove("boxes");
    refuse(sample, sanitize, "SanitizeBoundingBoxes(", "looks at boxes", "JointTransform");
  }

  @Test
  void shouldRemoveWhatBelongsToBoxesWithThem() throws Exception {
    record People(
        Image image,
        BoundingBoxes boxes,
        BoxLabels labels,
        BoxLabels visible,
        KeyPoints joints,
        KeyPoints landmarks,
        InstanceMasks masks,
        InstanceMasks others) {}
    float[] boxes = {0, 0, 8, 8, 3, 3, 3, 9, 10, 10, 20, 20};
    float[] joints = {1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6};
    InstanceMasks masks = InstanceMasks.painted(3, WIDTH, HEIGHT, (i, mask) -> mask[i] = 1);
    People people =
        new People(
            image(1),
            BoundingBoxes.of(boxes, BoundingBoxes.Format.XYXY, WIDTH, HEIGHT),
            BoxLabels.of(7, 8, 9),
            BoxLabels.ofRows(new long[] {1, 2, 0, 0, 2, 2}, 2),
            KeyPoints.ofObjects(joints, 2, WIDTH, HEIGHT),
            KeyPoints.of(new float[] {1, 1, 2, 2, 3, 3}, WIDTH, HEIGHT),
            masks,
            InstanceMasks.painted(2, WIDTH, HEIGHT, (i, mask) -> mask[i] = 1));

    People fewer = JointTransform.<People>of(SanitizeBoundingBoxes.of()).apply(people);

    assertThat(fewer.boxes().toArray()).containsExactly(0, 0, 8, 8, 10, 10, 20, 20);
    assertThat(fewer.labels().toArray()).containsExactly(7, 9);
    assertThat(fewer.visible().toArray()).containsExactly(1, 2, 2, 2);
    assertThat(fewer.joints().toArray()).containsExactly(1, 1, 2, 2, 5, 5, 6, 6);
    assertThat(fewer.landmarks().count()).as("points that are of no object").isEqualTo(3);
    assertThat(fewer.others().count()).as("masks of something else").isEqualTo(2);
    byte[] written = TestTargets.written(fewer.masks()).array();
    assertThat(written).hasSize(2 * WIDTH * HEIGHT);
    assertThat(written[0]).isEqualTo((byte) 1);
    assertThat(written[WIDTH * HEIGHT + 2]).as("the third object's").isEqualTo((byte) 1);
  }

  @Test
  void shouldDecodeNothing() throws Exception {
    record Lazy(Image image, InstanceMasks masks) {}
    InstanceMasks masks =
        InstanceMasks.painted(
            1,
            WIDTH,
            HEIGHT,
            (object, mask) -> {
              throw new AssertionError("painted");
            });

    Lazy result =
        JointTransform.<Lazy>of(Resize.of(10).andThen(FLIP)).apply(new Lazy(image(1), masks));

    assertThat(result.masks().height()).isEqualTo(10);
  }

  @Test
  void shouldShowTheMasksOfObjectsWhoseIdsAreInOne() throws Exception {
    Mask ids = Mask.ofIds(new byte[] {3, 0, 5, 5, 3, 0}, 3, 2).withFill(3);
    InstanceMasks masks = InstanceMasks.ofIds(ids, 3, 5);

    assertThat(TestTargets.written(masks).array())
        .containsExactly(1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0);
    assertThat(
            TestTargets.written(masks.with(masks.geometry().crop(new Region(2, 0, 2, 1)))).array())
        .as("nothing comes from outside, whatever the mask's own fill is")
        .containsExactly(0, 0, 1, 0);
  }

  private static Image gray16(int... values) {
    StringBuilder pgm = new StringBuilder("P5 %d 1 65535\n".formatted(values.length));
    for (int value : values) {
      pgm.append((char) (value >> 8)).append((char) (value & 0xFF));
    }
    byte[] bytes = pgm.toString().getBytes(StandardCharsets.ISO_8859_1);
    try {
      return Image.ofEncoded(bytes, "depth.pgm", DecodeOptions.DEFAULT.withMode(ImageMode.GRAY16));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<ImageMode> modes(Transform<Image, Image> transform, Image... images)
      throws Exception {
    List<Image> changed = JointTransform.<List<Image>>of(transform).apply(List.of(images));
    return changed.stream().map(Image::mode).toList();
  }

  @Test
  void shouldLeaveEachImageTheModeThatItHas() throws Exception {
    Image color = Image.ofRgb(new byte[] {1, 2, 3, 4, 5, 6}, 2, 1);
    Image gray = color.convert(ImageMode.GRAY);
    Image depth = gray16(0x1234, 0xFFFF);
    Transform<Image, Image> bytes = ConvertDtype.of(DType.UINT8);

    assertThat(modes(bytes, depth, color)).containsExactly(ImageMode.GRAY, ImageMode.RGB);
    assertThat(modes(bytes, color, depth)).containsExactly(ImageMode.RGB, ImageMode.GRAY);
    assertThat(depth.toEightBits().pixels().rgb()).startsWith(0x12, 0x12, 0x12, -1);
    assertThat(modes(Grayscale.of(1), gray, color)).containsExactly(ImageMode.GRAY, ImageMode.GRAY);
    assertThat(modes(Grayscale.of(3), color, gray)).containsExactly(ImageMode.RGB, ImageMode.RGB);
    assertThat(modes(Grayscale.of(3), gray, color)).containsExactly(ImageMode.RGB, ImageMode.RGB);
  }

  private record Size(int... sides) {}

  private record Plain(Image image, BoundingBoxes boxes, BoxLabels labels, Object more) {}

  private static Plain plain(Object more) {
    // The second box has no area.
    float[] boxes = {0, 0, 9, 9, 3, 3, 3, 7};
    return new Plain(
        Image.ofRgb(new byte[3 * 10 * 10], 10, 10),
        BoundingBoxes.of(boxes, BoundingBoxes.Format.XYXY, 10, 10),
        BoxLabels.of(1, 2),
        more);
  }

  /** Labels that stay while boxes go would belong to others. */
  @Test
  void shouldRefuseRowsOfBoxesThatCannotGoWithThem() throws Exception {
    Transform<Plain, Plain> sanitize = JointTransform.of(SanitizeBoundingBoxes.of());
    for (Object rows :
        List.of(
            new long[] {1, 2},
            new float[2][3],
            new String[] {"cat", "dog"},
            List.of("cat", "dog"),
            Map.of("iscrowd", List.of(0, 1)),
            Tensor.of(new long[] {1, 2}, 2))) {
      assertThatThrownBy(() -> sanitize.apply(plain(rows)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("SanitizeBoundingBoxes(minSize=1.0, minArea=1.0) changes the")
          .hasMessageContainingAll("entry 'more", "length of 2", "BoxLabels.of(...)", "record");
      // The number of boxes stays.
      assertThat(JointTransform.<Plain>of(Image::flipHorizontal).apply(plain(rows)).more())
          .isSameAs(rows);
    }
    for (Object others :
        List.of(
            new long[] {1, 2, 3},
            List.of("cat"),
            "dog",
            new Size(10, 10),
            Tensor.of(new float[2 * 3 * 4], 2, 3, 4))) {
      Plain fewer = sanitize.apply(plain(others));
      assertThat(fewer.boxes().count()).isEqualTo(1);
      assertThat(fewer.labels().toArray()).containsExactly(1);
      assertThat(fewer.more()).isSameAs(others);
    }
  }
}
