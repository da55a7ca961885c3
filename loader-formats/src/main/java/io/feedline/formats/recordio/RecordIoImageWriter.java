package io.feedline.formats.recordio;

import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.image.ImageStoreWriter;
import io.feedline.formats.support.ClassList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Packs images into a RecordIO file and its index, as MXNet's {@code im2rec} does: each with an
 * {@link ImageRecord} header that has its label and number. The images' bytes are not touched;
 * their keys become numbers, since the format knows no others.
 *
 * <p>The names of the classes, if there are any, are kept in {@code x.classes.json} beside {@code
 * x.rec}.
 *
 * <p>Not thread-safe. Whoever opened it closes it; closing twice is allowed.
 *
 * @see RecordIoWriter what the files are called, and how an interrupted run is continued
 */
public final class RecordIoImageWriter implements ImageStoreWriter {

  /** Up to here all whole numbers are floats. */
  private static final int LARGEST_LABEL = 1 << 24;

  private final Path rec;
  private final RecordIoWriter writer;
  private final List<String> classes;

  private RecordIoImageWriter(Path rec, RecordIoWriter writer, List<String> classes) {
    this.rec = rec;
    this.writer = writer;
    this.classes = classes;
  }

  /**
   * Begins to pack, or continues what was interrupted.
   *
   * @param rec the final name, {@code x.rec}; its directory is made if need be
   * @param classes the names of the classes by index; empty where they have none
   * @throws java.nio.file.FileAlreadyExistsException if there is such a file already
   * @throws IOException if the file cannot be made, or is being written by another
   */
  public static RecordIoImageWriter open(Path rec, List<String> classes) throws IOException {
    Objects.requireNonNull(rec, "rec");
    List<String> names = List.copyOf(classes);
    return new RecordIoImageWriter(rec, RecordIoWriter.open(rec), names);
  }

  @Override
  public long written() {
    return writer.written();
  }

  /**
   * Adds an image.
   *
   * @throws IOException if its label has no class or is more than 2^24, which a float cannot tell
   *     from its neighbors, or it cannot be written; nothing is then added
   * @throws IllegalStateException if the sink is committed or closed
   */
  @Override
  public void write(EncodedImage image) throws IOException {
    int end = classes.isEmpty() ? LARGEST_LABEL + 1 : classes.size();
    if (image.label() >= end) {
      throw new RecordIoException(
          "image %s has label %d, but there are %s"
              .formatted(
                  image.key(),
                  image.label(),
                  classes.isEmpty() ? "at most 2^24" : end + " classes"));
    }
    writer.write(ImageRecord.of(image.label(), writer.written(), image.bytes()).pack());
  }

  /**
   * Writes the list of classes and the index, and gives the file its final name.
   *
   * @throws IOException if that fails; the output is then as after an interruption
   * @throws IllegalStateException if the sink is committed or closed
   */
  @Override
  public void commit() throws IOException {
    Path list = rec.resolveSibling(RecordIoDataset.baseName(rec) + RecordIoImages.CLASSES_SUFFIX);
    writer.requireWriting();
    if (classes.isEmpty()) {
      // What an earlier dataset of this name may have left would be taken for this one's.
      Files.deleteIfExists(list);
    } else {
      new ClassList(classes, 0).write(list);
    }
    writer.commit();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
