package com.example;

import io.feedline.formats.image.Image;
import io.feedline.transform.Transform;

/** A user's transform whose work is done when the image is written, by a lambda. */
public final class PutOff implements Transform<Image, Image> {

  @Override
  public Image apply(Image image) {
    return image.map((rgb, width, height) -> spin());
  }

  /** Spins for so long that it shows among the others. */
  public static void spin() {
    long end = System.nanoTime() + 20_000_000;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }
}
