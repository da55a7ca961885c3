package io.feedline.formats.cli;

import io.feedline.DType;
import io.feedline.Dataset;
import io.feedline.SampleContext;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.ImageDataset;
import io.feedline.formats.image.LabeledImage;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.transform.RandomTransform;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a training does to an image: {@code RandomResizedCrop}, {@code RandomHorizontalFlip}, {@code
 * Normalize}, to float32 (3, size, size).
 *
 * @param imageSize the side of the square, in pixels
 */
record Training(int imageSize) {

  /** The images as a training takes them. */
  ImageDataset of(ImageDataset images) {
    return images.withTransform(geometry().andThen(Normalize.imagenet()));
  }

  /** The images as bytes, to be normalized on the device. */
  ImageDataset ofBytes(ImageDataset images) {
    return images.withTransform(geometry().andThen(ToTensor.builder().dtype(DType.UINT8).build()));
  }

  private RandomTransform<Image, Image> geometry() {
    return RandomResizedCrop.of(imageSize).andThen(RandomHorizontalFlip.of());
  }

  /** The bytes of a row of floats. */
  int rowBytes() {
    return 3 * imageSize * imageSize * Float.BYTES;
  }

  /** Memory for a row. */
  ByteBuffer row() {
    return ByteBuffer.allocateDirect(rowBytes()).order(ByteOrder.nativeOrder());
  }

  /**
   * Decodes a sample into a row, as a worker does.
   *
   * @param epoch of the random transforms
   */
  static void write(Dataset<LabeledImage> samples, long index, long epoch, ByteBuffer row)
      throws Exception {
    Image image = samples.get(index, new SampleContext(0, epoch, index)).image();
    row.clear().limit(Math.toIntExact(image.shape().elements() * image.dtype().bytes()));
    image.writeTo(row.slice().order(ByteOrder.nativeOrder()));
  }
}
