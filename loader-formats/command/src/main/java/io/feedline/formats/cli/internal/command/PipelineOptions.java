package io.feedline.formats.cli.internal.command;

import io.feedline.batch.DType;
import io.feedline.data.Dataset;
import io.feedline.data.SampleContext;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.transform.RandomTransform;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The pipeline of a training: {@code RandomResizedCrop}, {@code RandomHorizontalFlip}, {@code
 * Normalize}, to float32 (3, size, size).
 *
 * @param imageSize the side of the square, in pixels
 */
public record PipelineOptions(int imageSize) {

  /** The images as a training takes them. */
  public ImageDataset of(ImageDataset images) {
    return images.withTransform(geometry().andThen(Normalize.imagenet()));
  }

  /** The images as bytes, to be normalized on the device. */
  public ImageDataset ofBytes(ImageDataset images) {
    return images.withTransform(geometry().andThen(ToTensor.builder().dtype(DType.UINT8).build()));
  }

  private RandomTransform<Image, Image> geometry() {
    return RandomResizedCrop.of(imageSize).andThen(RandomHorizontalFlip.of());
  }

  /** The bytes of a row of floats. */
  public int rowBytes() {
    return 3 * imageSize * imageSize * Float.BYTES;
  }

  /** Memory for a row. */
  public ByteBuffer row() {
    return ByteBuffer.allocateDirect(rowBytes()).order(ByteOrder.nativeOrder());
  }

  /**
   * Decodes a sample into a row, as a worker does.
   *
   * @param epoch of the random transforms
   */
  public static void write(Dataset<LabeledImage> samples, long index, long epoch, ByteBuffer row)
      throws Exception {
    Image image = samples.get(index, new SampleContext(0, epoch, index)).image();
    row.clear().limit(Math.toIntExact(image.shape().elements() * image.dtype().bytes()));
    image.writeTo(row.slice().order(ByteOrder.nativeOrder()));
  }
}
