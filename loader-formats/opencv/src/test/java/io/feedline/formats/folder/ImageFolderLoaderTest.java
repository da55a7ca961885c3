package io.feedline.formats.folder;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.ErrorPolicy;
import io.feedline.batch.Batch;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import io.feedline.data.Quarantine;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A folder as people have it, broken files among the sound ones, through a loader. */
class ImageFolderLoaderTest {

  private static final String[] SOUND = {
    "jpeg_1x1.jpg",
    "jpeg_420.jpg",
    "jpeg_444.jpg",
    "jpeg_cmyk_adobe.jpg",
    "jpeg_grey.jpg",
    "jpeg_progressive.jpg",
    "png_grey_16bit.png",
    "png_palette_transparent.png",
    "png_rgb_16bit.png",
    "png_rgba.png"
  };

  @TempDir Path folder;

  @BeforeEach
  void copySoundImages() throws IOException {
    for (String label : new String[] {"a", "b"}) {
      Files.createDirectories(folder.resolve(label));
      for (String name : SOUND) {
        Files.write(folder.resolve(label).resolve(name), Fixtures.bytes(name));
      }
    }
  }

  /** Larger than any of the images, so that the crop reaches beyond all of them. */
  private static Dataset<LabeledImage> forValidation(ImageDataset images) {
    return images.withTransform(CenterCrop.of(96).andThen(Normalize.imagenet()));
  }

  private static DataLoaderBuilder<LabeledImage> forTraining(ImageDataset images) {
    return DataLoader.builder(
            images.withTransform(
                RandomResizedCrop.of(24)
                    .andThen(RandomHorizontalFlip.of(0.5))
                    .andThen(Normalize.imagenet())))
        .batchSize(6)
        .shuffle(true);
  }

  @Test
  void shouldDeliverTheSameBatchesForAnyNumberOfWorkersAndInEachRun() throws IOException {
    ImageDataset images = ImageFolder.of(folder);
    List<List<Long>> streams = new ArrayList<>();
    for (int workers : new int[] {0, 1, 2, 8, 2}) {
      try (DataLoader<LabeledImage> loader = forTraining(images).numWorkers(workers).build()) {
        List<Long> stream = new ArrayList<>();
        for (int epoch = 0; epoch < 3; epoch++) {
          for (Batch batch : loader) {
            try (batch) {
              CRC32C crc = new CRC32C();
              for (Tensor tensor : batch.tensors().values()) {
                crc.update(tensor.bytes());
              }
              stream.add(crc.getValue());
            }
          }
        }
        streams.add(stream);
      }
    }
    assertThat(streams.get(0)).hasSize(3 * 4).doesNotHaveDuplicates();
    assertThat(streams).allMatch(streams.get(0)::equals);
  }

  @ParameterizedTest
  @EnumSource(
      value = DecodeOptions.Backend.class,
      names = {"OPENCV", "FEEDLINE"})
  void shouldTakeOddImagesAndNameTheBrokenOnes(DecodeOptions.Backend backend) throws IOException {
    byte[] whole = Fixtures.bytes("jpeg_420.jpg");
    Map<String, byte[]> broken = new TreeMap<>();
    broken.put("c/cut.jpg", Arrays.copyOf(whole, whole.length * 2 / 3));
    broken.put("c/empty.jpg", new byte[0]);
    broken.put("c/text.jpg", "no image at all".getBytes(StandardCharsets.UTF_8));
    Files.createDirectories(folder.resolve("c"));
    for (Map.Entry<String, byte[]> file : broken.entrySet()) {
      Files.write(folder.resolve(file.getKey()), file.getValue());
    }
    ImageDataset images =
        ImageFolder.of(folder).withDecodeOptions(DecodeOptions.DEFAULT.withBackend(backend));
    Map<String, LoaderException> failures = new TreeMap<>();
    int delivered = 0;
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(forValidation(images)).numWorkers(2).build()) {
      BatchIterator iterator = loader.iterator();
      while (iterator.hasNext()) {
        try (Batch batch = iterator.next()) {
          assertThat(batch.tensor("image").shape()).isEqualTo(Shape.of(1, 3, 96, 96));
          delivered++;
        } catch (LoaderException failure) {
          String file = failure.description().substring(folder.toString().length() + 1);
          failures.put(file.replace('\\', '/'), failure);
        }
      }
    }
    assertThat(delivered).isEqualTo(2 * SOUND.length);
    assertThat(failures.keySet()).isEqualTo(broken.keySet());
    failures.forEach(
        (file, failure) -> {
          long index = failure.index().orElseThrow();
          assertThat(images.path(index)).isEqualTo(folder.resolve(file));
          assertThat(failure)
              .hasMessageContaining(images.path(index).toString())
              .hasMessageContaining("sample " + index)
              .hasCauseInstanceOf(IOException.class);
        });
  }

  @Test
  void shouldGoOnWithoutTheBrokenOnesWhereAsked() throws IOException {
    Files.write(folder.resolve("a/z_text.jpg"), new byte[] {1, 2, 3});
    ImageDataset images = ImageFolder.of(folder);
    try (DataLoader<LabeledImage> loader =
        forTraining(images).errorPolicy(ErrorPolicy.skip().atMost(1)).build()) {
      int delivered = 0;
      for (Batch batch : loader) {
        try (batch) {
          delivered += batch.size();
        }
      }
      assertThat(delivered).isEqualTo(2 * SOUND.length);
      Quarantine quarantine = loader.quarantine();
      assertThat(quarantine.entries()).hasSize(1);
      assertThat(quarantine.entries().get(0).description())
          .isEqualTo(folder.resolve("a/z_text.jpg").toString());
      assertThat(images.without(quarantine).size()).isEqualTo(2L * SOUND.length);
    }
  }
}
