package io.feedline.formats.image.transform;

import io.feedline.formats.image.transform.internal.Sizes;

/** The size of an image, 1 or more on each side, rows first as everywhere in torchvision. */
record Size(int height, int width) {

  Size {
    Sizes.check("height", height);
    Sizes.check("width", width);
  }
}
