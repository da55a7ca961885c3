package io.feedline.formats.image.pixel;

import io.feedline.formats.image.Image;

/**
 * A rectangle of pixels. Nothing is checked here; {@link Image#crop} refuses an empty one, and
 * {@link Image#erase} one beyond the image.
 *
 * @param x the left column
 * @param y the upper row
 * @param width in pixels
 * @param height in pixels
 */
public record Region(int x, int y, int width, int height) {}
