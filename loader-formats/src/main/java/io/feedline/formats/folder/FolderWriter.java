package io.feedline.formats.folder;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.ImageStoreWriter;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.internal.StagedOutput;
import io.feedline.formats.store.internal.StagedWriter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes images as the files of an {@link ImageFolder}: {@code root/CLASS/KEY.jpg}, with the
 * extension that the file had, or the usual one of its encoding.
 *
 * <p>Keys are names, not paths: they may have directories, but one that would lead out of its
 * class's directory is refused. A key that begins with the class's name and a slash does not repeat
 * it. A checkpoint follows each file; the files are not forced to the disk one by one, which would
 * take longer than writing them.
 */
final class FolderWriter extends StagedWriter<EncodedImage> implements ImageStoreWriter {

  /** Wide enough for the classes of any dataset to sort as numbers do. */
  private static final String NAMELESS_CLASS = "%06d";

  private final List<String> classes;
  private long added;

  /** The image that an interruption cut off has no checkpoint, but perhaps a file. */
  private boolean mayReplace = true;

  private FolderWriter(StagedOutput output, List<String> classes) throws IOException {
    super(output);
    this.classes = classes;
    this.added = output.checkpoints().size();
    if (!output.isComplete()) {
      for (String name : classes) {
        Files.createDirectories(output.path().resolve(name));
      }
    }
  }

  static FolderWriter open(Path root, Packing packing) throws IOException {
    packing.refuseShards(ImageFolder.NAME);
    for (String name : packing.classes()) {
      if (name.isEmpty()
          || name.equals(".")
          || name.equals("..")
          || name.matches(".*[/\\\\\0].*")) {
        throw new IllegalArgumentException(
            "the class name '%s' cannot be the name of a directory".formatted(name));
      }
    }
    return StagedOutput.openFor(
        root,
        StagedOutput.Kind.DIRECTORY,
        ImageFolder.NAME,
        packing,
        output -> new FolderWriter(output, packing.classes()));
  }

  @Override
  protected long added() {
    return added;
  }

  @Override
  protected void add(EncodedImage image) throws IOException {
    Path file = file(image);
    Files.createDirectories(file.getParent());
    if (mayReplace) {
      Files.deleteIfExists(file);
      mayReplace = false;
    }
    try {
      Files.write(file, image.bytes(), StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException twice) {
      throw new FormatException(
          "%s: two images have the key '%s'".formatted(file, image.key()), twice);
    } catch (IOException failure) {
      // The system's own message, such as that the disk is full, names no file.
      throw new IOException(
          "%s cannot be written: %s".formatted(file, failure.getMessage()), failure);
    }
    output().checkpoint(Map.of("key", image.key()), false);
    added++;
  }

  private Path file(EncodedImage image) throws FormatException {
    String directory = className(image);
    String key = image.key();
    String name = key.startsWith(directory + "/") ? key.substring(directory.length() + 1) : key;
    Path parent = output().path().resolve(directory);
    Path file;
    try {
      file = parent.resolve(name + '.' + extension(image)).normalize();
    } catch (InvalidPathException impossible) {
      throw new FormatException("the key '%s' cannot be a file's name".formatted(key), impossible);
    }
    if (name.isEmpty() || !file.startsWith(parent) || file.equals(parent)) {
      throw new FormatException("the key '%s' leads out of its class's directory".formatted(key));
    }
    return file;
  }

  private String className(EncodedImage image) throws FormatException {
    int label = image.label();
    if (label == EncodedImage.NO_LABEL) {
      throw new FormatException(
          "%s has no class, but a folder of images has one for each".formatted(image.key()));
    }
    if (classes.isEmpty()) {
      return String.format(Locale.ROOT, NAMELESS_CLASS, label);
    }
    if (label >= classes.size()) {
      throw new FormatException(
          "%s is of class %d, but there are only %d classes"
              .formatted(image.key(), label, classes.size()));
    }
    return classes.get(label);
  }

  /** That of the file that it was, if a folder takes it for an image's; that of its encoding. */
  private static String extension(EncodedImage image) throws FormatException {
    ImageFormat format = image.format();
    if (format == ImageFormat.UNKNOWN) {
      throw new FormatException(
          "%s: %d bytes that are no known kind of image, so the file has no extension"
              .formatted(image.key(), image.bytes().length));
    }
    String own = image.extension();
    return ImageFolder.EXTENSIONS.contains("." + own.toLowerCase(Locale.ROOT))
        ? own
        : format.suffix();
  }

  @Override
  protected void finish() {
    // Each file is whole.
  }

  @Override
  protected void release() {
    // No file is open.
  }
}
