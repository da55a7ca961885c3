/**
 * COCO: images with boxes, masks, key points or sentences. {@code CocoFile} reads the annotations
 * once, from front to back, into arrays, which take 0.4 times the bytes of the JSON. {@code Rle}
 * makes masks by the arithmetic of COCO's own maskApi.c.
 */
@NullMarked
package io.feedline.formats.coco;

import org.jspecify.annotations.NullMarked;
