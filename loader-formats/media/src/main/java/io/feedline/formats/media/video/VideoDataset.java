package io.feedline.formats.media.video;

import io.feedline.data.Dataset;
import io.feedline.formats.folder.ImageFiles;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.transform.RandomTransform;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * A dataset of videos with classes, from a folder for each class, a CSV file, or a list. {@link
 * #clips} makes a dataset of clips.
 *
 * <pre>{@code
 * VideoDataset videos = VideoDataset.ofFolder(Path.of("kinetics/train"));
 * Dataset<LabeledClip> clips =
 *     videos.clips(
 *         ClipSampler.atRandomIndices(16)
 *             .withNumIndicesBetweenFrames(4)
 *             .andThen(EachFrame.of(RandomResizedCrop.of(112).andThen(Normalize.imagenet()))));
 * }</pre>
 *
 * <p>A video is opened when its sample is made. At most one decoder for each processor stays open
 * afterwards, and continues at its position if the same video is read again.
 *
 * <p>Thread-safe. The opener closes it, after the loader; closing twice is allowed, and decoding
 * afterwards is an {@link IllegalStateException}.
 */
public final class VideoDataset implements Dataset<VideoDataset.LabeledVideo>, Closeable {

  private final ImageDataset files;
  private final VideoDecoders decoders;

  private VideoDataset(ImageDataset files, VideoFile.Options options) {
    this.files = files;
    this.decoders = new VideoDecoders(options, Runtime.getRuntime().availableProcessors());
  }

  /**
   * Returns the videos in a directory for each class, with the classes and in the order of {@link
   * ImageFolder}; files with other extensions than {@link VideoFile#EXTENSIONS} are left out.
   *
   * @throws java.io.FileNotFoundException if there are no classes, or a class has no videos
   * @throws IOException if a directory cannot be listed
   */
  public static VideoDataset ofFolder(Path root) throws IOException {
    return of(
        ImageFolder.builder(root).extensions(extensions()).build(), VideoFile.Options.DEFAULT);
  }

  /**
   * Returns the videos that a CSV file names, with labels.
   *
   * @param csv the CSV file, whose first line names the columns; see {@link ImageFiles#csvBuilder}
   * @param videoColumn the column with the names of the files
   * @param labelColumn the column with the labels: whole numbers, or names of classes
   * @throws IOException if the file cannot be read, or a video does not exist
   */
  public static VideoDataset ofCsv(Path csv, String videoColumn, String labelColumn)
      throws IOException {
    return of(ImageFiles.ofCsv(csv, videoColumn, labelColumn), VideoFile.Options.DEFAULT);
  }

  /**
   * Returns the videos of some files in the order of the list, without labels.
   *
   * @param files one or more files of one file system
   * @throws IOException if a file does not exist
   */
  public static VideoDataset ofFiles(List<Path> files) throws IOException {
    return of(ImageFiles.of(files), VideoFile.Options.DEFAULT);
  }

  /**
   * Returns videos that builders of {@link ImageFolder} and {@link ImageFiles} have listed.
   *
   * @param files the listed files, which are videos and are not opened as images
   */
  public static VideoDataset of(ImageDataset files, VideoFile.Options options) {
    return new VideoDataset(files, options);
  }

  private static String[] extensions() {
    return VideoFile.EXTENSIONS.toArray(String[]::new);
  }

  @Override
  public long size() {
    return files.size();
  }

  /**
   * Opens a video.
   *
   * @return the video, which belongs to the dataset and need not be closed
   * @throws io.feedline.data.FormatException if the file is not a video, or is damaged
   * @throws IOException if the file cannot be read
   */
  @Override
  public LabeledVideo get(long index) throws IOException {
    int label = files.label(index);
    return new LabeledVideo(
        VideoFile.of(decoders, decoders.source(files.path(index)), false), label);
  }

  /** Returns the names of the classes in the order of their labels; empty without labels. */
  public List<String> classes() {
    return files.classes();
  }

  /**
   * Returns clips of the videos with their labels, one sample of each video.
   *
   * @param sampler a {@link ClipSampler}, alone or followed by transforms
   */
  public Dataset<LabeledClip> clips(RandomTransform<? super VideoFile, Clip> sampler) {
    return map(LabeledVideo.clips(sampler));
  }

  @Override
  public String describe(long index) {
    return files.describe(index);
  }

  @Override
  public String name() {
    return "VideoDataset(%s)".formatted(files.path().getFileName());
  }

  @Override
  public String fingerprint() {
    return "videos:" + files.fingerprint();
  }

  @Override
  public void close() throws IOException {
    decoders.close();
  }

  /**
   * A video and its class: a sample of a {@link VideoDataset}. Immutable and thread-safe.
   *
   * @param video the video, which belongs to the dataset
   * @param label the index of its class; -1 if it has no class
   */
  public record LabeledVideo(VideoFile video, int label) {

    public LabeledVideo {
      Objects.requireNonNull(video, "video");
    }

    /**
     * Returns the transform that selects a clip of each video and keeps its label, for {@link
     * io.feedline.data.Dataset#map}.
     *
     * @param sampler a {@link ClipSampler}, and the transforms after it
     */
    public static RandomTransform<LabeledVideo, LabeledClip> clips(
        RandomTransform<? super VideoFile, Clip> sampler) {
      return new Clips(Objects.requireNonNull(sampler, "sampler"));
    }

    private record Clips(RandomTransform<? super VideoFile, Clip> sampler)
        implements RandomTransform<LabeledVideo, LabeledClip> {

      @Override
      public LabeledClip apply(LabeledVideo sample, RandomGenerator random) throws Exception {
        return new LabeledClip(sampler.apply(sample.video(), random), sample.label());
      }

      @Override
      public String toString() {
        return sampler.toString();
      }
    }
  }

  /**
   * A clip and its class: a sample of a {@link VideoDataset} with a sampler. A batch has the
   * tensors {@code clip} and {@code label}, the latter INT64 of shape (n). Immutable.
   *
   * @param clip the clip, not yet decoded
   * @param label the index of its class; -1 if it has no class
   */
  public record LabeledClip(Clip clip, int label) {

    public LabeledClip {
      Objects.requireNonNull(clip, "clip");
    }
  }
}
