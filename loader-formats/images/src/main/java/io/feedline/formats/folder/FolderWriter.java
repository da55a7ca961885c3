package io.feedline.formats.folder;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.formats.store.internal.samples.ClassDirectories;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.formats.store.internal.staging.StagedWriter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * A writer of images as the files of an {@link ImageFolder}: {@code root/CLASS/KEY.jpg}. The
 * extension is the extension of the source's file; if the source is not a file, the usual extension
 * of the encoding.
 *
 * <p>A key may contain directories, but a key that leads out of the class's directory is refused.
 * If a key begins with the class's name and a slash, the path contains the name once. A checkpoint
 * follows each file. Files are not forced to the disk one by one, since that would take longer than
 * writing them.
 */
final class FolderWriter extends StagedWriter<EncodedImage> {

  private final ClassDirectories directories;
  private long added;

  /** True until this run writes its first file, which may replace a file of an interrupted run. */
  private boolean mayReplace = true;

  private FolderWriter(StagedOutput output, ClassDirectories directories) throws IOException {
    super(output);
    this.directories = directories;
    this.added = output.checkpoints().size();
    if (!output.isComplete()) {
      for (String name : directories.classes()) {
        Files.createDirectories(output.path().resolve(name));
      }
    }
  }

  static StoreWriter<EncodedImage> open(Path root, Packing packing) throws IOException {
    packing.refuseShards(ImageFolderFormat.NAME);
    ClassDirectories directories = new ClassDirectories(packing.classes());
    return StagedOutput.openFor(
        root,
        StagedOutput.Kind.DIRECTORY,
        ImageFolderFormat.NAME,
        packing,
        output ->
            ObjectOutput.of(root) == null
                ? new FolderWriter(output, directories)
                : new FolderObjectsWriter(output, directories));
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
      // The system's message, for example that the disk is full, names no file.
      throw new IOException(
          "%s cannot be written: %s".formatted(file, failure.getMessage()), failure);
    }
    output().checkpoint(Map.of("key", image.key()), false);
    added++;
  }

  private Path file(EncodedImage image) throws FormatException {
    String file = directories.file(image);
    try {
      return output().path().resolve(file);
    } catch (InvalidPathException impossible) {
      throw new FormatException(
          "the key '%s' cannot be a file's name: %s"
              .formatted(image.key(), LocalFiles.reason(impossible)),
          impossible);
    }
  }

  @Override
  protected void finish() {
    // Each added file is already written and closed.
  }

  @Override
  protected void release() {
    // No file is open.
  }
}
