package io.feedline.formats.recordio;

import io.feedline.formats.image.DecodeOptions;
import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.image.ImageDataset;
import io.feedline.formats.image.ScanIndexStore;
import io.feedline.formats.support.ClassList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Encoded images and their labels in a RecordIO file, as MXNet's {@code im2rec} packs them.
 *
 * <p>A label is a float there, and must be a whole number, 0 or more; -1 is an image without one.
 * Records with several labels, as for detection, need a {@link Builder#labelColumn}; whoever wants
 * all of them maps a {@link RecordIoDataset} by {@link ImageRecord#unpack}. An image's key is that
 * of the index, in decimal.
 *
 * <p>Thread-safe. Whoever made it closes it; closing twice is allowed, reading afterwards is an
 * {@link IllegalStateException}.
 */
public final class RecordIoImages implements ImageDataset, AutoCloseable {

  static final String CLASSES_SUFFIX = ".classes.json";

  private final RecordIoDataset records;
  private final Integer labelColumn;
  private final ClassList classes;
  private final DecodeOptions decodeOptions;
  private final ScanIndexStore scanIndexes;

  private RecordIoImages(Builder builder, RecordIoDataset records, ClassList classes) {
    this.records = records;
    this.labelColumn = builder.labelColumn;
    this.classes = classes;
    this.decodeOptions = builder.decodeOptions;
    this.scanIndexes = ScanIndexStore.beside(path(), this::fingerprint, size());
  }

  /**
   * The images of a file, with the index beside it if there is one, and the defaults of {@link
   * #builder}.
   *
   * @throws IOException if the file is missing, or it or its index is damaged
   */
  public static RecordIoImages of(Path rec) throws IOException {
    return builder(rec).build();
  }

  /** Options for the images of a file. */
  public static Builder builder(Path rec) {
    return new Builder(rec);
  }

  @Override
  public long size() {
    return records.size();
  }

  /**
   * Reads a record.
   *
   * @throws IndexOutOfBoundsException if there is no such record
   * @throws RecordIoException if it is damaged, or its label is no class, with file, key and
   *     position
   * @throws IOException if it cannot be read
   * @throws IllegalStateException if the dataset is closed
   */
  @Override
  public EncodedImage encoded(long index) throws IOException {
    byte[] record = records.get(index);
    try {
      ImageRecord image = ImageRecord.unpack(record);
      return new EncodedImage(key(index), image.data(), label(image.labels()));
    } catch (RecordIoException broken) {
      throw new RecordIoException(describe(index) + ": " + broken.getMessage(), broken);
    }
  }

  /**
   * The record's number, with as many digits as the last one's, so that keys sort as numbers do.
   */
  private String key(long index) {
    int digits = Long.toString(Math.max(0, size() - 1)).length();
    return ("%0" + digits + "d").formatted(records.key(index));
  }

  private int label(float[] labels) throws RecordIoException {
    if (labelColumn == null && labels.length > 1) {
      throw new RecordIoException(
          "the record has %d labels; labelColumn(...) says which is the class"
              .formatted(labels.length));
    }
    int column = labelColumn == null ? 0 : labelColumn;
    if (column >= labels.length) {
      throw new RecordIoException(
          "labelColumn is %d, but the record has %d labels".formatted(column, labels.length));
    }
    float label = labels[column];
    if (label == EncodedImage.NO_LABEL) {
      return EncodedImage.NO_LABEL;
    }
    int end = classes.names().isEmpty() ? Integer.MAX_VALUE : classes.names().size();
    int shifted = (int) label - classes.firstLabel();
    if ((int) label != label || shifted < 0 || shifted >= end) {
      throw new RecordIoException(
          "the label is %s, but classes are whole numbers from %d, and there are %s of them"
              .formatted(
                  label,
                  classes.firstLabel(),
                  classes.names().isEmpty() ? "at most 2^31 - 1" : end));
    }
    return shifted;
  }

  /** The names of the classes, where they were given or lie beside the file. */
  @Override
  public List<String> classes() {
    return classes.names();
  }

  /** The file of records. */
  @Override
  public Path path() {
    return records.path();
  }

  @Override
  public ScanIndexStore scanIndexes() {
    return scanIndexes;
  }

  @Override
  public DecodeOptions decodeOptions() {
    return decodeOptions;
  }

  /** The records as they are; closed with this. */
  public RecordIoDataset records() {
    return records;
  }

  /** The file, the record's key, and its position. */
  @Override
  public String describe(long index) {
    return records.describe(index);
  }

  @Override
  public String name() {
    return "RecordIoImages(" + records.path() + ")";
  }

  @Override
  public String fingerprint() {
    return "RecordIoPictures:" + records.fingerprint();
  }

  /**
   * Closes the file.
   *
   * @throws IOException if that fails
   */
  @Override
  public void close() throws IOException {
    records.close();
  }

  /** Options; see {@link RecordIoImages#builder}. Not thread-safe. */
  public static final class Builder {
    private final Path rec;
    private Path idx;
    private Integer labelColumn;
    private List<String> classes;
    private DecodeOptions decodeOptions = DecodeOptions.DEFAULT;

    private Builder(Path rec) {
      this.rec = Objects.requireNonNull(rec, "rec");
    }

    /** The index, by default {@code x.idx} for {@code x.rec} if that is there, or a scan. */
    public Builder index(Path idx) {
      this.idx = Objects.requireNonNull(idx, "idx");
      return this;
    }

    /**
     * Which of several labels is the class; by default a record may have only one.
     *
     * @param column 0 or more
     */
    public Builder labelColumn(int column) {
      this.labelColumn = column;
      return this;
    }

    /**
     * The names of the classes, by default those of {@code x.classes.json} beside {@code x.rec}, or
     * none.
     */
    public Builder classes(List<String> classes) {
      this.classes = List.copyOf(classes);
      return this;
    }

    /** How images are decoded; {@link DecodeOptions#DEFAULT} by default. */
    public Builder decode(DecodeOptions options) {
      this.decodeOptions = Objects.requireNonNull(options, "options");
      return this;
    }

    /**
     * Opens the file.
     *
     * @throws IllegalArgumentException if {@code labelColumn} is negative
     * @throws IOException if the file is missing, or it, its index or its list of classes is
     *     damaged
     */
    public RecordIoImages build() throws IOException {
      if (labelColumn != null && labelColumn < 0) {
        throw new IllegalArgumentException("labelColumn must be 0 or more, was " + labelColumn);
      }
      Path list = rec.resolveSibling(RecordIoDataset.baseName(rec) + CLASSES_SUFFIX);
      ClassList kept = ClassList.readIfPresent(list);
      ClassList used = classes == null ? kept : new ClassList(classes, kept.firstLabel());
      RecordIoDataset records =
          idx == null ? RecordIoDataset.of(rec) : RecordIoDataset.of(rec, idx);
      return new RecordIoImages(this, records, used);
    }
  }
}
