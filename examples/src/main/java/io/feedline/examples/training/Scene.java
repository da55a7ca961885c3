package io.feedline.examples.training;

import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.BoxLabels;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.Mask;

/**
 * An image and the objects that it shows.
 *
 * @param image the image
 * @param mask the class of each pixel: 0 is background, 1 the first class; 255 is unknown
 * @param boxes the boxes around the objects
 * @param labels the classes of the boxes: 0 is the first class
 */
record Scene(Image image, Mask mask, BoundingBoxes boxes, BoxLabels labels) {}
