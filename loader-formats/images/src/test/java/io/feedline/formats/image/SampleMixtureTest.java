package io.feedline.formats.image;

import static io.feedline.formats.image.Golden.crc;
import static io.feedline.formats.image.Golden.floats;
import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.feedline.DataLoader;
import io.feedline.LoaderState;
import io.feedline.batch.Batch;
import io.feedline.batch.PaddingCollator;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.internal.SymmetricBeta;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.SampleRandom;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampleMixtureTest {

  private record Scene(Image image, BoundingBoxes boxes, BoxLabels labels, InstanceMasks masks) {}

  private record Boxed(Image image, BoundingBoxes boxes, BoxLabels labels) {}

  /** Draws PyTorch's numbers, and 0 for the other sample and its seed. */
  private record Torch(TorchRandom words) implements RandomGenerator {
    @Override
    public int nextInt() {
      return words.nextInt();
    }

    @Override
    public long nextLong() {
      return 0;
    }
  }

  private static InstanceMasks masks(int seed, int objects, int width, int height) {
    byte[] masks = new byte[objects * width * height];
    for (int i = 0; i < objects; i++) {
      int left = (i * 11 + seed * 5) % (width - 4);
      int top = (i * 7 + seed * 3) % (height - 4);
      int right = i == 3 ? left + 1 : Math.min(width, left + 4 + (i * 5 + seed) % 9);
      int bottom = Math.min(height, top + 3 + (i * 3 + seed) % 8);
      for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) {
          masks[(i * height + y) * width + x] = (byte) ((x ^ y) % 5 == 4 ? 0 : 1);
        }
      }
    }
    return InstanceMasks.of(masks, objects, width, height);
  }

  private static Scene scene(int seed, int label, int objects, Image image) throws Exception {
    InstanceMasks masks = masks(seed, objects, image.width(), image.height());
    byte[] each = TestTargets.written(masks).array();
    float[] boxes = new float[4 * objects];
    long[] labels = new long[objects];
    for (int i = 0; i < objects; i++) {
      float[] box = {image.width(), image.height(), 0, 0};
      for (int y = 0; y < image.height(); y++) {
        for (int x = 0; x < image.width(); x++) {
          if (each[(i * image.height() + y) * image.width() + x] != 0) {
            box[0] = Math.min(box[0], x);
            box[1] = Math.min(box[1], y);
            box[2] = Math.max(box[2], x);
            box[3] = Math.max(box[3], y);
          }
        }
      }
      System.arraycopy(box, 0, boxes, 4 * i, 4);
      labels[i] = (long) label + i;
    }
    return new Scene(
        image,
        BoundingBoxes.of(boxes, BoundingBoxes.Format.XYXY, image.width(), image.height()),
        BoxLabels.of(labels),
        masks);
  }

  @Test
  void shouldPasteAsTorchvisionDoes() throws Exception {
    List<String[]> lines = Golden.lines("torchvision_copy_paste.txt");
    assertThat(lines).hasSize(8);
    for (String[] line : lines) {
      int[] n = Arrays.stream(line, 0, 10).mapToInt(w -> (int) Long.parseLong(w)).toArray();
      Scene own = scene(n[0], 1, n[4], TestImage.noise(n[2], n[3]));
      Scene other = scene(n[0] + 1, 101, n[7], TestImage.noise(n[5], n[6]).flipHorizontal());
      RandomTransform<Scene, Scene> paste =
          JointTransform.copyPaste(Dataset.of(List.of(other)), n[1] == 1);

      Scene result = paste.apply(own, new Torch(TorchRandom.ofSeed(n[0])));

      String named = String.join(" ", Arrays.copyOf(line, 8));
      assertThat(result.labels().toArray())
          .as(named)
          .containsExactly(
              Arrays.stream(line[10].split(",", -1)).mapToLong(Long::parseLong).toArray());
      assertThat(result.boxes().toArray())
          .as(named)
          .containsExactly(floats(line[11]), within(1e-4f));
      assertThat(crc(TestTargets.written(result.masks()).array()))
          .as(named)
          .isEqualTo(Long.parseLong(line[9]));
      assertThat(crc(result.image().pixels().rgb())).as(named).isEqualTo(Long.parseLong(line[8]));
      requirePart(result.image(), new Region(3, 2, 9, 11));
    }
  }

  private static void requirePart(Image image, Region part) throws IOException {
    byte[] whole = image.pixels().rgb();
    Fixtures.requirePart(image.crop(part).pixels().rgb(), part, whole, image.width(), 3);
  }

  private static Boxed boxed(int width, int height, int label) {
    float[] all = {0, 0, width, height, 1, 2, 3, 4};
    return new Boxed(
        TestImage.noise(width, height),
        BoundingBoxes.of(all, BoundingBoxes.Format.XYXY, width, height),
        BoxLabels.of(label, label + 1));
  }

  /** Each pixel is looked up where the rule says; boxes are moved and cut off by hand. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void shouldPutFourImagesAroundAPoint(long seed) throws Exception {
    int size = 32;
    List<Boxed> others = List.of(boxed(64, 20, 10), boxed(31, 47, 20), boxed(16, 16, 30));
    Boxed own = boxed(40, 30, 1);
    RandomTransform<Boxed, Boxed> mosaic = JointTransform.mosaic(Dataset.of(others), size);
    Boxed result = mosaic.apply(own, new SampleRandom(seed, 0, 0, 0));

    List<Boxed> drawn = new ArrayList<>(List.of(own));
    SampleRandom random = new SampleRandom(seed, 0, 0, 0);
    for (int i = 0; i < 3; i++) {
      drawn.add(others.get((int) random.nextLong(3)));
      random.nextLong();
    }
    int x = (int) Math.fma((random.nextInt() & 0xFFFFFF) * 0x1p-24f, (float) size, 0.5f * size);
    int y = (int) Math.fma((random.nextInt() & 0xFFFFFF) * 0x1p-24f, (float) size, 0.5f * size);
    byte[] expected = new byte[3 * 4 * size * size];
    Arrays.fill(expected, (byte) 114);
    List<Float> boxes = new ArrayList<>();
    List<Long> labels = new ArrayList<>();
    for (int tile = 0; tile < 4; tile++) {
      Image image = drawn.get(tile).image();
      double scale = (double) size / Math.max(image.width(), image.height());
      int width = (int) (image.width() * scale);
      int height = (int) (image.height() * scale);
      byte[] rgb = image.resize(width, height, Interpolation.BILINEAR).pixels().rgb();
      int left = tile % 2 == 0 ? x - width : x;
      int top = tile < 2 ? y - height : y;
      for (int i = 0; i < width * height; i++) {
        int toX = left + i % width;
        int toY = top + i / width;
        if (toX >= 0 && toX < 2 * size && toY >= 0 && toY < 2 * size) {
          System.arraycopy(rgb, 3 * i, expected, 3 * (toY * 2 * size + toX), 3);
        }
      }
      float[] numbers = drawn.get(tile).boxes().toArray();
      for (int i = 0; i < numbers.length; i += 2) {
        double byX = (double) width / image.width();
        double byY = (double) height / image.height();
        boxes.add((float) Math.max(0, Math.min(2 * size, numbers[i] * byX + left)));
        boxes.add((float) Math.max(0, Math.min(2 * size, numbers[i + 1] * byY + top)));
      }
      Arrays.stream(drawn.get(tile).labels().toArray()).forEach(labels::add);
    }
    assertThat(result.image().width()).isEqualTo(2 * size);
    assertThat(result.image().pixels().rgb()).isEqualTo(expected);
    assertThat(result.labels().toArray()).containsExactly(labels.toArray(Long[]::new));
    float[] found = result.boxes().toArray();
    assertThat(found).hasSize(boxes.size());
    for (int i = 0; i < found.length; i++) {
      assertThat(found[i]).isEqualTo(boxes.get(i), within(1e-3f));
    }
    requirePart(result.image(), new Region(x - 5, y - 7, 11, 13));
  }

  @Test
  void shouldMixPixelsAndKeepTheBoxesOfBoth() throws Exception {
    Boxed own = boxed(40, 30, 1);
    Boxed drawn = boxed(20, 50, 7);
    BoundingBoxes inOtherForm = drawn.boxes().convert(BoundingBoxes.Format.XYWH);
    Boxed other = new Boxed(drawn.image(), inOtherForm, drawn.labels());
    RandomTransform<Boxed, Boxed> mixUp = JointTransform.mixUp(Dataset.of(List.of(other)), 1.5);
    Boxed result = mixUp.apply(own, new SampleRandom(3, 0, 0, 0));

    SampleRandom random = new SampleRandom(3, 0, 0, 0);
    random.nextLong(1);
    random.nextLong();
    double share = new SymmetricBeta(1.5).draw(random);
    byte[] first = own.image().crop(new Region(0, 0, 40, 50)).pixels().rgb();
    byte[] second = other.image().crop(new Region(0, 0, 40, 50)).pixels().rgb();
    byte[] mixed = result.image().pixels().rgb();
    assertThat(mixed).hasSameSizeAs(first);
    for (int i = 0; i < first.length; i++) {
      // Cut off, as NumPy does that makes bytes of floats.
      float sum = (first[i] & 0xFF) * (float) share + (second[i] & 0xFF) * (float) (1 - share);
      assertThat(mixed[i] & 0xFF).isEqualTo((int) sum);
    }
    assertThat(result.boxes().format()).isEqualTo(BoundingBoxes.Format.XYXY);
    assertThat(result.labels().toArray()).containsExactly(1, 2, 7, 8);
    assertThat(result.boxes().canvasHeight()).isEqualTo(50);
    assertThat(result.boxes().toArray())
        .containsExactly(0, 0, 40, 30, 1, 2, 3, 4, 0, 0, 20, 50, 1, 2, 3, 4);
    assertThat(mixUp).hasToString("MixUp(alpha=1.5, of ListDataset, size=1)");
  }

  @Test
  void shouldMakeAMosaicOfThinImagesThatIsOpaqueEverywhere() throws Exception {
    Image wide = TestImage.noise(100, 1).convert(ImageMode.RGBA);
    Dataset<Image> tall = Dataset.of(List.of(TestImage.noise(1, 100)));
    Image mosaic = JointTransform.<Image>mosaic(tall, 32).apply(wide, new SampleRandom(1, 0, 0, 0));
    assertThat(mosaic.mode()).isEqualTo(ImageMode.RGBA);
    int[] row = new int[64];
    try (ImageSource.PixelRows rows = mosaic.source().decode(new Region(0, 0, 64, 64))) {
      for (int y = 0; y < 64; y++) {
        rows.read(y, 1, row, 0, 64);
        assertThat(Arrays.stream(row).map(pixel -> pixel >>> 24)).containsOnly(0xFF);
      }
    }
  }

  @Test
  void shouldKeepBoxesBehindACopyPasteThatAreNotCutOff() throws Exception {
    Scene own = scene(1, 1, 4, TestImage.noise(40, 30));
    Scene loose =
        new Scene(own.image(), own.boxes().withClamping(false), own.labels(), own.masks());
    Dataset<Scene> others = Dataset.of(List.of(scene(2, 101, 3, TestImage.noise(30, 20))));
    Scene result =
        JointTransform.<Scene>copyPaste(others, true).apply(loose, new SampleRandom(1, 0, 0, 0));
    assertThat(result.boxes().clamping()).isFalse();
  }

  @Test
  void shouldJoinMasksPointsAndModes() throws Exception {
    Map<String, Object> own = new TreeMap<>(targets(24, 20, ImageMode.GRAY));
    Map<String, Object> other = new TreeMap<>(targets(30, 17, ImageMode.RGB));
    RandomTransform<Map<String, Object>, Map<String, Object>> mixUp =
        JointTransform.mixUp(Dataset.of(List.of(other)), 1);
    Map<String, Object> result = mixUp.apply(own, new SampleRandom(3, 0, 0, 0));
    assertThat(((Image) result.get("image")).mode()).isEqualTo(ImageMode.GRAY);
    assertThat(((KeyPoints) result.get("points")).count()).isEqualTo(4);
    InstanceMasks masks = (InstanceMasks) result.get("masks");
    assertThat(masks).hasToString("InstanceMasks[6 of 30 x 20]");
    byte[] all = TestTargets.written(masks).array();
    byte[] first = TestTargets.written((InstanceMasks) own.get("masks")).array();
    byte[] second = TestTargets.written((InstanceMasks) other.get("masks")).array();
    for (int i = 0; i < all.length; i++) {
      int object = i / 600;
      int x = i % 30;
      int y = i % 600 / 30;
      int expected =
          object < 3
              ? x < 24 ? first[(object * 20 + y) * 24 + x] : 0
              : y < 17 ? second[((object - 3) * 17 + y) * 30 + x] : 0;
      assertThat((int) all[i]).as("%d: %d, %d", object, x, y).isEqualTo(expected);
    }
  }

  private static Map<String, Object> targets(int width, int height, ImageMode mode) {
    return Map.of(
        "image",
        TestImage.noise(mode, width, height),
        "points",
        KeyPoints.of(new float[] {1, 2, 3, 4}, width, height),
        "masks",
        masks(5, 3, width, height));
  }

  /** As a loader makes it: with workers, and resumed in the middle, with the same result. */
  @Test
  void shouldGiveEqualBatchesWhereverItContinues() {
    Dataset<Boxed> scenes = Dataset.of(9, i -> boxed(20 + (int) i, 30 - (int) i, 10 * (int) i));
    Dataset<Boxed> flipped = scenes.map(JointTransform.of(RandomHorizontalFlip.of()));
    Dataset<Boxed> mixed =
        flipped
            .map(JointTransform.<Boxed>mosaic(flipped, 16))
            .map(JointTransform.<Boxed>mixUp(flipped, 1.5));
    List<Long> whole = checksums(mixed, 0, null, 0);
    assertThat(whole).hasSize(10);
    for (int workers : new int[] {1, 3}) {
      assertThat(checksums(mixed, workers, null, 0)).isEqualTo(whole);
    }
    for (int at : new int[] {1, 5, 9}) {
      try (DataLoader<Boxed> loader = loader(mixed, 2)) {
        var batches = loader.cycle().iterator();
        for (int i = 0; i < at; i++) {
          batches.next().close();
        }
        LoaderState state = loader.state();
        assertThat(checksums(mixed, 1, state, at)).isEqualTo(whole.subList(at, 10));
      }
    }
  }

  private static DataLoader<Boxed> loader(Dataset<Boxed> dataset, int workers) {
    return DataLoader.builder(dataset)
        .batchSize(2)
        .shuffle(true)
        .numWorkers(workers)
        .collator(PaddingCollator.<Boxed>builder().list("image", "boxes", "labels").build())
        .build();
  }

  private static List<Long> checksums(
      Dataset<Boxed> dataset, int workers, LoaderState state, int from) {
    List<Long> checksums = new ArrayList<>();
    try (DataLoader<Boxed> loader = loader(dataset, workers)) {
      if (state != null) {
        loader.resume(state);
      }
      var batches = loader.cycle().iterator();
      for (int i = from; i < 10; i++) {
        try (Batch batch = batches.next()) {
          CRC32 crc = new CRC32();
          for (Tensor tensor : batch.tensors().values()) {
            crc.update(tensor.bytes().duplicate().order(ByteOrder.nativeOrder()));
          }
          checksums.add(crc.getValue());
        }
      }
    }
    return checksums;
  }

  @Test
  void shouldDecodeNothingWhenAppliedAndOnlyTheVisibleParts() throws Exception {
    CountingSource own = new CountingSource(40, 30);
    CountingSource other = new CountingSource(20, 30);
    Dataset<Image> others = Dataset.of(List.of(other.image()));
    Image mosaic =
        JointTransform.<Image>mosaic(others, 32).apply(own.image(), new SampleRandom(1, 0, 0, 0));
    Image mixed =
        JointTransform.<Image>mixUp(others, 1).apply(own.image(), new SampleRandom(1, 0, 0, 0));
    assertThat(own.decodes() + other.decodes()).isZero();
    assertThat(mixed.crop(new Region(25, 0, 5, 5)).pixels().rgb()).hasSize(75);
    assertThat(own.decodes()).isEqualTo(1);
    assertThat(mosaic.crop(new Region(0, 0, 1, 1)).pixels().rgb()).containsExactly(114, 114, 114);
    assertThat(own.decodes()).isEqualTo(1);
  }

  private static void refuse(
      RandomTransform<Object, Object> mixture, Object sample, String... words) {
    assertThatThrownBy(() -> mixture.apply(sample, new SampleRandom(1, 0, 0, 0)))
        .isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void shouldRefuseWhatCannotBeMixed() throws Exception {
    Image image = TestImage.noise(8, 8);
    Dataset<Object> masked = Dataset.of(List.of(List.of(image, TestTargets.ids(8, 8))));
    Dataset<Object> erased = Dataset.of(List.of(image.erase(new Region(1, 1, 2, 2), 0)));
    Dataset<Object> none = Dataset.of(List.of());
    Object alone = List.of(image, BoxLabels.of(1));
    Object pointed = List.of(image, KeyPoints.of(new float[] {1, 2}, 8, 8));
    RandomTransform<Object, Object> mosaic = JointTransform.mosaic(masked, 8);
    RandomTransform<Object, Object> paste = JointTransform.copyPaste(masked, true);

    refuse(mosaic, masked.get(0), "Mosaic(8, of ListDataset", "leave out entry '1' (the mask");
    refuse(mosaic, alone, "without a counterpart of entry '1' (the labels)");
    refuse(mosaic, TestImage.noise(ImageMode.GRAY16, 8, 8), "8 bits");
    refuse(
        paste,
        alone,
        "CopyPaste(blending=true, of ListDataset, size=1) needs one InstanceMasks in a sample, found 0");
    refuse(paste, pointed, "takes no points");
    refuse(JointTransform.mixUp(erased, 1.5), image, "RandomErasing comes last");
    refuse(JointTransform.mixUp(none, 1), alone, "no other samples");
    refused(IllegalArgumentException.class, () -> JointTransform.mixUp(none, 0), "alpha must be");
    refused(IllegalArgumentException.class, () -> JointTransform.mosaic(none, 0), "size must be");
  }

  private record Plain(Image image, BoundingBoxes boxes, InstanceMasks masks, Object more) {}

  /** Labels of one image beside the boxes of several would belong to others. */
  @Test
  void shouldRefuseRowsOfBoxesThatAreNotJoined() throws Exception {
    List<Plain> plain = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Scene scene = scene(i, 1, i, TestImage.noise(30, 20));
      plain.add(new Plain(scene.image(), scene.boxes(), scene.masks(), new long[i]));
    }
    Dataset<Plain> all = Dataset.of(plain);
    for (RandomTransform<Plain, Plain> mixture :
        List.of(
            JointTransform.mosaic(all, 32),
            JointTransform.mixUp(all, 1.5),
            JointTransform.copyPaste(all.subset(2, 3), false))) {
      assertThatThrownBy(() -> mixture.apply(plain.get(1), new SampleRandom(1, 0, 0, 0)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("the number of boxes", "'more'", "BoxLabels.of(...)");
    }
    // A length that is that of the boxes by chance.
    List<Plain> others =
        plain.stream()
            .map(each -> new Plain(each.image(), each.boxes(), each.masks(), new long[2]))
            .toList();
    Plain mixed =
        JointTransform.mosaic(Dataset.of(others), 32)
            .apply(others.get(1), new SampleRandom(1, 0, 0, 0));
    assertThat((long[]) mixed.more()).hasSize(2);
  }
}
