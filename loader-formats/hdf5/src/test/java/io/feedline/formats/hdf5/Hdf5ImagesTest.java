package io.feedline.formats.hdf5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.Place;
import io.feedline.formats.store.StoreContract;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

class Hdf5ImagesTest {

  @TempDir private Path directory;

  private Hdf5Dataset.ImagesBuilder builder() throws IOException {
    return Hdf5Dataset.images(Fixtures.copy(directory, "pictures.h5"));
  }

  private static void requireAll(ImageDataset images, int keyStep) throws Exception {
    List<Fixtures.Fixture> expected = Fixtures.images();
    assertThat(images.size()).isEqualTo(expected.size());
    for (int i = expected.size() - 1; i >= 0; i--) {
      EncodedImage image = images.encoded(i);
      assertThat(image.key()).isEqualTo(Integer.toString(i * keyStep));
      assertThat(image.label()).isEqualTo(expected.get(i).label());
      assertThat(FixtureFiles.crc(image.bytes())).isEqualTo(expected.get(i).crc());
      assertThat(images.get(i).image().width()).isEqualTo(9 + i);
    }
  }

  @Test
  void shouldReadByteStringsThatH5pyWrote() throws Exception {
    try (ImageDataset images = builder().build()) {
      requireAll(images, 1);
    }
    try (ImageDataset images = builder().imageField("nested/jpegs").build()) {
      requireAll(images, 1);
    }
  }

  @Test
  void shouldReadAGroupForEachImage() throws Exception {
    try (ImageDataset images =
        builder().groupPerSample("samples").imageField("image").labelField("label").build()) {
      requireAll(images, 5);
      assertThat(images.describe(1)).endsWith("pictures.h5, group 5");
    }
  }

  @Test
  void shouldReadManyShortStringsOfOneHeap() throws Exception {
    try (ImageDataset images = builder().imageField("small").withoutLabels().build()) {
      assertThat(images.size()).isEqualTo(300);
      for (int i = 299; i >= 0; i--) {
        EncodedImage image = images.encoded(i);
        assertThat(image.label()).isEqualTo(EncodedImage.NO_LABEL);
        byte[] expected = new byte[i % 5];
        Arrays.fill(expected, (byte) i);
        assertThat(image.bytes()).isEqualTo(expected);
      }
    }
  }

  @Test
  void shouldReadBehindAUserBlock() throws Exception {
    Path file = Fixtures.copy(directory, "block.h5");
    try (ImageDataset images =
        Hdf5Dataset.images(file).imageField("bytes").withoutLabels().build()) {
      assertThat(images.encoded(1).bytes()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
    }
  }

  @Test
  void shouldRefuseWhatAreNoImagesOrLabels() throws Exception {
    assertThatThrownBy(() -> builder().imageField("labels").build())
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll(
            "labels has elements of FixedPoint", "vlen uint8", "image-field", "Hdf5Dataset");
    assertThatThrownBy(() -> builder().labelField("three labels").build())
        .isInstanceOf(FormatException.class)
        .hasMessageContainingAll("6 images", "3 labels");
    assertThatThrownBy(() -> builder().labelField("images").build())
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("VariableLength");
    try (ImageDataset images = builder().labelField("soft labels").build()) {
      assertThatThrownBy(() -> images.get(0))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("labels of shape (2)");
    }
    try (ImageDataset images =
        builder().groupPerSample("samples").imageField("label").withoutLabels().build()) {
      assertThatThrownBy(() -> images.get(2))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("10/label", "bytes along one axis");
    }
  }

  @Test
  void shouldRefuseALabelThatHasNoClass() throws Exception {
    try (ImageDataset images = builder().classes(List.of("a", "b")).build()) {
      assertThat(images.classes()).containsExactly("a", "b");
      assertThat(images.get(1).label()).isEqualTo(1);
      assertThatThrownBy(() -> images.get(2))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("images[2]", "the label is 2");
    }
  }

  @Test
  void shouldOpenAsItsOptionsSay() throws IOException {
    Path file = Fixtures.copy(directory, "pictures.h5");
    StoreFormat format = StoreFormat.of(file);
    assertThat(format.name()).isEqualTo("hdf5");
    assertThat(StoreFormat.of(directory).name()).isEqualTo("hdf5");

    StoreOptions nested = StoreOptions.NONE.with("image-field", "nested/jpegs");
    StoreOptions groups =
        StoreOptions.NONE
            .with("group", "samples")
            .with("image-field", "image")
            .with("label-field", "label");
    try (ImageStore arrays = format.open(directory, nested);
        ImageStore unlabeled = format.open(file, nested.with("label-field", ""));
        ImageStore images = format.open(file, groups)) {
      assertThat(arrays.size()).isEqualTo(6);
      assertThat(arrays.label(1)).isEqualTo(1);
      assertThat(unlabeled.read(1).label()).isEqualTo(EncodedImage.NO_LABEL);
      assertThat(images.read(1).key()).isEqualTo("5");
      assertThat(images.read(1).label()).isEqualTo(1);
    }
  }

  @Test
  void shouldSayThatItDoesNotWrite() {
    StoreFormat format = new Hdf5Format();
    Path file = directory.resolve("new.h5");

    assertThat(format.isWritable()).isFalse();
    assertThatThrownBy(() -> format.create(file, Packing.of(List.of(), 1)))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContainingAll("new.h5", "only read");
  }

  @Test
  void shouldHaveTheFingerprintOfItsContent() throws IOException {
    Path file = Fixtures.copy(directory, "pictures.h5");
    Path copy = Files.copy(file, directory.resolve("copy.h5"));
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1;
    Path changed = Files.write(directory.resolve("changed.h5"), bytes);
    try (ImageDataset images = Hdf5Dataset.images(file).build();
        ImageDataset same = Hdf5Dataset.images(copy).build();
        ImageDataset other = Hdf5Dataset.images(changed).build();
        ImageDataset nested = Hdf5Dataset.images(file).imageField("nested/jpegs").build()) {
      assertThat(images.fingerprint())
          .startsWith("Hdf5Dataset.images:6:" + bytes.length + ":")
          .isEqualTo(same.fingerprint())
          .isNotEqualTo(other.fingerprint())
          .isNotEqualTo(nested.fingerprint());
    }
  }

  /** Damage is refused with an exception that names the file, or does no harm. */
  @Test
  void shouldNeverFailOtherwiseOnDamagedFiles() throws Exception {
    byte[] bytes = Fixtures.bytes("pictures.h5");
    Path file = directory.resolve("damaged.h5");
    SplittableRandom random = new SplittableRandom(2);
    int refused = 0;
    for (int round = 0; round < 100; round++) {
      byte[] damaged = bytes.clone();
      for (int i = 0; i < 60; i++) {
        damaged[random.nextInt(2000, damaged.length)] = (byte) random.nextInt();
      }
      Files.write(file, damaged);
      try (ImageDataset images = Hdf5Dataset.images(file).build()) {
        for (int i = 0; i < Math.min(10, images.size()); i++) {
          images.encoded(i);
        }
      } catch (IOException expected) {
        assertThat(expected).hasMessageContaining(file.toString());
        refused++;
      }
    }
    assertThat(refused).isPositive();
  }

  @Nested
  class OfByteStrings extends DatasetContract<LabeledImage> {
    @Override
    protected Dataset<LabeledImage> dataset() throws IOException {
      return builder().build();
    }
  }

  @Nested
  class OfGroups extends DatasetContract<LabeledImage> {
    @Override
    protected Dataset<LabeledImage> dataset() throws IOException {
      return builder().groupPerSample("/samples").imageField("image").labelField("label").build();
    }
  }

  @Nested
  @ParameterizedClass(name = "{0}")
  @EnumSource(Place.class)
  class Stores extends StoreContract {
    @Override
    protected StoreFormat format() {
      return StoreFormat.named("hdf5");
    }

    @Override
    protected Path make(Path root) throws IOException {
      return Fixtures.copy(root, "pictures.h5");
    }
  }
}
