package io.feedline.formats.cli;

import io.feedline.formats.image.DecodeOptions;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.Pixels;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.store.EncodedImage;
import io.feedline.transform.Transform;
import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/**
 * Makes an image smaller, once and for all: scaled until its shorter side has a given length, and
 * written as JPEG. An image that is smaller already stays as it is, byte for byte.
 *
 * <p>Thread-safe.
 *
 * @param shorterSide in pixels
 * @param quality of the JPEG, 1 to 100
 */
record Reencoder(int shorterSide, int quality) implements Transform<EncodedImage, EncodedImage> {

  @Override
  public EncodedImage apply(EncodedImage stored) throws IOException {
    Image image = Image.ofEncoded(stored.bytes(), stored.key(), DecodeOptions.DEFAULT);
    if (Math.min(image.width(), image.height()) <= shorterSide) {
      return stored;
    }
    Pixels pixels = Resize.of(shorterSide).apply(image).pixels();
    return new EncodedImage(stored.key(), jpeg(pixels), stored.label());
  }

  private byte[] jpeg(Pixels pixels) throws IOException {
    BufferedImage image =
        new BufferedImage(pixels.width(), pixels.height(), BufferedImage.TYPE_3BYTE_BGR);
    image.setData(
        Raster.createInterleavedRaster(
            new java.awt.image.DataBufferByte(pixels.rgb(), pixels.rgb().length),
            pixels.width(),
            pixels.height(),
            3 * pixels.width(),
            3,
            new int[] {0, 1, 2},
            null));
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
      ImageWriteParam options = writer.getDefaultWriteParam();
      options.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
      options.setCompressionQuality(quality / 100f);
      writer.setOutput(out);
      writer.write(null, new IIOImage(image, null, null), options);
    } finally {
      writer.dispose();
    }
    return bytes.toByteArray();
  }
}
