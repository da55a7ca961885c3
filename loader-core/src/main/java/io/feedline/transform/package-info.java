/**
 * Functions on samples, and the randomness they may use.
 *
 * <p>A {@link io.feedline.transform.Transform} is pure; a {@link
 * io.feedline.transform.RandomTransform} gets a generator. A loader makes that generator, a {@link
 * io.feedline.transform.SampleRandom}, from (seed, epoch, index, number of the transform), and from
 * the occurrence if an epoch may repeat an index; the index of a stream's sample is its place in
 * the whole stream. So a repeated sample is changed anew, on any rank, and the result never depends
 * on the worker that made it, on the number of workers, or on the samples loaded before. Many
 * workers call both at once, so both must be thread-safe.
 *
 * <p>To create your own: write a lambda or an immutable class for one of the two interfaces and
 * pass it to {@code Dataset.map}; combine transforms with {@code andThen}.
 */
@NullMarked
package io.feedline.transform;

import org.jspecify.annotations.NullMarked;
