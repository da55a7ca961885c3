/**
 * Sound: files, datasets of them, and the transforms of torchaudio.
 *
 * <pre>
 * AudioFile, AudioDataset -&gt; Waveform: (channels, samples) -&gt; transforms -&gt; row of the batch
 *                                  |
 *                                  +-&gt; Spectrogram, MelSpectrogram, MFCC -&gt; AudioFeatures:
 *                                      (channels, bins, frames) -&gt; transforms -&gt; row of the batch
 * </pre>
 *
 * <p><b>Nothing is decoded until it is written.</b> A {@link
 * io.feedline.formats.media.sound.Waveform} knows its rate and length; transforms add to the
 * recipe; only the wanted range is decoded, when the loader writes it into its row. Sounds of
 * different lengths are batched by a {@link io.feedline.batch.PaddingCollator}.
 *
 * <p><b>Threads and memory.</b> Waveforms, features and transforms are immutable and shared by
 * workers. Intermediate samples lie in arrays that each thread keeps. Decoders are closed with the
 * file or the dataset that opened them.
 *
 * <p><b>Transforms are values.</b> Transforms with equal options are equal, and {@link
 * io.feedline.transform.Transforms} writes them as JSON and reads them.
 *
 * <h2>To write your own</h2>
 *
 * <p>A change of samples: a {@link io.feedline.transform.Transform} from {@code Waveform} to {@code
 * Waveform} out of {@code crop}, {@code pad} and {@code mono}, or one that reads {@code toTensor}
 * and returns {@code Waveform.of}. Everything else: a transform to a {@link
 * io.feedline.batch.TensorSource}.
 */
@NullMarked
package io.feedline.formats.media.sound;

import org.jspecify.annotations.NullMarked;
