package io.feedline.formats.image.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.CachedDataset;
import io.feedline.data.Dataset;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomCrop;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.store.EncodedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images that are kept in memory, encoded or decoded. */
class MemoryCacheTest {

  private static final int IMAGES = 6;
  private static final long MUCH = 1 << 24;

  @TempDir private Path root;

  private final RandomCrop crop = RandomCrop.of(16);

  @BeforeEach
  void writeImages() throws IOException {
    for (int i = 0; i < IMAGES; i++) {
      Path file = root.resolve("%s/%d.jpg".formatted(i < 2 ? "ant" : "bee", i));
      Files.createDirectories(file.getParent());
      Files.write(file, Fixtures.bytes(i % 2 == 0 ? "jpeg_444.jpg" : "jpeg_grey.jpg"));
    }
  }

  private void deleteImages() throws IOException {
    for (int i = 0; i < IMAGES; i++) {
      Files.delete(root.resolve("%s/%d.jpg".formatted(i < 2 ? "ant" : "bee", i)));
    }
  }

  private static List<List<Float>> pixels(Dataset<LabeledImage> images) {
    List<List<Float>> all = new ArrayList<>();
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(images).batchSize(1).seed(5).numWorkers(2).build()) {
      for (int epoch = 0; epoch < 2; epoch++) {
        for (Batch batch : loader) {
          try (batch) {
            List<Float> values = new ArrayList<>();
            for (float value : batch.tensor("image").toFloatArray()) {
              values.add(value);
            }
            values.add((float) batch.tensor("label").toLongArray()[0]);
            all.add(values);
          }
        }
      }
    }
    return all;
  }

  @Test
  void shouldGiveTheSameEncodedImagesWithoutTheirFiles() throws Exception {
    try (ImageDataset images = ImageFolder.of(root);
        ImageDataset cached = images.withCacheBytes(MUCH)) {
      List<EncodedImage> expected = new ArrayList<>();
      for (int i = 0; i < IMAGES; i++) {
        expected.add(images.encoded(i));
        assertThat(cached.encoded(i).bytes()).isEqualTo(expected.get(i).bytes());
      }
      deleteImages();
      for (int i = 0; i < IMAGES; i++) {
        EncodedImage image = cached.encoded(i);
        assertThat(image.key()).isEqualTo(expected.get(i).key());
        assertThat(image.label()).isEqualTo(expected.get(i).label()).isEqualTo(cached.label(i));
        assertThat(image.extension()).isEqualTo("jpg");
        assertThat(image.bytes()).isEqualTo(expected.get(i).bytes());
        assertThat(cached.get(i).image().width()).isPositive();
        assertThat(cached.describe(i)).isEqualTo(images.describe(i));
        assertThat(cached.path(i)).isEqualTo(images.path(i));
      }
      assertThat(cached.classes()).isEqualTo(images.classes());
      assertThat(cached.classToIndex()).isEqualTo(images.classToIndex());
      assertThat(cached.fingerprint()).isEqualTo(images.fingerprint());
      assertThat(cached.store().shardSizes()).isEqualTo(images.store().shardSizes());
      assertThatThrownBy(() -> images.encoded(0)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void shouldKeepEncodedImagesForAllViewsAndTransforms() throws Exception {
    try (ImageDataset images = ImageFolder.of(root)) {
      List<List<Float>> expected = pixels(images.withTransform(crop));
      ImageDataset both =
          ImageDataset.concat(images.subset(0, 3), images.subset(3, IMAGES))
              .withTransform(crop)
              .withCacheBytes(MUCH);
      assertThat(pixels(both)).isEqualTo(expected);
      deleteImages();
      assertThat(pixels(both)).isEqualTo(expected);
      assertThat(pixels(both.subset(1, 3))).hasSize(4);
    }
  }

  @Test
  void shouldKeepAsManyEncodedImagesAsThereIsMemoryFor() throws Exception {
    try (ImageDataset images = ImageFolder.of(root)) {
      long one = Files.size(images.path(0)) + 100;
      ImageDataset cached = images.withCacheBytes(one);
      for (int i = 0; i < IMAGES; i++) {
        assertThat(cached.encoded(i).bytes()).isEqualTo(Files.readAllBytes(images.path(i)));
      }
      deleteImages();
      assertThat(cached.encoded(0).bytes()).hasSize((int) one - 100);
      assertThatThrownBy(() -> cached.encoded(IMAGES - 1)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void shouldReplaceTheCacheOfEncodedImagesAndEndItWithTheDataset() throws Exception {
    ImageDataset images = ImageFolder.of(root);
    ImageDataset cached = images.withCacheBytes(MUCH);
    cached.encoded(0);
    deleteImages();
    assertThatThrownBy(() -> cached.withCacheBytes(0).encoded(0)).isInstanceOf(IOException.class);
    assertThat(cached.withCacheBytes(0).store()).isSameAs(images.store());
    cached.close();
    cached.close();
    assertThatThrownBy(() -> cached.encoded(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldRefuseBudgetsThatMeanNothing() throws Exception {
    try (ImageDataset images = ImageFolder.of(root);
        ImageDataset more = ImageFolder.of(root)) {
      assertThatThrownBy(() -> images.withCacheBytes(-1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("budgetBytes must be 0 or more, was -1");
      assertThatThrownBy(() -> ImageDataset.concat(images, more).withCacheBytes(1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("2 stores");
    }
  }

  @Test
  void shouldDecodeImagesOnceAndTransformThemAnew() throws Exception {
    try (ImageDataset images =
            ImageFolder.of(root).withTransform(Resize.of(40, 50)).withTransform(CenterCrop.of(33));
        CachedDataset<LabeledImage> cached = images.cached(MUCH)) {
      List<List<Float>> expected = pixels(images.withTransform(crop));
      Dataset<LabeledImage> cropped =
          cached.map((sample, random) -> sample.withImage(crop.apply(sample.image(), random)));
      assertThat(pixels(cropped)).isEqualTo(expected);
      deleteImages();
      assertThat(pixels(cropped)).isEqualTo(expected);
      assertThat(cached.stats().samples()).isEqualTo(IMAGES);
      assertThat(cached.stats().misses()).isEqualTo(IMAGES);
      assertThat(cached.get(1).image().description()).isEqualTo(images.describe(1));
      assertThat(cached.get(1).image().pixels().rgb()).hasSize(3 * 33 * 33);
    }
  }

  @Test
  void shouldSayWhatDecodedImagesCannotKeep() throws Exception {
    try (ImageDataset images = ImageFolder.of(root);
        CachedDataset<LabeledImage> normalized =
            images.withTransform(Normalize.imagenet()).cached(MUCH);
        CachedDataset<LabeledImage> random = images.withTransform(crop).cached(MUCH)) {
      assertThatThrownBy(() -> normalized.get(0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(images.describe(0))
          .hasMessageContaining("Normalize, ToTensor and RandomErasing come behind the cache");
      assertThatThrownBy(() -> random.get(0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("cache first, then map the random transforms");
    }
  }
}
