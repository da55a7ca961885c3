package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import io.feedline.formats.image.pixel.ImageSource;
import io.feedline.formats.image.pixel.ImageSource.PixelRows;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.SampleRandom;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Images on their whole way, from a dataset into the rows of batches. */
class ImageBatchTest {

  private static final int SIZE = 20;
  private static final long SEED = 11;

  private final Dataset<Image> images =
      Dataset.of(10, index -> TestImage.image(30 + (int) index, 50 - (int) index));

  private final RandomTransform<Image, Image> train =
      RandomResizedCrop.of(SIZE).andThen(RandomHorizontalFlip.of()).andThen(Normalize.imagenet());

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void shouldWriteEachImageIntoItsRow(int workers) throws Exception {
    try (DataLoader<Image> loader =
        DataLoader.builder(images.map(train)).batchSize(4).seed(SEED).numWorkers(workers).build()) {
      int rows = 0;
      for (Batch batch : loader) {
        try (batch) {
          Tensor tensor = batch.tensor(0);
          int rowBytes = tensor.byteSize() / batch.size();
          for (int row = 0; row < batch.size(); row++) {
            long index = batch.indices()[row];
            Image expected = train.apply(images.get(index), new SampleRandom(SEED, 0, index, 0));

            assertThat(tensor.bytes().slice(row * rowBytes, rowBytes))
                .isEqualTo(Golden.written(expected));
            rows++;
          }
        }
      }
      assertThat(rows).isEqualTo(10);
    }
  }

  @Test
  void shouldTellWhichImageCouldNotBeDecoded() {
    ImageSource broken =
        new ImageSource() {
          @Override
          public int width() {
            return 30;
          }

          @Override
          public int height() {
            return 30;
          }

          @Override
          public PixelRows decode(Region region) throws IOException {
            throw new IOException("no end of image");
          }
        };
    Dataset<Image> dataset =
        Dataset.of(1, index -> Image.of(broken, "cats/7.jpg")).map(CenterCrop.of(9));

    try (DataLoader<Image> loader = DataLoader.builder(dataset).build()) {
      assertThatThrownBy(() -> loader.iterator().next())
          .isInstanceOf(LoaderException.class)
          .hasMessageContaining("cats/7.jpg: no end of image");
    }
  }
}
