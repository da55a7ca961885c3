package io.feedline.formats.cli;

import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.image.ImageStoreWriter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A store of several files, in a directory that has its name only when all of them are whole: until
 * then it is called {@code NAME.partial}. Not thread-safe; whoever opened it closes it.
 */
final class DirectorySink implements ImageStoreWriter {

  private final Path whole;
  private final Path partial;
  private final ImageStoreWriter files;

  private DirectorySink(Path whole, Path partial, ImageStoreWriter files) {
    this.whole = whole;
    this.partial = partial;
    this.files = files;
  }

  /** Opens what writes the files, in a directory. */
  interface Opener {
    ImageStoreWriter open(Path directory) throws IOException;
  }

  /**
   * Opens a directory to be written, or goes on with one that was not committed.
   *
   * @param path of the directory that is to be
   * @throws FileAlreadyExistsException if there is something
   */
  static DirectorySink open(Path path, Opener opener) throws IOException {
    Path whole = path.toAbsolutePath().normalize();
    if (Files.exists(whole)) {
      throw new FileAlreadyExistsException(
          whole.toString(), null, "there is something already where the output is to be");
    }
    Path partial = whole.resolveSibling(whole.getFileName() + ".partial");
    Files.createDirectories(partial);
    return new DirectorySink(whole, partial, opener.open(partial));
  }

  @Override
  public long written() {
    return files.written();
  }

  @Override
  public void write(EncodedImage image) throws IOException {
    files.write(image);
  }

  @Override
  public void commit() throws IOException {
    files.commit();
    files.close();
    Files.move(partial, whole, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
