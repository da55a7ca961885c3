package io.feedline.formats.image.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.data.Dataset.Fold;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.data.SampleContext;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.jpeg.index.internal.ScanIndexFile;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import io.feedline.formats.jpeg.internal.JpegImage;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageDatasetTest extends DatasetContract<LabeledImage> {

  @TempDir private Path root;

  @Override
  protected Dataset<LabeledImage> dataset() throws IOException {
    return images();
  }

  /** Ten images of three classes, whose file names tell their classes. */
  private ImageDataset images() throws IOException {
    for (int i = 0; i < 10; i++) {
      Path file = root.resolve("%s/%d.jpg".formatted(List.of("ant", "bee", "cow").get(i / 4), i));
      Files.createDirectories(file.getParent());
      Files.write(file, Fixtures.bytes(i % 2 == 0 ? "jpeg_444.jpg" : "jpeg_grey.jpg"));
    }
    return ImageFolder.of(root);
  }

  @Test
  void shouldGiveBatchesInTheModeThatWasAskedFor() throws Exception {
    images().close();
    for (ImageMode mode : List.of(ImageMode.GRAY, ImageMode.RGB, ImageMode.RGBA)) {
      StoreOptions options = StoreOptions.of(Map.of(StoreOptions.MODE, mode.toString()));
      try (ImageDataset images =
              ImageDataset.open(root, options).withTransform(RandomHorizontalFlip.of(1));
          DataLoader<LabeledImage> loader =
              DataLoader.builder(images).batchSize(10).numWorkers(2).build()) {
        try (Batch batch = loader.iterator().next()) {
          Tensor tensor = batch.tensor("image");
          assertThat(tensor.shape()).isEqualTo(Shape.of(10, mode.channels(), 27, 35));
          float[] found = tensor.toFloatArray();
          int each = found.length / 10;
          for (int i = 0; i < 10; i++) {
            Image image = images.get(i).image();
            assertThat(image.mode()).isEqualTo(mode);
            float[] alone = new float[each];
            Golden.written(image).asFloatBuffer().get(alone);
            assertThat(Arrays.copyOfRange(found, i * each, (i + 1) * each)).isEqualTo(alone);
          }
        }
      }
    }
  }

  @Test
  void shouldRefuseAModeThatThereIsNot() throws IOException {
    images().close();
    StoreOptions options = StoreOptions.of(Map.of(StoreOptions.MODE, "grey"));

    assertThatThrownBy(() -> ImageDataset.open(root, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("mode must be gray, rgb, rgba or gray16, was 'grey'");
  }

  private static void requireOwnNames(ImageDataset images) throws IOException {
    for (int i = 0; i < images.size(); i++) {
      Path file = images.path(i);
      assertThat(images.describe(i)).isEqualTo(file.toString());
      assertThat(images.encoded(i).bytes()).isEqualTo(Files.readAllBytes(file));
      assertThat(images.classes().get(images.label(i))).isEqualTo(className(file));
      assertThat(images.get(i).label()).isEqualTo(images.label(i));
      assertThat(images.get(i).image().description()).isEqualTo(file.toString());
    }
  }

  private static String className(Path file) {
    return file.getParent().getFileName().toString();
  }

  @Test
  void shouldNameTheRightFileHoweverItIsCut() throws Exception {
    ImageDataset images = images();

    requireOwnNames(images.subset(new long[] {9, 0, 4}));
    requireOwnNames(images.subset(3, 7));
    requireOwnNames(images.filter(sample -> sample.label() == 1));
    requireOwnNames(images.filterIndices(index -> index % 3 == 0));
    requireOwnNames(ImageDataset.concat(images.subset(8, 10), images.subset(0, 2)));
    for (ImageDataset part : images.split(new double[] {0.7, 0.3}, 5)) {
      requireOwnNames(part.filter(sample -> sample.label() != 0).subset(0, 1));
    }
    for (ImageDataset part : images.split(new long[] {4, 6}, 5)) {
      requireOwnNames(part);
    }
    for (ImageDataset part : images.split(new long[][] {{0, 2, 4, 6, 8}, {1, 3, 5, 7, 9}})) {
      requireOwnNames(part);
    }
    for (ImageDataset part : images.splitStratified(new double[] {0.5, 0.5}, 5)) {
      requireOwnNames(part);
    }
    for (Fold<ImageDataset> fold : images.folds(3, 5)) {
      requireOwnNames(fold.train());
      requireOwnNames(fold.validation().subset(0, 1));
    }
    for (Fold<ImageDataset> fold : images.foldsStratified(2, 5)) {
      requireOwnNames(fold.train());
      requireOwnNames(fold.validation());
    }
  }

  @Test
  void shouldGiveEachPartAndFoldItsShareOfTheClasses() throws IOException {
    ImageDataset images = images();

    for (ImageDataset part : images.splitStratified(new double[] {0.5, 0.5}, 3)) {
      assertThat(part.labels()).containsExactlyInAnyOrder(0, 0, 1, 1, 2);
      assertThat(part.classes()).isEqualTo(images.classes());
    }
    for (Fold<ImageDataset> fold : images.foldsStratified(2, 3)) {
      assertThat(fold.validation().labels()).containsExactlyInAnyOrder(0, 0, 1, 1, 2);
      assertThat(fold.train().labels()).containsExactlyInAnyOrder(0, 0, 1, 1, 2);
    }
    int[] groups = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
    for (ImageDataset part : images.splitStratified(new double[] {0.5, 0.5}, groups, 3)) {
      assertThat(descriptions(part).stream().filter(path -> path.matches(".*[02468].jpg")))
          .hasSizeBetween(2, 3);
    }
  }

  @Test
  void shouldChangeTheSourcesOfFoldsAndParts() throws IOException {
    DecodeOptions tiny = DecodeOptions.DEFAULT.withMaxPixels(1);
    ImageDataset images = images();
    List<Fold<ImageDataset>> folds = images.folds(3, 5);
    int[] groups = new int[10];
    ImageDataset part = images.splitStratified(new double[] {0.5, 0.5}, groups, 5).get(1);
    List<String> files = descriptions(part);
    groups[3] = 7;

    ImageDataset joined =
        ImageDataset.concat(images.split(new double[] {0.5, 0.5}, 1))
            .filterIndices(index -> index < 6)
            .withTransform(CenterCrop.of(4));
    assertThat(joined.size()).isEqualTo(6);
    for (ImageDataset each :
        List.of(folds.get(1).train(), folds.get(2).validation(), part, joined)) {
      ImageDataset changed = each.withDecodeOptions(tiny);
      assertThat(descriptions(changed)).isEqualTo(descriptions(each));
      assertThatThrownBy(() -> changed.get(0)).isInstanceOf(FormatException.class);
    }
    assertThat(descriptions(part.withDecodeOptions(tiny))).isEqualTo(files);
    assertThat(joined.withDecodeOptions(tiny).decodeOptions()).isEqualTo(tiny);
    assertThat(images.get(0).image().pixels()).isNotNull();
  }

  @Test
  void shouldSplitAsTheSamplesOfAnyDatasetAreSplit() throws Exception {
    ImageDataset images = images();
    Dataset<LabeledImage> plain = Dataset.concat(images);

    List<String> kept = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    images.split(new double[] {0.6, 0.4}, 11).forEach(part -> kept.addAll(descriptions(part)));
    plain.split(new double[] {0.6, 0.4}, 11).forEach(part -> expected.addAll(descriptions(part)));

    assertThat(kept).isEqualTo(expected);
  }

  private static List<String> descriptions(Dataset<LabeledImage> images) {
    List<String> descriptions = new ArrayList<>();
    for (long i = 0; i < images.size(); i++) {
      descriptions.add(images.describe(i));
    }
    return descriptions;
  }

  @Test
  void shouldTakeATransformForEachPartOfASplit() throws IOException {
    List<ImageDataset> parts = images().split(new double[] {0.5, 0.5}, 1);
    ImageDataset train = parts.get(0).withTransform(CenterCrop.of(8));
    ImageDataset test = parts.get(1).withTransform(Resize.of(16, 20));

    assertThat(train.get(0).image().width()).isEqualTo(8);
    assertThat(test.get(0).image().width()).isEqualTo(20);
    assertThat(train.classes()).containsExactly("ant", "bee", "cow");
    assertThat(train.labels()).hasSize(5);
    assertThat(train.encoded(0).bytes()).isEqualTo(Files.readAllBytes(train.path(0)));
  }

  @Test
  void shouldKeepTheTransformsOfConcatenatedParts() throws IOException {
    ImageDataset images = images();
    ImageDataset both =
        ImageDataset.concat(
            images.subset(0, 1).withTransform(CenterCrop.of(8)),
            images.subset(1, 2).withTransform(CenterCrop.of(9)));

    assertThat(both.get(0).image().width()).isEqualTo(8);
    assertThat(both.get(1).image().width()).isEqualTo(9);
  }

  @Test
  void shouldDrawTheNumbersThatAMappedDatasetDraws() throws Exception {
    ImageDataset images = images();
    RandomHorizontalFlip flip = RandomHorizontalFlip.of();
    Dataset<LabeledImage> mapped =
        Dataset.concat(images)
            .map((sample, random) -> sample.withImage(flip.apply(sample.image(), random)));

    assertThat(recipes(images.withTransform(flip).subset(0, 10)))
        .isEqualTo(recipes(mapped.subset(0, 10)))
        .anyMatch(recipe -> recipe.contains("flipped"))
        .anyMatch(recipe -> !recipe.contains("flipped"));
  }

  private static List<String> recipes(Dataset<LabeledImage> images) throws Exception {
    List<String> recipes = new ArrayList<>();
    for (long i = 0; i < images.size(); i++) {
      recipes.add(images.get(i, new SampleContext(7, 1, i)).image().toString());
    }
    return recipes;
  }

  @Test
  void shouldFilterNothingThatIsRandom() throws IOException {
    ImageDataset random = images().withTransform(RandomHorizontalFlip.of());

    assertThatThrownBy(() -> random.filter(sample -> true))
        .rootCause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("filter first");
  }

  @Test
  void shouldConcatenateOnlyWhatHasTheSameClasses(@TempDir Path other) throws IOException {
    ImageDataset images = images();
    Files.createDirectories(other.resolve("dog"));
    Files.write(other.resolve("dog/1.jpg"), Fixtures.bytes("jpeg_444.jpg"));
    ImageDataset dogs = ImageFolder.of(other);

    assertThatThrownBy(() -> ImageDataset.concat(images, dogs))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("[ant, bee, cow]", "[dog]");
    assertThatThrownBy(() -> ImageDataset.concat(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldCloseTheScanIndexesThatItFound() throws Exception {
    ImageDataset images = images();
    Path file = ScanIndexFile.pathBeside(root);
    try (ScanIndexFile.Writer writer =
        new ScanIndexFile.Writer(file, images.fingerprint(), images.size())) {
      for (int i = 0; i < images.size(); i++) {
        writer.add(ScanIndexFile.index(images.encoded(i).bytes()));
      }
      writer.commit();
    }
    ImageDataset indexed = ImageFolder.of(root);
    JpegImage first = JpegImage.parse(indexed.encoded(0).bytes());
    assertThat(indexed.scanIndexStore().place(0).get(first)).isNotNull();

    indexed.subset(0, 3).close();

    assertThat(indexed.scanIndexStore().place(0).get(first)).isNull();
  }

  @Test
  void shouldCloseItsStoresAndTheirScanIndexesOnce() throws Exception {
    Path packed = root.resolve("packed");
    StoreFormat format = StoreFormat.named("recordio");
    FixtureFiles.write(
        format.create(packed, Packing.of(List.of(), 2)),
        List.of(
            new EncodedImage("0", Fixtures.bytes("jpeg_444.jpg"), 0),
            new EncodedImage("1", Fixtures.bytes("jpeg_444.jpg"), 1)));
    ImageDataset images = ImageDataset.open(packed);
    ImageDataset view = ImageDataset.concat(images.subset(0, 1), images.subset(1, 2));
    assertThat(view.get(1).label()).isEqualTo(1);

    view.close();
    images.close();

    assertThatThrownBy(() -> images.get(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> view.encoded(0)).isInstanceOf(IllegalStateException.class);
    assertThat(images.withScanIndexBytes(0).scanIndexStore()).isSameAs(ScanIndexStore.none());
  }

  private static final int SIZE = 100;

  private ImageDataset manyImages(String format) throws IOException {
    Path path = root.resolve(format);
    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named(format).create(path, Packing.of(List.of("ant"), SIZE))) {
      for (int i = 0; i < SIZE; i++) {
        writer.write(new EncodedImage("ant/" + i, Fixtures.bytes("jpeg_grey.jpg"), 0, "jpg"));
      }
      writer.commit();
    }
    return ImageDataset.open(path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"imagefolder", "webdataset"})
  void shouldLeaveNoFileAndNoThreadBehind(String format) throws IOException {
    assumeTrue(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean,
        "open descriptors are counted on Unix only");
    UnixOperatingSystemMXBean system =
        (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    try (ImageDataset images = manyImages(format)) {
      images.encoded(0);
      long before = system.getOpenFileDescriptorCount();
      try (DataLoader<EncodedImage> loader =
          DataLoader.builder(images.encoded())
              .collator((samples, batch) -> batch.values("image", samples))
              .name("broken")
              .batchSize(10)
              .shuffle(true)
              .numWorkers(2)
              .readAhead(8)
              .readAheadBytes(100_000)
              .build()) {
        for (int epoch = 0; epoch < 1000; epoch++) {
          BatchIterator batches = loader.iterator();
          for (int taken = 0; taken < epoch % 4; taken++) {
            batches.next().close();
          }
        }
      }
      assertThat(system.getOpenFileDescriptorCount()).isLessThanOrEqualTo(before);
      assertThat(Thread.getAllStackTraces().keySet())
          .noneMatch(thread -> thread.isAlive() && thread.getName().contains("broken"));
    }
  }
}
