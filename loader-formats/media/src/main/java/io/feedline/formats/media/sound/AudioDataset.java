package io.feedline.formats.media.sound;

import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.data.FormatException;
import io.feedline.formats.folder.ImageFiles;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.media.DamagePolicy;
import io.feedline.formats.media.internal.Idle;
import io.feedline.formats.media.internal.MediaBytes;
import io.feedline.transform.RandomTransform;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.random.RandomGenerator;

/**
 * A dataset of sound files with classes, from a folder for each class, a CSV file, or a list.
 *
 * <pre>{@code
 * Dataset<LabeledAudio<AudioFeatures>> train =
 *     AudioDataset.ofFolder(Path.of("speech/train"))
 *         .withTransform(
 *             Resample.to(16_000).andThen(Mono.of()).andThen(RandomTrim.of(16_000))
 *                 .andThen(MelSpectrogram.of()));
 * }</pre>
 *
 * <p>{@link #get} reads a file's header. When the sound writes itself into a batch, only the range
 * that the transforms keep is decoded. A file's rate, channels and length stay in memory: 24 bytes.
 *
 * <p>Files are listed once, in the order of {@link ImageFolder} and {@link ImageFiles}.
 * Thread-safe. The caller closes the dataset, which keeps at most 32 files open; closing twice is
 * allowed, and reading afterwards throws {@link IllegalStateException}.
 */
public final class AudioDataset implements Dataset<AudioDataset.LabeledAudio<Waveform>>, Closeable {

  /** The extensions of a folder's files that count as sounds, compared in lower case. */
  public static final List<String> EXTENSIONS =
      List.of(
          ".wav", ".flac", ".mp3", ".ogg", ".oga", ".opus", ".m4a", ".aac", ".aif", ".aiff", ".au",
          ".caf", ".w64");

  /** The files with their labels and classes; no file is read as an image. */
  private final ImageDataset files;

  private final int[] labels;
  private final DamagePolicy damage;
  private final Idle<AudioReader> readers = AudioSource.idle();
  private final AtomicReferenceArray<AudioReader.Info> infos;

  private AudioDataset(ImageDataset files, DamagePolicy damage) throws IOException {
    this.files = files;
    this.labels = files.labels();
    this.damage = damage;
    this.infos = new AtomicReferenceArray<>(labels.length);
  }

  /**
   * Returns the sounds in a directory for each class, as torchvision's ImageFolder lists them.
   *
   * @throws FileNotFoundException if {@code root} has no directories, or a directory has no sounds
   * @throws IOException if a directory cannot be listed
   */
  public static AudioDataset ofFolder(Path root) throws IOException {
    String[] extensions = EXTENSIONS.toArray(String[]::new);
    return new AudioDataset(
        ImageFolder.builder(root).extensions(extensions).build(), DamagePolicy.CONCEAL);
  }

  /**
   * Returns the sounds that a CSV file names.
   *
   * @param csv the CSV file, whose first line names the columns
   * @param fileColumn the column with the names of the files, below the directory of the CSV file
   * @param labelColumn the column with the classes
   * @throws FileNotFoundException if a file does not exist
   * @throws FormatException if the file is not a CSV file with these columns
   * @throws IOException if the CSV file cannot be read
   */
  public static AudioDataset ofCsv(Path csv, String fileColumn, String labelColumn)
      throws IOException {
    return new AudioDataset(ImageFiles.ofCsv(csv, fileColumn, labelColumn), DamagePolicy.CONCEAL);
  }

  /**
   * Returns the sounds of some files, without labels: each label is -1.
   *
   * @param files one or more files of one file system, with any names
   * @throws FileNotFoundException if a file does not exist
   */
  public static AudioDataset ofFiles(List<Path> files) throws IOException {
    return new AudioDataset(ImageFiles.of(files), DamagePolicy.CONCEAL);
  }

  /**
   * Returns a new dataset of these files with another treatment of damaged packets; {@link
   * DamagePolicy#CONCEAL} is the default. The caller closes both datasets.
   */
  public AudioDataset withDamage(DamagePolicy policy) throws IOException {
    return new AudioDataset(files, policy);
  }

  /**
   * Returns a dataset of the samples, each with its sound transformed and its label unchanged.
   *
   * @param <R> the result of the transform
   */
  public <R extends TensorSource> Dataset<LabeledAudio<R>> withTransform(
      RandomTransform<Waveform, R> transform) {
    return map(new OfAudio<>(transform));
  }

  /** A transform of samples that applies, and prints as, a transform of their sounds. */
  private record OfAudio<R extends TensorSource>(RandomTransform<Waveform, R> transform)
      implements RandomTransform<LabeledAudio<Waveform>, LabeledAudio<R>> {
    @Override
    public LabeledAudio<R> apply(LabeledAudio<Waveform> sample, RandomGenerator random)
        throws Exception {
      return sample.withAudio(transform.apply(sample.audio(), random));
    }

    @Override
    public String toString() {
      return transform.toString();
    }
  }

  @Override
  public long size() {
    return labels.length;
  }

  @Override
  public LabeledAudio<Waveform> get(long index) throws IOException {
    int file = (int) Objects.checkIndex(index, size());
    Path path = files.path(index);
    AudioSource source =
        new AudioSource(
            readers, path.toString(), () -> MediaBytes.of(path), damage, infos.get(file));
    infos.set(file, source.info());
    return new LabeledAudio<>(source.waveform(), labels[file]);
  }

  /** Returns the names of the classes, by their index; empty if the files have no labels. */
  public List<String> classes() {
    return files.classes();
  }

  /** Returns the label of each sample, in a new array. */
  public int[] labels() {
    return labels.clone();
  }

  /** Returns the file of a sample. */
  public Path path(long index) {
    return files.path(index);
  }

  @Override
  public String describe(long index) {
    return files.describe(index);
  }

  @Override
  public String fingerprint() {
    return files.fingerprint();
  }

  @Override
  public void close() throws IOException {
    readers.close();
  }

  @Override
  public String toString() {
    return "AudioDataset(%s, %d samples)".formatted(files.path(), size());
  }

  /**
   * A sound or its features, and its class: a sample of an {@link AudioDataset}. Batches have the
   * tensors {@code audio} and {@code label}, the latter INT64 of shape (n). Immutable and
   * thread-safe.
   *
   * @param audio the sound, not yet decoded
   * @param label the index of its class; -1 if it has no class
   * @param <T> a {@link Waveform}, {@link AudioFeatures}, or the result of a transform
   */
  public record LabeledAudio<T extends TensorSource>(T audio, int label) {
    public LabeledAudio {
      Objects.requireNonNull(audio, "audio");
    }

    /** Returns a sample with another sound and the same label. */
    public <R extends TensorSource> LabeledAudio<R> withAudio(R other) {
      return new LabeledAudio<>(other, label);
    }
  }
}
