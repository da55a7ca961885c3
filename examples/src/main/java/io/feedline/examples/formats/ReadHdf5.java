package io.feedline.examples.formats;

import io.feedline.DataLoader;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.examples.shared.FirstBatch;
import io.feedline.examples.shared.SmallImages;
import io.feedline.examples.training.TrainingData;
import io.feedline.formats.hdf5.Hdf5Dataset;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.Resize;
import io.jhdf.HdfFile;
import io.jhdf.WritableHdfFile;
import io.jhdf.api.DatasetCreationOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Map;

/**
 * Reads arrays from an HDF5 file, as h5py and many published datasets keep images: {@code images}
 * of shape (n, height, width, 3) in bytes, and {@code labels} of shape (n). {@code ReadHdf5 [DIR]},
 * where DIR keeps the generated file.
 */
public final class ReadHdf5 {
  private static final int SIDE = 72;

  private ReadHdf5() {}

  /** Writes a file with jHDF; prints the first batch of its arrays, and of images made of them. */
  public static void main(String[] args) throws IOException {
    SmallImages images = SmallImages.of(args);
    Path file = images.directory().resolve("train.h5");
    write(images.folder(), file);

    try (Hdf5Dataset arrays =
        Hdf5Dataset.builder(file).field("image", "images").label("label", "labels").build()) {
      // The arrays unchanged: each row of an array is copied straight into its row of the batch.
      try (DataLoader<Map<String, TensorSource>> loader =
          DataLoader.builder(arrays).batchSize(32).shuffle(true).build()) {
        FirstBatch.print("arrays", loader);
      }

      // The arrays as images, so that transforms can be applied.
      Dataset<LabeledImage> dataset = arrays.map(ReadHdf5::image).map(TrainingData.trainSample(64));
      try (DataLoader<LabeledImage> loader =
          DataLoader.builder(dataset).batchSize(32).shuffle(true).build()) {
        FirstBatch.print("images", loader);
      }
    }
  }

  private static LabeledImage image(Map<String, TensorSource> sample) throws Exception {
    TensorSource pixels = sample.get("image");
    byte[] rgb = new byte[(int) pixels.shape().elements()];
    pixels.writeTo(ByteBuffer.wrap(rgb).order(ByteOrder.nativeOrder()));
    ByteBuffer label = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    sample.get("label").writeTo(label);
    int height = (int) pixels.shape().length(0);
    int width = (int) pixels.shape().length(1);
    return new LabeledImage(Image.ofRgb(rgb, width, height), (int) label.getLong(0));
  }

  private static void write(ImageDataset folder, Path file) throws IOException {
    byte[][][][] images = new byte[(int) folder.size()][SIDE][SIDE][3];
    for (int i = 0; i < images.length; i++) {
      byte[] rgb = Resize.of(SIDE, SIDE).apply(folder.get(i).image()).pixels().rgb();
      for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
          System.arraycopy(rgb, 3 * (y * SIDE + x), images[i][y][x], 0, 3);
        }
      }
    }
    try (WritableHdfFile hdf = HdfFile.write(file)) {
      hdf.putDataset("images", images, DatasetCreationOptions.builder().unsigned().build());
      hdf.putDataset("labels", folder.labels());
    }
  }
}
