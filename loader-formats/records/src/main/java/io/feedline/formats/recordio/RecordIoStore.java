package io.feedline.formats.recordio;

import io.feedline.data.FormatException;
import io.feedline.formats.recordio.RecordIoDataset.ImageRecord;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore.StoredImage;
import io.feedline.formats.store.internal.files.FileImage;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.samples.DatasetStore;
import io.feedline.formats.store.internal.samples.NumberedKeys;
import io.feedline.internal.Counts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

final class RecordIoStore extends DatasetStore<RecordIoDataset> {

  private final Integer labelColumn;
  private final ClassList classes;

  /** Takes the records and the column of their label; null if a record has only one label. */
  RecordIoStore(RecordIoDataset records, Integer labelColumn, ClassList classes) {
    super(records, classes.names());
    this.labelColumn = labelColumn;
    this.classes = classes;
  }

  static Path classList(Path rec) {
    return rec.resolveSibling(RecordIoDataset.baseName(rec) + ClassList.SUFFIX);
  }

  @Override
  public EncodedImage read(long index) throws IOException {
    byte[] record = samples().get(index);
    try {
      ImageRecord image = ImageRecord.unpack(record);
      String key = NumberedKeys.padded(samples().key(index), size());
      return noted(new EncodedImage(key, image.data(), label(image.labels())));
    } catch (FormatException broken) {
      throw broken.at(describe(index));
    }
  }

  @Override
  public String key(long index) throws IOException {
    return NumberedKeys.padded(samples().key(index), size());
  }

  @Override
  public Optional<StoredImage> view(long index) throws IOException {
    return hasRecords() && !samples().isFar() ? locate(index) : Optional.empty();
  }

  @Override
  public Optional<StoredImage> locate(long index) throws IOException {
    Optional<RecordIoDataset.Located> found = samples().locate(index);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try {
      int label = label(found.get().header().labels());
      return Optional.of(new FileImage(samples().files(), found.get().data(), label));
    } catch (FormatException broken) {
      throw broken.at(describe(index));
    }
  }

  private int label(float[] labels) throws FormatException {
    if (labelColumn == null && labels.length > 1) {
      throw new FormatException(
          "the record has %d labels; labelColumn(...) says which is the class"
              .formatted(labels.length));
    }
    int column = labelColumn == null ? 0 : labelColumn;
    if (column >= labels.length) {
      throw new FormatException(
          "labelColumn is %d, but the record has %s"
              .formatted(column, Counts.of(labels.length, "label")));
    }
    float label = labels[column];
    if ((long) label != label) {
      throw new FormatException("the label is %s, but classes are whole numbers".formatted(label));
    }
    return classes.index((long) label);
  }

  @Override
  public Path path() {
    return samples().path();
  }

  @Override
  public String name() {
    return "RecordIoDataset.images(" + samples().path() + ")";
  }

  @Override
  public String fingerprint() {
    return "RecordIoDataset.images:" + samples().fingerprint();
  }
}
