package io.feedline.formats.image.transform;

import io.feedline.formats.image.transform.internal.Sizes;

/**
 * The size of an image, rows first as everywhere in torchvision.
 *
 * @param height rows, 1 or more
 * @param width columns, 1 or more
 */
record Size(int height, int width) {

  Size {
    Sizes.check("height", height);
    Sizes.check("width", width);
  }
}
