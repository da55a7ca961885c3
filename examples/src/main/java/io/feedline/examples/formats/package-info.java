/**
 * A {@code Read} program for each format, and for object stores. It shows each way of reading that
 * suits the format: at random, shard by shard, as a stream.
 *
 * <p>To add a program for a format, copy the nearest one: {@link
 * io.feedline.examples.shared.SmallImages} makes and packs the images, {@link
 * io.feedline.examples.shared.FirstBatch} prints.
 */
package io.feedline.examples.formats;
