package io.feedline.formats;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.imageio.ImageIO;

/** JPEGs that EXIF turns. */
public final class ExifImages {

  private ExifImages() {}

  /** Returns a JPEG of a size that has an EXIF orientation. */
  public static byte[] turned(int width, int height, int orientation) throws IOException {
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB), "jpg", plain);
    byte[] jpeg = plain.toByteArray();
    ByteBuffer exif = ByteBuffer.allocate(36);
    exif.putShort((short) 0xFFE1)
        .putShort((short) 34)
        .put("Exif\0\0MM".getBytes(StandardCharsets.US_ASCII));
    exif.putShort((short) 42).putInt(8).putShort((short) 1);
    exif.putShort((short) 0x0112).putShort((short) 3).putInt(1).putShort((short) orientation);
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.write(jpeg, 0, 2);
    whole.write(exif.array());
    whole.write(jpeg, 2, jpeg.length - 2);
    return whole.toByteArray();
  }
}
