package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import io.feedline.sampler.Sampler.Order;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingDataTest {
  @TempDir Path temp;

  private void images(String directory, int count) throws IOException {
    Path into = Files.createDirectories(temp.resolve(directory));
    // Listed and packed by their first bytes, never decoded.
    byte[] beginsAsJpeg = {(byte) 0xFF, (byte) 0xD8, (byte) 0xFF, 0};
    for (int i = 0; i < count; i++) {
      Files.write(into.resolve("%03d.jpg".formatted(i)), beginsAsJpeg);
    }
  }

  private static void pack(ImageDataset images, Path target, String format) throws IOException {
    Packing packing = Packing.of(images.classes(), images.size());
    try (images;
        StoreWriter<EncodedImage> writer = StoreFormat.named(format).create(target, packing)) {
      for (long index = 0; index < images.size(); index++) {
        writer.write(images.encoded(index));
      }
      writer.commit();
    }
  }

  private TrainingData open() throws IOException {
    return TrainingData.open(temp, 32, DecodeOptions.Backend.AUTO, 1);
  }

  private List<String> names(ImageDataset images) {
    return LongStream.range(0, images.size())
        .mapToObj(index -> temp.relativize(images.path(index)).toString())
        .toList();
  }

  @Test
  void shouldHoldOutEveryTenthImageOfAClass() throws Exception {
    images("cat", 25);
    images("dog", 1);
    images("emu", 2);

    TrainingData data = open();

    assertThat(data.classes()).containsExactly("cat", "dog", "emu");
    assertThat(names(data.val()))
        .containsExactly("cat/000.jpg", "cat/010.jpg", "cat/020.jpg", "emu/000.jpg");
    assertThat(names(data.train()))
        .hasSize(24)
        .doesNotHaveDuplicates()
        .doesNotContainAnyElementsOf(names(data.val()));
    Order order = data.trainOrder().order(0);
    assertThat(LongStream.range(0, order.size()).map(order::indexAt).sorted())
        .containsExactlyElementsOf(LongStream.range(0, 24).boxed().toList());
    assertThat(data)
        .hasToString(
            "24 images to train, 4 to validate, 3 classes ("
                + temp
                + ", every 10th image of a class for validation)");
  }

  @Test
  void shouldTakeTrainAndValAsTheyAre() throws Exception {
    images("train/cat", 3);
    images("train/dog", 2);
    images("val/cat", 1);
    images("val/dog", 1);

    TrainingData data = open();

    assertThat(data.train().size()).isEqualTo(5);
    assertThat(data.val().size()).isEqualTo(2);
    assertThat(data.classes()).containsExactly("cat", "dog");
  }

  @Test
  void shouldRefuseOtherClassesToValidate() throws Exception {
    images("train/cat", 1);
    images("val/dog", 1);

    assertThatThrownBy(this::open)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("must have the same classes; found [cat] and [dog]");
  }

  @Test
  void shouldHoldOutFromAnArchiveToo() throws Exception {
    images("cat", 11);
    images("dog", 2);
    Path packed = temp.resolve("packed.zip");
    pack(ImageDataset.open(temp), packed, "zip");

    try (TrainingData data = TrainingData.open(packed, 32, DecodeOptions.Backend.AUTO, 1)) {
      assertThat(data.classes()).containsExactly("cat", "dog");
      assertThat(data.train().labels()).hasSize(10).contains(1);
      assertThat(data.val().labels()).containsExactly(0, 0, 1);
    }
  }

  @Test
  void shouldRefuseImagesWithoutClasses() throws Exception {
    Path packed = temp.resolve("packed.lmdb");
    try (StoreWriter<EncodedImage> writer =
        StoreFormat.named("lmdb").create(packed, Packing.of(List.of(), 1))) {
      writer.write(new EncodedImage("one", new byte[] {1, 2, 3}, EncodedImage.NO_LABEL));
      writer.commit();
    }

    assertThatThrownBy(() -> TrainingData.open(packed, 32, DecodeOptions.Backend.AUTO, 1))
        .hasMessageContaining("has the label -1, but there are 0 classes with names");
  }
}
