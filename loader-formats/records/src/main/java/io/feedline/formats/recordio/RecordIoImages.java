package io.feedline.formats.recordio;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.ImageStoreBuilder;
import io.feedline.formats.recordio.RecordIoDataset.ImageRecord;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.internal.samples.ClassList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A reader of encoded images and their labels in a RecordIO file, as MXNet's {@code im2rec} packs
 * them.
 *
 * <p>A label in the file is a float, which must be a whole number: 0 or more, or -1 for an image
 * without a label. Records with several labels, as for detection, need a {@link
 * Builder#labelColumn}; to get all labels, map a {@link RecordIoDataset} by {@link
 * ImageRecord#unpack}. An image's key is its key in the index, in decimal.
 *
 * <p>{@link StoreFormat#named} returns the format for the name {@code recordio}. The format opens a
 * file, or a directory with one such file; the option is {@code label-column}. The format writes a
 * directory with {@code data.rec}, {@code data.idx} and {@code data.classes.json}.
 */
public final class RecordIoImages {

  private RecordIoImages() {}

  /**
   * Returns the images of a file, with the index beside it if there is one, and the defaults of
   * {@link #builder}.
   *
   * @throws IOException if the file is missing, or the file or its index is damaged
   */
  public static ImageDataset of(Path rec) throws IOException {
    return builder(rec).build();
  }

  /** Returns a builder for the images of a file. */
  public static Builder builder(Path rec) {
    return new Builder(rec);
  }

  /**
   * Options; see {@link RecordIoImages#builder}. Not thread-safe.
   *
   * <p>By default the names of the classes are read from {@code x.classes.json} beside {@code
   * x.rec}.
   */
  public static final class Builder extends ImageStoreBuilder<Builder> {
    private final Path rec;
    private Path idx;
    private Integer labelColumn;

    private Builder(Path rec) {
      this.rec = Objects.requireNonNull(rec, "rec");
    }

    /** Sets the index; by default {@code x.idx} for {@code x.rec}, or else the result of a scan. */
    public Builder index(Path idx) {
      this.idx = Objects.requireNonNull(idx, "idx");
      return this;
    }

    /**
     * Sets which of several labels is the class; by default a record may have only one label.
     *
     * @param column 0 or more
     */
    public Builder labelColumn(int column) {
      this.labelColumn = column;
      return this;
    }

    @Override
    protected ImageStore store() throws IOException {
      if (labelColumn != null && labelColumn < 0) {
        throw new IllegalArgumentException("labelColumn must be 0 or more, was " + labelColumn);
      }
      ClassList kept = ClassList.readIfPresent(RecordIoStore.classList(rec));
      ClassList used = new ClassList(classesOr(kept.names()), kept.firstLabel());
      RecordIoDataset records =
          idx == null ? RecordIoDataset.of(rec) : RecordIoDataset.of(rec, idx);
      return new RecordIoStore(records, labelColumn, used);
    }
  }
}
