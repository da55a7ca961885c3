/**
 * Datasets of images for a {@link io.feedline.DataLoader}: any store of encoded images, with decode
 * options, transforms, classes, labels and caches in memory.
 *
 * <p>Splitting, filtering or joining an {@link io.feedline.formats.image.dataset.ImageDataset}
 * returns ImageDatasets again; {@code close} closes the store and the scan indexes. {@link
 * io.feedline.formats.image.dataset.FakeData} makes random images for tests.
 */
@NullMarked
package io.feedline.formats.image.dataset;

import org.jspecify.annotations.NullMarked;
