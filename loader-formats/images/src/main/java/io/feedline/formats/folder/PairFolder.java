package io.feedline.formats.folder;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.data.SampleReader.ReadAheadDataset;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.ImagePair;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.internal.Digest;
import io.feedline.internal.MissingPaths;
import io.feedline.internal.Presence;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A dataset of pairs of images in two directories, matched by name, for super-resolution:
 *
 * <pre>
 *   DIV2K_train_HR/0001.png             high resolution
 *   DIV2K_train_LR_bicubic/X4/0001x4.png   low resolution, scale 4
 * </pre>
 *
 * <p>The low image's name is the high image's name, or this name with a suffix before the
 * extension: DIV2K's {@code x4} for scale 4, or {@link Builder#lowSuffix}. Extensions may differ.
 * Each image must have a partner in the other directory. Pairs are in the order of the high images'
 * names, by code points. Subdirectories are not entered.
 *
 * <p>The files are listed once, when the dataset is built. {@link #get} reads the two files of a
 * sample. The images are decoded when they are written into a batch, and then only the cropped
 * part.
 *
 * <p>Immutable, thread-safe, keeps no file open.
 */
public final class PairFolder implements ReadAheadDataset<ImagePair> {

  private final Path low;
  private final Path high;
  private final int scale;
  private final DecodeOptions decodeOptions;
  private final OpenFiles files = new OpenFiles(1);

  private final List<String> lowNames;
  private final List<String> highNames;

  private PairFolder(Builder builder, List<String> lowNames, List<String> highNames) {
    this.low = builder.low;
    this.high = builder.high;
    this.scale = builder.scale;
    this.decodeOptions = builder.decodeOptions;
    this.lowNames = List.copyOf(lowNames);
    this.highNames = List.copyOf(highNames);
  }

  /**
   * Returns the pairs in two directories, with the defaults of {@link #builder}.
   *
   * @param low the directory of the images in low resolution
   * @param high the directory of the images in high resolution
   * @param scale the factor from the low to the high images' width and height, 1 or more
   * @throws IllegalArgumentException if the scale is less than 1
   * @throws IOException if a directory cannot be listed, has no images, or has an image without a
   *     partner
   */
  public static PairFolder of(Path low, Path high, int scale) throws IOException {
    return builder(low, high, scale).build();
  }

  /** Returns a builder for the pairs in two directories; see {@link #of}. */
  public static Builder builder(Path low, Path high, int scale) {
    return new Builder(low, high, scale);
  }

  @Override
  public long size() {
    return highNames.size();
  }

  /** Returns the factor from the low to the high images' width and height. */
  public int scale() {
    return scale;
  }

  /**
   * Reads both files and their headers; nothing is decoded.
   *
   * @throws IndexOutOfBoundsException if there is no such pair
   * @throws FormatException if a file is not an image
   * @throws IOException if a file cannot be read
   * @throws IllegalArgumentException if the high image's size is not the scale times the low
   *     image's; the message names both files
   */
  @Override
  public ImagePair get(long index) throws IOException {
    Objects.checkIndex(index, size());
    return ImagePair.of(read(low(index)), read(high(index)), scale);
  }

  private Path low(long index) {
    return low.resolve(lowNames.get((int) index));
  }

  private Path high(long index) {
    return high.resolve(highNames.get((int) index));
  }

  private Image read(Path path) throws IOException {
    return Image.ofEncoded(
        files.readAll(path, Integer.MAX_VALUE - 64), path.toString(), decodeOptions);
  }

  @Override
  public List<FileRange> parts(long index) {
    return Stream.of(low(index), high(index))
        .map(file -> new FileRange(file, 0, Long.MAX_VALUE))
        .toList();
  }

  @Override
  public Path anyFile() {
    return low;
  }

  @Override
  public String describe(long index) {
    return index < 0 || index >= size()
        ? "index " + index
        : "%s and %s".formatted(low(index), high(index));
  }

  @Override
  public String name() {
    return "PairFolder(%s, %s)".formatted(low, high);
  }

  @Override
  public String toString() {
    return name();
  }

  @Override
  public String fingerprint() {
    String digest =
        Digest.ofLines(
            IntStream.range(0, highNames.size())
                .mapToObj(i -> lowNames.get(i) + '/' + highNames.get(i)));
    return "PairFolder:" + scale + ":" + size() + ":" + digest;
  }

  /** The options of {@link PairFolder#builder}. Not thread-safe. */
  public static final class Builder {
    private final Path low;
    private final Path high;
    private final int scale;
    private String lowSuffix;
    private DecodeOptions decodeOptions = DecodeOptions.DEFAULT;

    private Builder(Path low, Path high, int scale) {
      this.low = Objects.requireNonNull(low, "low");
      this.high = Objects.requireNonNull(high, "high");
      this.scale = scale;
    }

    /**
     * Sets the suffix that the low images' names have before the extension, such as {@code x4}. By
     * default it is {@code x} followed by the scale if the first pair's low image has this suffix;
     * otherwise there is no suffix.
     */
    public Builder lowSuffix(String suffix) {
      this.lowSuffix = Objects.requireNonNull(suffix, "suffix");
      return this;
    }

    /** Sets how images are decoded; {@link DecodeOptions#DEFAULT} by default. */
    public Builder decode(DecodeOptions options) {
      this.decodeOptions = Objects.requireNonNull(options, "options");
      return this;
    }

    /**
     * Builds the dataset; lists the files.
     *
     * @throws IllegalArgumentException if the scale is less than 1
     * @throws FileNotFoundException if there are no images, or an image has no partner
     * @throws IOException if a directory cannot be listed
     */
    public PairFolder build() throws IOException {
      if (scale < 1) {
        throw new IllegalArgumentException("scale must be 1 or more, was " + scale);
      }
      Map<String, String> lows = list(low);
      Map<String, String> highs = list(high);
      List<String> lowNames = new ArrayList<>();
      String suffix = suffix(lows, highs);
      for (Map.Entry<String, String> each : highs.entrySet()) {
        String partner = lows.remove(each.getKey() + suffix);
        if (partner == null) {
          throw new FileNotFoundException(
              "%s has no partner %s%s.* in %s"
                  .formatted(high.resolve(each.getValue()), each.getKey(), suffix, low));
        }
        lowNames.add(partner);
      }
      if (!lows.isEmpty()) {
        throw new FileNotFoundException(
            "%s has no partner in %s"
                .formatted(low.resolve(lows.values().iterator().next()), high));
      }
      return new PairFolder(this, lowNames, List.copyOf(highs.values()));
    }

    private String suffix(Map<String, String> lows, Map<String, String> highs) {
      if (lowSuffix != null) {
        return lowSuffix;
      }
      String first = highs.keySet().iterator().next();
      return lows.containsKey(first + "x" + scale) ? "x" + scale : "";
    }

    /** Returns the file name of each image in a directory, by the name without extension. */
    private static Map<String, String> list(Path directory) throws IOException {
      Map<String, String> names = new TreeMap<>(FolderWalk.BY_CODE_POINTS);
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : (Iterable<Path>) files::iterator) {
          String name = String.valueOf(file.getFileName());
          int dot = name.lastIndexOf('.');
          if (dot < 1
              || !ImageFolder.EXTENSIONS.contains(name.substring(dot).toLowerCase(Locale.ROOT))
              || !Presence.isFile(file)) {
            continue;
          }
          String other = names.put(name.substring(0, dot), name);
          if (other != null) {
            throw new IOException(
                "%s and %s differ only in their extension"
                    .formatted(directory.resolve(other), file));
          }
        }
      } catch (NoSuchFileException absent) {
        throw new FileNotFoundException(
            directory + ": there is no such directory" + MissingPaths.nearest(directory));
      }
      if (names.isEmpty()) {
        throw new FileNotFoundException("no images in " + directory);
      }
      return names;
    }
  }
}
