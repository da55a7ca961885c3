package io.feedline.formats.image.pixel.internal;

import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.pixel.ImageSource;

/** An image that is made of another image, by default of the same size and mode. */
public interface DerivedSource extends ImageSource {

  ImageSource parent();

  @Override
  default int width() {
    return parent().width();
  }

  @Override
  default int height() {
    return parent().height();
  }

  @Override
  default ImageMode mode() {
    return parent().mode();
  }
}
