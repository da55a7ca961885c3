/**
 * Sound: files, datasets of them, and the transforms of torchaudio.
 *
 * <p>A {@link io.feedline.formats.media.sound.Waveform} has a known rate and length, but no samples
 * yet: a transform returns a new recipe. Only the wanted range is decoded, when the loader writes
 * the range into a batch's row. {@link io.feedline.batch.PaddingCollator} batches sounds of
 * different lengths.
 *
 * <p>Waveforms, features and transforms are immutable and shared by workers; decoders are closed
 * with the file or the dataset that opened them. Transforms with equal options are equal, and
 * {@link io.feedline.transform.Transforms} writes them as JSON and reads them.
 */
@NullMarked
package io.feedline.formats.media.sound;

import org.jspecify.annotations.NullMarked;
