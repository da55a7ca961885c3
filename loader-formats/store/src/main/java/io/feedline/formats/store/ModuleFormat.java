package io.feedline.formats.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.feedline.internal.Presence;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The formats of other modules, for the error that names the artifact to add. Each constant has the
 * name of its {@link StoreFormat}, except {@link #SHARDS} and {@link #MEDIA}. The patterns need not
 * be exact, since they are used only if no format on the class path recognizes a path.
 */
enum ModuleFormat {
  LMDB("an LMDB database", "loader-lmdb", "data\\.mdb", "(?s).{16}\\xDE\\xC0\\xEF\\xBE"),
  /** The list of shards of a store that many tasks have written, in any format with shards. */
  SHARDS("a list of shards", "loader-records", "shards\\.json"),
  TFRECORD(
      "TFRecord",
      "loader-records",
      ".*(\\.tfrecords?|-([0-9?]{5,}|\\*)-of-([0-9?]{5,}|\\*))(\\.gz)?"),
  RECORDIO("RecordIO", "loader-records", ".*\\.rec", "\\x0A\\x23\\xD7\\xCE"),
  WEBDATASET("WebDataset", "loader-records", ".*\\.(tar|tar\\.gz|tgz)"),
  MDS("MDS", "loader-records", "index\\.json"),
  HDF5("HDF5", "loader-hdf5", ".*\\.(h5|hdf5)", "\\x89HDF\\r\\n\\x1A\\n"),
  ZIP("a ZIP archive", "loader-records", "(?i).*\\.zip", "PK\\x03\\x04"),
  PARQUET("Parquet", "loader-tables", "(?i).*\\.parquet", "PAR1"),
  ARROW("Arrow", "loader-tables", "(?i).*\\.(arrow|feather)", "ARROW1|FEA1"),
  IDX("IDX", "loader-annotations", ".*images[-.]idx3-ubyte(\\.gz)?", "\\x00\\x00\\x08\\x03"),
  CIFAR("CIFAR", "loader-annotations", "(data_batch_\\d+|test_batch)\\.bin|fine_label_names\\.txt"),
  /** Videos and sounds, which have datasets of their own and no {@link StoreFormat}. */
  MEDIA(
      "a video or sound file, for VideoDataset and AudioDataset",
      "loader-media",
      "(?i).*\\.(mp4|m4v|mov|3gp|mkv|webm|avi|mpe?g|ts|flv|wmv|ogv|wav|flac|mp3|ogg|oga|opus|m4a|aac"
          + "|aiff?|au|caf|w64)");

  /**
   * The order in which formats are listed, independent of the class path: the formats of other
   * modules in the order of the constants, image folders, image files, all other formats by name.
   */
  static final Comparator<StoreFormat> ORDER =
      Comparator.comparingInt(ModuleFormat::place).thenComparing(StoreFormat::name);

  /** The number of bytes at a file's beginning that show the file's format. */
  private static final int FIRST_BYTES = 20;

  private final String words;
  private final String artifact;
  private final Pattern fileName;
  private final Pattern firstBytes;

  ModuleFormat(String words, String artifact, String fileName) {
    this(words, artifact, fileName, "(?!)");
  }

  ModuleFormat(String words, String artifact, String fileName, String firstBytes) {
    this.words = words;
    this.artifact = artifact;
    this.fileName = Pattern.compile(fileName);
    this.firstBytes = Pattern.compile(firstBytes);
  }

  private static int place(StoreFormat format) {
    List<String> names =
        Stream.concat(
                Arrays.stream(values()).map(ModuleFormat::storeName),
                Stream.of("imagefolder", "imagefiles"))
            .toList();
    int place = names.indexOf(format.name());
    return place < 0 ? names.size() : place;
  }

  /** Returns the format of a path if the format's artifact is not on the class path. */
  static Optional<ModuleFormat> absentAt(Path path, List<StoreFormat> present) throws IOException {
    List<ModuleFormat> absent = absent(present);
    return absent.isEmpty() ? Optional.empty() : among(absent, path);
  }

  /** Returns the format of this name; empty if its artifact is on the class path. */
  static Optional<ModuleFormat> absentNamed(String name, List<StoreFormat> present) {
    return absent(present).stream().filter(format -> format.storeName().equals(name)).findFirst();
  }

  private static List<ModuleFormat> absent(List<StoreFormat> present) {
    Set<String> names = present.stream().map(StoreFormat::name).collect(Collectors.toSet());
    Set<String> artifacts =
        Arrays.stream(values())
            .filter(format -> names.contains(format.storeName()))
            .map(ModuleFormat::artifact)
            .collect(Collectors.toSet());
    return Arrays.stream(values())
        .filter(format -> !artifacts.contains(format.artifact()))
        .toList();
  }

  private static Optional<ModuleFormat> among(List<ModuleFormat> formats, Path path)
      throws IOException {
    List<Path> entries = entries(path);
    String first = firstBytes(path);
    for (ModuleFormat format : formats) {
      if (format.firstBytes.matcher(first).lookingAt() || format.hasFile(entries)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  private boolean hasFile(List<Path> entries) throws IOException {
    for (Path entry : entries) {
      if (fileName.matcher(String.valueOf(entry.getFileName())).matches()
          && !Presence.isDirectory(entry)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the entries of a directory, or the path itself if it is a file or a pattern. */
  private static List<Path> entries(Path path) throws IOException {
    if (Presence.isDirectory(path)) {
      try (Stream<Path> entries = Files.list(path)) {
        return entries.toList();
      }
    }
    String name = String.valueOf(path.getFileName());
    return Presence.exists(path) || name.matches(".*[*?{].*") ? List.of(path) : List.of();
  }

  /** Returns the first bytes of a file as characters; empty if there is no file. */
  private static String firstBytes(Path path) throws IOException {
    if (!Presence.isFile(path)) {
      return "";
    }
    try (InputStream file = Files.newInputStream(path)) {
      return new String(file.readNBytes(FIRST_BYTES), ISO_8859_1);
    }
  }

  /** Returns the name of the {@link StoreFormat}. */
  String storeName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the Maven coordinates of the artifact to add. */
  String artifact() {
    return "io.feedline:" + artifact;
  }

  /** Returns the format's name with its article, if any. */
  String words() {
    return words;
  }
}
