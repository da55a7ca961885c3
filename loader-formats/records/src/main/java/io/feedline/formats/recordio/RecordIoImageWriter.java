package io.feedline.formats.recordio;

import io.feedline.data.FormatException;
import io.feedline.formats.recordio.RecordIoDataset.ImageRecord;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.staging.StagedOutput;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A writer of images into a RecordIO file and its index, like MXNet's {@code im2rec}. An image gets
 * an {@link ImageRecord} header with its label, and its number instead of its key.
 */
final class RecordIoImageWriter extends RecordIoFileWriter<EncodedImage> {

  /** The largest label; a float can represent all whole numbers up to this label. */
  private static final int LARGEST_LABEL = 1 << 24;

  private final ClassList classes;

  private RecordIoImageWriter(StagedOutput output, ClassList classes) {
    super(output);
    this.classes = classes;
  }

  static RecordIoImageWriter open(Path directory, Packing packing) throws IOException {
    return StagedOutput.openFor(
        directory,
        StagedOutput.Kind.DIRECTORY,
        RecordIoFormat.NAME,
        packing,
        output -> new RecordIoImageWriter(output, new ClassList(packing.classes(), 0)));
  }

  @Override
  protected byte[] record(EncodedImage image) throws FormatException {
    if (classes.names().isEmpty() && image.label() > LARGEST_LABEL) {
      throw new FormatException(
          "image %s has label %d, but a float tells numbers apart up to 2^24"
              .formatted(image.key(), image.label()));
    }
    classes.requireClass(image);
    return ImageRecord.of(image.label(), added(), image.bytes()).pack();
  }

  @Override
  protected void finish() throws IOException {
    super.finish();
    if (!classes.names().isEmpty()) {
      classes.write(output(), RecordIoStore.classList(rec()));
    }
  }
}
