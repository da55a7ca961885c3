package io.feedline.formats.image;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;

/**
 * Writes images as the files of an {@link ImageFolder}: {@code root/CLASS/KEY.jpg}, the extension
 * by what the bytes are.
 *
 * <p>The files grow in {@code root.partial}, beside the root, and {@link #commit} renames that
 * directory. A journal in it, a line for each file that is whole, tells a later run where to go on.
 *
 * <p>Keys are names, not paths: they may have directories, but one that would lead out of its
 * class's directory is refused. Not thread-safe.
 */
public final class ImageFolderWriter implements ImageStoreWriter {

  private static final String JOURNAL = ".feedline-journal";

  /** Wide enough for the classes of any dataset to sort as numbers do. */
  private static final String NAMELESS_CLASS = "%06d";

  private enum State {
    OPEN,
    COMMITTED,
    CLOSED
  }

  private final Path root;
  private final Path partial;
  private final List<String> classes;
  private final Writer journal;
  private long written;
  private boolean mayReplace;
  private State state = State.OPEN;

  private ImageFolderWriter(Path root, Path partial, List<String> classes) throws IOException {
    this.root = root;
    this.partial = partial;
    this.classes = classes;
    this.written = wholeLines(partial.resolve(JOURNAL));
    // The image that an interruption cut off has no line, but perhaps a file.
    this.mayReplace = true;
    this.journal =
        Files.newBufferedWriter(
            partial.resolve(JOURNAL), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /**
   * Opens a folder to be written, or goes on with one that was not committed.
   *
   * @param root the directory to be made; it may exist if it is empty
   * @param classes the classes' names by index, each the name of a directory; or none, and classes
   *     are called by their indexes
   * @throws FileAlreadyExistsException if the root has something in it
   * @throws IllegalArgumentException if a class's name cannot be a directory's
   * @throws IOException if the directory cannot be made
   */
  public static ImageFolderWriter open(Path root, List<String> classes) throws IOException {
    for (String name : classes) {
      if (name.isEmpty()
          || name.equals(".")
          || name.equals("..")
          || name.matches(".*[/\\\\\0].*")) {
        throw new IllegalArgumentException(
            "the class name '%s' cannot be the name of a directory".formatted(name));
      }
    }
    Path whole = root.toAbsolutePath().normalize();
    requireAbsentOrEmpty(whole);
    Path partial = whole.resolveSibling(whole.getFileName() + ".partial");
    Files.createDirectories(partial);
    for (String name : classes) {
      Files.createDirectories(partial.resolve(name));
    }
    return new ImageFolderWriter(whole, partial, List.copyOf(classes));
  }

  private static void requireAbsentOrEmpty(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    if (Files.isDirectory(root)) {
      try (var entries = Files.list(root)) {
        if (entries.findAny().isEmpty()) {
          return;
        }
      }
    }
    throw new FileAlreadyExistsException(
        root.toString(), null, "there is something already where the folder is to be");
  }

  /** Counts the lines of a journal, and cuts off a last one that is not whole. */
  private static long wholeLines(Path journal) throws IOException {
    if (!Files.exists(journal)) {
      return 0;
    }
    String text = Files.readString(journal);
    int end = text.lastIndexOf('\n') + 1;
    if (end < text.length()) {
      Files.writeString(journal, text.substring(0, end));
    }
    return text.chars().filter(c -> c == '\n').count();
  }

  @Override
  public long written() {
    return written;
  }

  /**
   * Writes a file. A key that begins with the class's name and a slash does not repeat it.
   *
   * @throws FileAlreadyExistsException if an image with this key was written before
   */
  @Override
  public void write(EncodedImage image) throws IOException {
    requireOpen();
    Path file = file(image);
    Files.createDirectories(file.getParent());
    if (mayReplace) {
      Files.deleteIfExists(file);
      mayReplace = false;
    }
    try {
      Files.write(file, image.bytes(), StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException twice) {
      throw new FileAlreadyExistsException(
          file.toString(), null, "two images have the key " + image.key());
    }
    journal.write(partial.relativize(file).toString().replace('\n', ' ') + "\n");
    journal.flush();
    written++;
  }

  private Path file(EncodedImage image) throws IOException {
    String directory = className(image);
    String key = image.key();
    String name = key.startsWith(directory + "/") ? key.substring(directory.length() + 1) : key;
    Path parent = partial.resolve(directory);
    Path file;
    try {
      file = parent.resolve(name + extension(image)).normalize();
    } catch (InvalidPathException impossible) {
      throw new IOException("the key '%s' cannot be a file's name".formatted(key), impossible);
    }
    if (name.isEmpty() || !file.startsWith(parent) || file.equals(parent)) {
      throw new IOException("the key '%s' leads out of its class's directory".formatted(key));
    }
    return file;
  }

  private String className(EncodedImage image) throws IOException {
    int label = image.label();
    if (label == EncodedImage.NO_LABEL) {
      throw new IOException(
          "%s has no class, but a folder of images has one for each".formatted(image.key()));
    }
    if (classes.isEmpty()) {
      return NAMELESS_CLASS.formatted(label);
    }
    if (label >= classes.size()) {
      throw new IOException(
          "%s is of class %d, but there are only %d classes"
              .formatted(image.key(), label, classes.size()));
    }
    return classes.get(label);
  }

  private static String extension(EncodedImage image) throws IOException {
    ImageFormat format;
    try {
      format = ImageFormat.of(HeaderBytes.bigEndian(image.bytes()));
    } catch (ImageFormatException unknown) {
      throw new ImageFormatException(image.key() + ": " + unknown.getMessage(), unknown);
    }
    return switch (format) {
      case JPEG -> ".jpg";
      case TIFF -> ".tif";
      case PNM -> ".ppm";
      case PNG, BMP, WEBP, GIF -> "." + format.name().toLowerCase(Locale.ROOT);
    };
  }

  @Override
  public void commit() throws IOException {
    requireOpen();
    journal.close();
    Files.delete(partial.resolve(JOURNAL));
    try {
      Files.move(partial, root, StandardCopyOption.REPLACE_EXISTING);
    } catch (DirectoryNotEmptyException taken) {
      throw new FileAlreadyExistsException(
          root.toString(), null, "something was put meanwhile where the folder is to be");
    }
    state = State.COMMITTED;
  }

  private void requireOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException(
          "the folder %s is %s".formatted(root, state.name().toLowerCase(Locale.ROOT)));
    }
  }

  @Override
  public void close() throws IOException {
    if (state == State.OPEN) {
      state = State.CLOSED;
      journal.close();
    }
  }

  /** Where the folder will be. */
  @Override
  public String toString() {
    return "ImageFolderWriter(%s, %d written)".formatted(root, written);
  }
}
