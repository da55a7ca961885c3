package io.feedline.examples;

import io.feedline.DataLoader;
import io.feedline.batch.BatchTransform;
import io.feedline.batch.DType;
import io.feedline.data.Dataset;
import io.feedline.examples.shared.SmallImages;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.mixing.CutMix;
import io.feedline.formats.image.mixing.MixUp;
import io.feedline.formats.image.transform.RandomErasing;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.gpu.DeviceBatch;
import io.feedline.gpu.DeviceLoader;
import io.feedline.gpu.Normalization;
import java.io.IOException;

/**
 * Copies images to the device as bytes, and normalizes and mixes them there: {@code MixOnDevice
 * [DIR]}, where DIR keeps the generated images.
 */
public final class MixOnDevice {
  private MixOnDevice() {}

  /** Prints the first batch on DJL's default device. */
  public static void main(String[] args) throws IOException {
    ImageDataset folder = SmallImages.of(args).folder();
    int classes = folder.classes().size();
    Dataset<LabeledImage> bytes =
        folder.withTransform(RandomResizedCrop.of(64).andThen(ToTensor.of(DType.UINT8)));
    try (DataLoader<LabeledImage> host =
            DataLoader.builder(bytes).batchSize(32).shuffle(true).build();
        DeviceLoader loader =
            DeviceLoader.builder(host)
                .normalizeOnDevice(Normalization.imagenet("image"))
                .transformOnDevice(
                    BatchTransform.oneOf(MixUp.of(classes, 0.2), CutMix.of(classes))
                        .andThen(RandomErasing.of(0.25).onBatches("image")))
                .build();
        DeviceBatch batch = loader.iterator().next()) {
      System.out.println(
          batch.tensor("image").getDataType() + " images " + batch.tensor("image").getShape());
      System.out.println(
          batch.tensor("label").getDataType() + " labels " + batch.tensor("label").getShape());
    }
  }
}
