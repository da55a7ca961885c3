package io.feedline.formats.image;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.zip.CRC32C;

/**
 * Images in a directory for each class, like torchvision's {@code ImageFolder}, with the same
 * classes, the same samples and the same order:
 *
 * <pre>
 *   root/cat/1.jpg
 *   root/cat/more/2.png
 *   root/dog/1.jpg
 * </pre>
 *
 * <p>The names of the directories in the root are the classes, sorted by code points; a class's
 * index is its position. Files below them are samples if they have one of {@link #EXTENSIONS}, or
 * pass a predicate. Links are followed; one that leads back to a directory above it is an error.
 *
 * <p>The files are listed once, when the dataset is built. A sample's file is read when the sample
 * is asked for, its header is parsed, and that is all: it is decoded when it writes itself into a
 * batch. A file that is missing, unreadable, empty or no image is an {@link IOException} that
 * says so.
 *
 * <p>Immutable, thread-safe, and holds nothing open. A file takes four bytes and its name.
 */
public final class ImageFolder implements ImageDataset {

  /** What torchvision takes for an image; compared with the lower-cased name. */
  public static final List<String> EXTENSIONS =
      List.of(".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp");

  private final Path root;
  private final List<String> classes;
  private final Map<String, Integer> classToIndex;
  private final FileList files;
  private final DecodeOptions decodeOptions;
  private final ScanIndexStore scanIndexes;

  private ImageFolder(
      Path root,
      Map<String, Integer> classToIndex,
      FileList files,
      DecodeOptions decodeOptions,
      ScanIndexStore scanIndexes) {
    this.root = root;
    this.classes = List.copyOf(classToIndex.keySet());
    this.classToIndex = Collections.unmodifiableMap(classToIndex);
    this.files = files;
    this.decodeOptions = decodeOptions;
    this.scanIndexes = scanIndexes;
  }

  /**
   * The images below a directory, with the defaults of {@link #builder}.
   *
   * @param root the directory that holds the classes' directories
   * @throws IOException if it cannot be listed, has no directories, or one of them has no images
   */
  public static ImageFolder of(Path root) throws IOException {
    return builder(root).build();
  }

  /**
   * Options for a dataset of the images below a directory.
   *
   * @param root the directory that holds the classes' directories
   */
  public static Builder builder(Path root) {
    return new Builder(root);
  }

  @Override
  public long size() {
    return files.size();
  }

  /**
   * Reads a file. Its key is its path below the root, with slashes, without the extension.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   * @throws IOException if the file cannot be read
   */
  @Override
  public EncodedImage encoded(long index) throws IOException {
    Path path = path(index);
    return new EncodedImage(key(index), read(path), label(index));
  }

  private String key(long index) {
    String name = files.path((int) index);
    int dot = name.lastIndexOf('.');
    return dot > name.lastIndexOf('/') + 1 ? name.substring(0, dot) : name;
  }

  private static byte[] read(Path path) throws IOException {
    try {
      // Follows a file that grows or shrinks while it is read.
      return Files.readAllBytes(path);
    } catch (NoSuchFileException absent) {
      throw new IOException(path + ": there is no such file, or no longer", absent);
    } catch (AccessDeniedException denied) {
      throw new IOException(path + ": the file may not be read", denied);
    }
  }

  /** The path of the sample's file; for an index that is out of range, the index in words. */
  @Override
  public String describe(long index) {
    return index < 0 || index >= size() ? "index " + index : path(index).toString();
  }

  @Override
  public String name() {
    return "ImageFolder(" + root + ")";
  }

  /**
   * The classes and the files' paths below the root, as a checksum: the same wherever the folder
   * lies. Goes through all paths; the files are not opened.
   */
  @Override
  public String fingerprint() {
    return fingerprint(classes.size(), files);
  }

  private static String fingerprint(int classes, FileList files) {
    CRC32C crc = new CRC32C();
    for (int i = 0; i < files.size(); i++) {
      crc.update((files.label(i) + files.path(i) + '\n').getBytes(StandardCharsets.UTF_8));
    }
    return "ImageFolder:%d:%d:%08x".formatted(classes, files.size(), crc.getValue());
  }

  /** The directory that holds the classes' directories, as it was given. */
  public Path root() {
    return root;
  }

  /** The {@link #root}. */
  @Override
  public Path path() {
    return root;
  }

  /** The names of the classes, in code-point order. */
  @Override
  public List<String> classes() {
    return classes;
  }

  /** The index of each class, in the order of {@link #classes}; immutable. */
  public Map<String, Integer> classToIndex() {
    return classToIndex;
  }

  /**
   * Where a sample's file is.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   */
  public Path path(long index) {
    return root.resolve(files.path((int) Objects.checkIndex(index, size())));
  }

  /**
   * The class's index of a sample, without reading it.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   */
  public int label(long index) {
    return files.label((int) Objects.checkIndex(index, size()));
  }

  /** The labels of all samples by index, newly made: torchvision's {@code targets}. */
  public int[] labels() {
    return files.labels();
  }

  @Override
  public DecodeOptions decodeOptions() {
    return decodeOptions;
  }

  @Override
  public ScanIndexStore scanIndexes() {
    return scanIndexes;
  }

  /** Options; see {@link ImageFolder#builder}. Not thread-safe. */
  public static final class Builder {
    private final Path root;
    private List<String> extensions;
    private Predicate<? super Path> filter;
    private boolean allowEmpty;
    private Map<String, Integer> classToIndex;
    private DecodeOptions decodeOptions = DecodeOptions.DEFAULT;
    private ScanIndexStore scanIndexes;

    private Builder(Path root) {
      this.root = Objects.requireNonNull(root, "root");
    }

    /**
     * Which files are samples, by the ends of their names, whatever their case; {@link #EXTENSIONS}
     * by default. Not together with {@link #filter}.
     *
     * @param extensions at least one, each beginning with a dot
     */
    public Builder extensions(String... extensions) {
      this.extensions = List.of(extensions);
      return this;
    }

    /**
     * Which files are samples, by their full paths, whatever their names. Not together with {@link
     * #extensions}.
     */
    public Builder filter(Predicate<? super Path> filter) {
      this.filter = Objects.requireNonNull(filter, "filter");
      return this;
    }

    /** Whether a class may have no samples; false by default. It keeps its index. */
    public Builder allowEmpty(boolean allowEmpty) {
      this.allowEmpty = allowEmpty;
      return this;
    }

    /**
     * Which directories are classes and what their indexes are, instead of all in sorted order. A
     * class without a directory is an empty one. Several classes may share an index.
     *
     * @param classToIndex at least one class, indexes 0 or more
     */
    public Builder classToIndex(Map<String, Integer> classToIndex) {
      this.classToIndex = Map.copyOf(classToIndex);
      return this;
    }

    /** How images are decoded; {@link DecodeOptions#DEFAULT} by default. */
    public Builder decode(DecodeOptions options) {
      this.decodeOptions = Objects.requireNonNull(options, "options");
      return this;
    }

    /** Which library decodes; {@link ImageBackend#AUTO} by default. */
    public Builder decoder(ImageBackend backend) {
      return decode(decodeOptions.withBackend(backend));
    }

    /** Whether images are turned as their EXIF orientation says; false by default. */
    public Builder exifRotation(boolean exifRotation) {
      return decode(decodeOptions.withExifRotation(exifRotation));
    }

    /**
     * The largest width times height that is decoded; {@link DecodeOptions#DEFAULT_MAX_PIXELS} by
     * default.
     */
    public Builder maxPixels(long maxPixels) {
      return decode(decodeOptions.withMaxPixels(maxPixels));
    }

    /**
     * Where scan indexes of JPEGs are kept; {@link ScanIndexStore#beside} the folder by default.
     */
    public Builder scanIndexes(ScanIndexStore scanIndexes) {
      this.scanIndexes = Objects.requireNonNull(scanIndexes, "scanIndexes");
      return this;
    }

    /**
     * Lists the files.
     *
     * @throws IllegalArgumentException if options contradict each other or have impossible values
     * @throws IllegalStateException if OpenCV is asked for and absent
     * @throws FileNotFoundException if there are no classes, or a class has no samples and may not
     * @throws IOException if a directory cannot be listed, or a link leads in a circle
     */
    public ImageFolder build() throws IOException {
      Predicate<? super Path> wanted = wanted();
      if (decodeOptions.backend() == ImageBackend.OPENCV) {
        // Says at once what is missing, instead of with the first image.
        ImageDecoders.of(ImageBackend.OPENCV);
      }
      Map<String, Integer> indexes = indexes();
      FileList.Builder files = new FileList.Builder();
      ImageFolderWalk walk = new ImageFolderWalk(wanted);
      List<String> empty = new ArrayList<>();
      for (Map.Entry<String, Integer> each : indexes.entrySet()) {
        if (walk.addFiles(root, each.getKey(), each.getValue(), files) == 0) {
          empty.add(each.getKey());
        }
      }
      if (!empty.isEmpty() && !allowEmpty) {
        throw new FileNotFoundException(
            "no images for the classes %s in %s; %s. allowEmpty(true) keeps such classes"
                .formatted(
                    String.join(", ", empty),
                    root,
                    filter == null
                        ? "looked for " + String.join(", ", effectiveExtensions())
                        : "the filter accepted none of their files"));
      }
      FileList list = files.build();
      ScanIndexStore store =
          scanIndexes == null
              ? ScanIndexStore.beside(root, () -> fingerprint(indexes.size(), list), list.size())
              : scanIndexes;
      return new ImageFolder(root, indexes, list, decodeOptions, store);
    }

    private List<String> effectiveExtensions() {
      return extensions == null ? EXTENSIONS : extensions;
    }

    private Predicate<? super Path> wanted() {
      if (filter != null && extensions != null) {
        throw new IllegalArgumentException(
            "give extensions " + extensions + " or a filter, not both");
      }
      if (filter != null) {
        return filter;
      }
      String[] ends =
          effectiveExtensions().stream()
              .map(extension -> extension.toLowerCase(Locale.ROOT))
              .toArray(String[]::new);
      if (ends.length == 0 || !Arrays.stream(ends).allMatch(end -> end.startsWith("."))) {
        throw new IllegalArgumentException(
            "extensions must be one or more, each beginning with a dot, were "
                + effectiveExtensions());
      }
      return path -> {
        String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
        for (String end : ends) {
          if (name.endsWith(end)) {
            return true;
          }
        }
        return false;
      };
    }

    private Map<String, Integer> indexes() throws IOException {
      List<String> found = ImageFolderWalk.classes(root);
      Map<String, Integer> indexes = new LinkedHashMap<>();
      if (classToIndex == null) {
        found.forEach(name -> indexes.put(name, indexes.size()));
        if (found.isEmpty()) {
          throw new FileNotFoundException("no class directories in " + root);
        }
        return indexes;
      }
      TreeSet<String> names = new TreeSet<>(ImageFolderWalk.BY_CODE_POINTS);
      names.addAll(classToIndex.keySet());
      names.forEach(name -> indexes.put(name, classToIndex.get(name)));
      if (indexes.isEmpty() || Collections.min(indexes.values()) < 0) {
        throw new IllegalArgumentException(
            "classToIndex must have one class or more, indexes 0 or more, was " + indexes);
      }
      return indexes;
    }
  }
}
