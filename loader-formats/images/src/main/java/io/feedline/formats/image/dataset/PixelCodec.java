package io.feedline.formats.image.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.batch.SampleCodec;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.internal.BufferSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A codec that keeps labeled images as decoded pixels: the results of the transforms before the
 * cache. The form is: the number of bytes of a pixel (which identifies the mode), width, height,
 * label and length of the description, 4 bytes each; then the description; then the pixels.
 */
final class PixelCodec implements SampleCodec<LabeledImage> {

  private static final int HEADER = 5 * Integer.BYTES;

  @Override
  public long byteSize(LabeledImage sample) {
    Image image = sample.image();
    return HEADER + image.description().getBytes(UTF_8).length + image.pixelBytes();
  }

  @Override
  public void encode(LabeledImage sample, ByteBuffer target) throws IOException {
    Image image = sample.image();
    byte[] description = image.description().getBytes(UTF_8);
    target.putInt(image.mode().pixelBytes());
    target.putInt(image.width()).putInt(image.height()).putInt(sample.label());
    target.putInt(description.length).put(description);
    image.writePixels(target.slice().order(ByteOrder.nativeOrder()));
    target.position(target.limit());
  }

  @Override
  public LabeledImage decode(ByteBuffer source) {
    ImageMode mode = modeOf(source.getInt());
    int width = source.getInt();
    int height = source.getInt();
    int label = source.getInt();
    byte[] description = new byte[source.getInt()];
    source.get(description);
    return new LabeledImage(
        Image.of(
            new BufferSource(source.slice(), width, height, mode), new String(description, UTF_8)),
        label);
  }

  /** Returns the mode whose pixels take this number of bytes, which differs for each mode. */
  private static ImageMode modeOf(int pixelBytes) {
    for (ImageMode mode : ImageMode.values()) {
      if (mode.pixelBytes() == pixelBytes) {
        return mode;
      }
    }
    throw new IllegalArgumentException("no mode has pixels of %d bytes".formatted(pixelBytes));
  }
}
