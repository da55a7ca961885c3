package com.example;

import io.feedline.formats.image.Image;
import io.feedline.transform.Transform;

/** A transform of a user's, whose class is none of the library's. */
public final class Upright implements Transform<Image, Image> {
  @Override
  public Image apply(Image image) {
    return image.rotate90(image.width() > image.height() ? 1 : 0);
  }
}
