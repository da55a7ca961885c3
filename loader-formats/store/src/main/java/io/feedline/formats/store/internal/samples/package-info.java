/**
 * Parts that stores of several formats share: names of classes, columns of tables, and stores made
 * of other stores or of a format's dataset.
 *
 * <p>{@link io.feedline.formats.store.internal.samples.ClassList} keeps the names of classes beside
 * a format that has no place for them; {@link
 * io.feedline.formats.store.internal.samples.ForwardingStore} and {@link
 * io.feedline.formats.store.internal.samples.DatasetStore} are the bases of stores.
 */
@NullMarked
package io.feedline.formats.store.internal.samples;

import org.jspecify.annotations.NullMarked;
