package io.feedline.spark;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.ImageIO;

/** Small images, each of one color. */
final class TaskImages {

  private TaskImages() {}

  /** A PNG of 8 x 6 pixels whose red is the number. */
  static byte[] png(int number) throws IOException {
    BufferedImage image = new BufferedImage(8, 6, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < 6; y++) {
      for (int x = 0; x < 8; x++) {
        image.setRGB(x, y, (number & 0xFF) << 16 | 0x1020);
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }
}
