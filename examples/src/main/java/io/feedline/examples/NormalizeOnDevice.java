package io.feedline.examples;

import ai.djl.ndarray.NDArray;
import io.feedline.DataLoader;
import io.feedline.batch.DType;
import io.feedline.data.Dataset;
import io.feedline.examples.shared.FirstBatch;
import io.feedline.examples.shared.SmallImages;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.gpu.DeviceBatch;
import io.feedline.gpu.DeviceLoader;
import io.feedline.gpu.Normalization;
import io.feedline.transform.RandomTransform;
import java.io.IOException;
import java.util.Iterator;

/**
 * Copies images to the device as bytes, and normalizes them there: {@code NormalizeOnDevice [DIR]},
 * where DIR keeps the generated images.
 */
public final class NormalizeOnDevice {
  private NormalizeOnDevice() {}

  /**
   * Prints how many bytes are copied to DJL's default device with and without this option, and
   * whether the results are equal.
   */
  public static void main(String[] args) throws IOException {
    RandomTransform<Image, Image> crop =
        RandomResizedCrop.of(64).andThen(RandomHorizontalFlip.of());
    ImageDataset folder = SmallImages.of(args).folder();
    Dataset<LabeledImage> asBytes = folder.withTransform(crop.andThen(ToTensor.of(DType.UINT8)));
    Dataset<LabeledImage> asFloats = folder.withTransform(crop.andThen(Normalize.imagenet()));
    try (DataLoader<LabeledImage> bytes = loader(asBytes);
        DataLoader<LabeledImage> floats = loader(asFloats)) {
      FirstBatch.print("to be normalized on the device", bytes);
      FirstBatch.print("normalized on the host", floats);
      compare(bytes, floats);
    }
  }

  /** Returns a loader; all loaders deliver the same crops of the same images in the same order. */
  private static DataLoader<LabeledImage> loader(Dataset<LabeledImage> images) {
    return DataLoader.builder(images).batchSize(32).shuffle(true).seed(1).build();
  }

  private static void compare(DataLoader<LabeledImage> bytes, DataLoader<LabeledImage> floats) {
    try (DeviceLoader onDevice =
            DeviceLoader.builder(bytes).normalizeOnDevice(Normalization.imagenet("image")).build();
        DeviceLoader onHost = DeviceLoader.of(floats, onDevice.device())) {
      Iterator<DeviceBatch> others = onHost.iterator();
      for (DeviceBatch batch : onDevice) {
        try (batch;
            DeviceBatch other = others.next()) {
          NDArray image = batch.tensor("image");
          System.out.printf(
              "%s %s, equal: %b%n",
              image.getDataType(), image.getShape(), image.contentEquals(other.tensor("image")));
        }
      }
    }
  }
}
