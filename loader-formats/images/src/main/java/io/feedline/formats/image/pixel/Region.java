package io.feedline.formats.image.pixel;

import io.feedline.formats.image.Image;

/**
 * A rectangle of pixels. The constructor checks nothing; {@link Image#crop} refuses an empty
 * region, and {@link Image#erase} a region beyond the image.
 *
 * @param x the left column
 * @param y the upper row
 * @param width the number of columns
 * @param height the number of rows
 */
public record Region(int x, int y, int width, int height) {}
