/**
 * Functions on samples, and the randomness they may use.
 *
 * <p>A {@link io.feedline.transform.Transform} is pure; a {@link
 * io.feedline.transform.RandomTransform} is handed a generator. A loader makes that generator, a
 * {@link io.feedline.transform.SampleRandom}, from (seed, epoch, index, which transform), and from
 * the occurrence where an epoch may repeat an index; a stream's index is the place in the whole
 * stream. So a repeated sample is changed anew, on any rank, and the result never depends on the
 * worker that made it, on the number of workers, or on the samples loaded before. Both are called
 * by many workers at once and must be thread-safe.
 *
 * <p>To create your own: write a lambda or an immutable class for one of the two interfaces and
 * give it to {@code Dataset.map}; put them together with {@code andThen}.
 */
@NullMarked
package io.feedline.transform;

import org.jspecify.annotations.NullMarked;
