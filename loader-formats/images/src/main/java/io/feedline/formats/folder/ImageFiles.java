package io.feedline.formats.folder;

import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.ImageStoreBuilder;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.internal.Presence;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Predicate;

/**
 * A reader of image files without a directory for each class: all files of a directory, listed
 * files, or the files that a CSV file names, with or without labels:
 *
 * <pre>{@code
 * ImageDataset found = ImageFiles.of(Path.of("photos"));
 * ImageDataset listed = ImageFiles.of(List.of(Path.of("a.jpg"), Path.of("b.png")));
 * ImageDataset labeled = ImageFiles.ofCsv(Path.of("train.csv"), "file", "breed");
 * }</pre>
 *
 * <p>Without labels each sample's label is {@link EncodedImage#NO_LABEL}, -1, and there are no
 * classes; {@link ImageDataset#named} returns a dataset for batches of images and their paths.
 * {@link ImageDataset#path(long)} returns the file of a sample. {@link ImageFolder} reads a
 * directory for each class.
 *
 * <p>The files are listed once, when the dataset is built. {@link ImageDataset#get(long)} reads the
 * file of a sample. A file that is unreadable, empty or not an image throws an {@link IOException}
 * that says so. A file that is listed twice becomes two samples. A file takes four bytes of memory
 * and its name, and twelve bytes more where directories or labels alternate.
 *
 * <p>The datasets keep no file open. The fingerprint depends on the names, their order, and the
 * labels. {@link StoreFormat#named} returns the format by its name {@code imagefiles}. The format
 * reads a directory without subdirectories, or a CSV file with the options {@code image-field} and
 * {@code label-field} for the columns; it does not write.
 */
public final class ImageFiles {

  private static final String KIND = "ImageFiles";

  private ImageFiles() {}

  /**
   * Returns the images in a directory and its subdirectories, without labels, with the defaults of
   * {@link #builder}.
   *
   * @throws FileNotFoundException if the directory has no image
   * @throws IOException if the directory cannot be listed
   */
  public static ImageDataset of(Path directory) throws IOException {
    return builder(directory).build();
  }

  /**
   * Returns the images of the listed files in the order of the list, without labels.
   *
   * @param files one or more files of one file system; the names may have any extension
   * @throws IllegalArgumentException if the list is empty, or has files of several file systems
   * @throws FileNotFoundException if a file does not exist
   */
  public static ImageDataset of(List<Path> files) throws IOException {
    List<Path> paths = List.copyOf(files);
    if (paths.isEmpty()) {
      throw new IllegalArgumentException("files must be one or more, were none");
    }
    Path root = commonDirectory(paths);
    FileList.Builder list = new FileList.Builder();
    for (int i = 0; i < paths.size(); i++) {
      Path path = paths.get(i);
      if (!Presence.isFile(path)) {
        throw new FileNotFoundException(
            "%s, at position %d of the list, %s"
                .formatted(path, i, Presence.exists(path) ? "is not a file" : "does not exist"));
      }
      list.file(below(root, path), EncodedImage.NO_LABEL);
    }
    return ImageDataset.of(new FolderStore(KIND, paths.get(0), root, Map.of(), list.build()));
  }

  /**
   * Returns the images that a CSV file names, without labels, with the defaults of {@link
   * #csvBuilder}.
   *
   * @throws FileNotFoundException if the CSV file, or a file that it names, does not exist
   * @throws FormatException if the file is not a CSV file with this column
   * @throws IOException if the CSV file cannot be read
   */
  public static ImageDataset ofCsv(Path csv, String imageColumn) throws IOException {
    return csvBuilder(csv, imageColumn).build();
  }

  /**
   * Returns the images that a CSV file names, with the labels of a column (see {@link
   * CsvBuilder#labelField}) and the defaults of {@link #csvBuilder}.
   *
   * @throws FileNotFoundException if the CSV file, or a file that it names, does not exist
   * @throws FormatException if the file is not a CSV file with these columns
   * @throws IOException if the CSV file cannot be read
   */
  public static ImageDataset ofCsv(Path csv, String imageColumn, String labelColumn)
      throws IOException {
    return csvBuilder(csv, imageColumn).labelField(labelColumn).build();
  }

  /** Returns a builder for a dataset of the images in a directory. */
  public static Builder builder(Path directory) {
    return new Builder(directory);
  }

  /**
   * Returns a builder for a dataset of the images that a CSV file names.
   *
   * @param csv a file in UTF-8 by RFC 4180: quoted fields may contain delimiters, line breaks and
   *     doubled quotes. The first line names the columns; each line has all columns
   * @param imageColumn the column with the paths of the image files, absolute or relative to the
   *     directory of the CSV file
   */
  public static CsvBuilder csvBuilder(Path csv, String imageColumn) {
    return new CsvBuilder(csv, imageColumn);
  }

  /** Returns the longest directory that all paths, as written, begin with; may be empty. */
  private static Path commonDirectory(List<Path> paths) {
    Path nowhere = paths.get(0).getFileSystem().getPath("");
    Path common = paths.get(0).getParent();
    for (Path path : paths) {
      if (path.getFileSystem() != nowhere.getFileSystem()) {
        throw new IllegalArgumentException(
            "files must be of one file system; %s is of another than %s"
                .formatted(path.toUri(), paths.get(0).toUri()));
      }
      while (common != null && !path.startsWith(common)) {
        common = common.getParent();
      }
    }
    return common == null ? nowhere : common;
  }

  /** Returns the path relative to the root, with slashes. */
  private static String below(Path root, Path path) throws FileSystemException {
    String name = path.toString();
    if (!root.toString().isEmpty()) {
      StringJoiner names = new StringJoiner("/");
      path.subpath(root.getNameCount(), path.getNameCount())
          .forEach(each -> names.add(each.toString()));
      name = names.toString();
    }
    String kept = new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    if (!root.resolve(kept).equals(path)) {
      throw new FileSystemException(path.toString(), null, LocalFiles.unreadableName());
    }
    return kept;
  }

  /** The options of {@link ImageFiles#builder}. Not thread-safe. */
  public static final class Builder {
    private final WantedFiles wanted = new WantedFiles();
    private final Path directory;
    private boolean recursive = true;

    private Builder(Path directory) {
      this.directory = Objects.requireNonNull(directory, "directory");
    }

    /**
     * Sets the extensions of the files that are images, in upper or lower case; {@link
     * ImageFolder#EXTENSIONS} by default. Not allowed together with {@code filter}.
     *
     * @param extensions at least one, each beginning with a dot
     */
    public Builder extensions(String... extensions) {
      wanted.extensions(extensions);
      return this;
    }

    /** Sets the predicate on full paths that selects images, instead of {@code extensions}. */
    public Builder filter(Predicate<? super Path> filter) {
      wanted.filter(filter);
      return this;
    }

    /**
     * Sets whether subdirectories, and links to directories, are searched; true by default. Files
     * are in the order of their directories, then of their names, by code points.
     */
    public Builder recursive(boolean recursive) {
      this.recursive = recursive;
      return this;
    }

    /**
     * Builds the dataset; lists the files. Files and directories whose names begin with a dot are
     * left out, since they usually contain thumbnails.
     *
     * @throws IllegalArgumentException if options contradict each other or have impossible values
     * @throws FileNotFoundException if there are no images
     * @throws IOException if a directory cannot be listed, or a link leads in a circle
     */
    public ImageDataset build() throws IOException {
      return ImageDataset.of(store());
    }

    FolderStore store() throws IOException {
      Predicate<? super Path> accepted = wanted.predicate();
      if (Presence.isFile(directory)) {
        throw new FileSystemException(
            directory.toString(),
            null,
            "this is a file and not a directory; ofCsv takes a CSV file, of(List.of(path)) an"
                + " image");
      }
      if (!Presence.exists(directory)) {
        throw new FileNotFoundException(directory + ": there is no such directory");
      }
      FileList.Builder files = new FileList.Builder();
      FolderWalk walk =
          new FolderWalk(
              path -> isVisible(path) && accepted.test(path), path -> recursive && isVisible(path));
      walk.addFiles(directory, "", EncodedImage.NO_LABEL, files);
      if (files.files() == 0) {
        throw new FileNotFoundException(
            "no images in %s%s; %s"
                .formatted(
                    directory,
                    recursive ? " or below" : ", and directories below are not entered",
                    wanted.soughtInVain()));
      }
      wanted.warnOfOthers(directory, walk);
      return new FolderStore(KIND, directory, directory, Map.of(), files.build());
    }

    private static boolean isVisible(Path path) {
      return !String.valueOf(path.getFileName()).startsWith(".");
    }
  }

  /** The options of {@link ImageFiles#csvBuilder}. Not thread-safe. */
  public static final class CsvBuilder extends ImageStoreBuilder<CsvBuilder> {
    private final Path csv;
    private final String imageColumn;
    private String labelColumn;
    private Path root;
    private String suffix = "";
    private char delimiter = ',';
    private boolean checkFiles = true;

    private CsvBuilder(Path csv, String imageColumn) {
      this.csv = Objects.requireNonNull(csv, "csv");
      this.imageColumn = Objects.requireNonNull(imageColumn, "imageColumn");
    }

    /**
     * Sets the column with the labels; without it, samples have no labels. If all values are whole
     * numbers, the values are the labels, from 0, and classes have no names. Otherwise the values
     * are the names of the classes, numbered in the order of their code points, or in the order of
     * {@link #classes}.
     */
    public CsvBuilder labelField(String column) {
      this.labelColumn = Objects.requireNonNull(column, "column");
      return this;
    }

    /**
     * Sets the names of the classes in the order of their labels, for a CSV file that lacks some
     * classes, such as that of a validation set. By default the classes are the texts in the
     * column, sorted. A label that is not among the names is an error.
     *
     * @param classes one or more, each once
     */
    @Override
    public CsvBuilder classes(List<String> classes) {
      return super.classes(classes);
    }

    /** Sets the directory of relative file names; by default the directory of the CSV file. */
    public CsvBuilder root(Path directory) {
      this.root = Objects.requireNonNull(directory, "directory");
      return this;
    }

    /**
     * Sets the suffix to append to each name in the column, such as {@code .jpg}; empty by default.
     */
    public CsvBuilder suffix(String suffix) {
      this.suffix = Objects.requireNonNull(suffix, "suffix");
      return this;
    }

    /**
     * Sets the character between two fields; a comma by default.
     *
     * @throws IllegalArgumentException if the character is a quote or a line break
     */
    public CsvBuilder delimiter(char delimiter) {
      if (delimiter == '"' || delimiter == '\n' || delimiter == '\r') {
        throw new IllegalArgumentException("the delimiter must be no quote and no line break");
      }
      this.delimiter = delimiter;
      return this;
    }

    /**
     * Sets whether {@code build} checks that all files exist; true by default. The error names the
     * line of a missing file. If false, reading the sample of a missing file fails.
     */
    public CsvBuilder checkFiles(boolean checkFiles) {
      this.checkFiles = checkFiles;
      return this;
    }

    @Override
    protected FolderStore store() throws IOException {
      List<String> classes = classesOr(null);
      if (classes != null && labelColumn == null) {
        throw new IllegalArgumentException("classes " + classes + " need a labelField");
      }
      if (classes != null && (classes.isEmpty() || Set.copyOf(classes).size() < classes.size())) {
        throw new IllegalArgumentException(
            "classes must be one or more, each once, were " + classes);
      }
      FileTable table = FileTable.read(csv, delimiter, imageColumn, labelColumn);
      FileTable.Labels labels = table.labels(classes);
      Path from = root != null ? root : csv.resolveSibling("");
      return new FolderStore(
          KIND,
          csv,
          from,
          labels.classToIndex(),
          table.files(from, suffix, checkFiles, labels.byText()));
    }
  }
}
