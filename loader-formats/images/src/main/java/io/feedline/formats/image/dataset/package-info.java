/**
 * Datasets of images: any store of encoded images, its decode options, transforms, classes and
 * labels, and the caches of these in memory. A {@link io.feedline.DataLoader} reads them.
 *
 * <p>An {@link io.feedline.formats.image.dataset.ImageDataset} stays one when it is split, filtered
 * or joined; its {@code close} closes the store and the scan indexes. {@link
 * io.feedline.formats.image.dataset.FakeData} makes images up, for trials.
 */
@NullMarked
package io.feedline.formats.image.dataset;

import org.jspecify.annotations.NullMarked;
