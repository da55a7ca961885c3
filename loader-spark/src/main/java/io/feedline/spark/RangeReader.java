package io.feedline.spark;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.data.StoreException;
import io.feedline.formats.image.Image;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.ImageStore.StoredImage;
import io.feedline.internal.Counts;
import io.feedline.spark.ReadPlan.OnError;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the rows of a range of samples. It reads only the parts of a sample that the columns
 * need: nothing for a count of rows, the beginning of an image for its width and height, and only
 * key and label if the format stores them apart from the image. Filters are evaluated first: of a
 * sample that a filter rejects, only the key or label is read. Not thread-safe; Spark closes it.
 */
final class RangeReader implements PartitionReader<InternalRow> {

  /** The bytes that are read first for a header if a read is cheap; most headers are shorter. */
  private static final int HEADER_BYTES = 4096;

  /** The bytes that are read first for a header if each read is a request over the network. */
  private static final int BEGINNING_BYTES = 1 << 14;

  private final ReadPlan plan;
  private final List<SampleColumn> columns;
  private final List<SampleFilter> filters;
  private final StoreScan.Range range;
  private final BrokenImages leftOut = new BrokenImages();

  /** The store; null until a sample is read. */
  private ImageStore store;

  private long next;
  private InternalRow row;

  RangeReader(
      ReadPlan plan,
      List<SampleColumn> columns,
      List<SampleFilter> filters,
      StoreScan.Range range) {
    this.plan = plan;
    this.columns = columns;
    this.filters = filters;
    this.range = range;
    this.next = range.from();
  }

  @Override
  public boolean next() throws IOException {
    while (next < range.to()) {
      row = row(next++);
      if (row != null) {
        return true;
      }
    }
    return false;
  }

  @Override
  public InternalRow get() {
    return row;
  }

  /** Returns a sample's row; null if a filter rejects it, or its broken image is skipped. */
  private @Nullable InternalRow row(long index) throws IOException {
    if (columns.isEmpty() && filters.isEmpty() && !leavesOutBroken()) {
      return new GenericInternalRow(new Object[0]);
    }
    open();
    try {
      return read(new Sample(index));
    } catch (IOException broken) {
      if (!leavesOutBroken() || StoreException.isBehind(broken)) {
        throw broken;
      }
      leftOut.add(broken);
      return null;
    }
  }

  private boolean leavesOutBroken() {
    return plan.onError() == OnError.SKIP;
  }

  private void open() throws IOException {
    if (store == null) {
      store = plan.open();
      if (store.size() != range.size()) {
        throw new IOException(
            "%s had %s when the query was planned, and has %d now"
                .formatted(store.name(), Counts.of(range.size(), "sample"), store.size()));
      }
    }
  }

  private @Nullable InternalRow read(Sample sample) throws IOException {
    for (SampleFilter filter : filters) {
      if (!filter.accepts(sample.value(filter.column()))) {
        return null;
      }
    }
    if (columns.contains(SampleColumn.BYTES)) {
      // All other columns are parts of the image.
      sample.image();
    }
    try (Closeable beginning = sample.beginning()) {
      assert beginning != null;
      if (leavesOutBroken()) {
        sample.header();
      }
      Object[] values = new Object[columns.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = sample.value(columns.get(i));
      }
      return new GenericInternalRow(values);
    }
  }

  /** A sample; each of its parts is read at most once, when it is first needed. */
  private final class Sample {
    private final long index;

    private EncodedImage image;

    private @Nullable Header header;

    /** The number of bytes that are read first for an image's header. */
    private int headerBytes = store.prefersReadAhead() ? BEGINNING_BYTES : HEADER_BYTES;

    Sample(long index) {
      this.index = index;
    }

    /**
     * Reads the beginning of the sample, if each read is a request and the header is needed. Until
     * the result is closed, later reads of this range take their bytes from memory.
     */
    Closeable beginning() throws IOException {
      boolean needed = leavesOutBroken() || columns.stream().anyMatch(SampleColumn::isOfHeader);
      Optional<FileRange> whole =
          needed && image == null && store.prefersReadAhead()
              ? store.range(index)
              : Optional.empty();
      if (whole.isEmpty()) {
        return () -> {};
      }
      // The range that was read usually contains so many bytes of the image.
      headerBytes = HEADER_BYTES;
      FileRange all = whole.get();
      return store.openRange(
          new FileRange(all.file(), all.offset(), Math.min(all.length(), BEGINNING_BYTES)));
    }

    @Nullable Object value(SampleColumn column) throws IOException {
      return switch (column) {
        case KEY -> UTF8String.fromString(image == null ? store.key(index) : image.key());
        case BYTES -> image().bytes();
        case LABEL -> label() == EncodedImage.NO_LABEL ? null : (Object) label();
        case CLASS -> className();
        case WIDTH -> header().width();
        case HEIGHT -> header().height();
        case FORMAT -> header().format();
      };
    }

    private EncodedImage image() throws IOException {
      if (image == null) {
        image = store.read(index);
      }
      return image;
    }

    private int label() throws IOException {
      return image == null ? store.label(index) : image.label();
    }

    private UTF8String className() throws IOException {
      int label = label();
      return label == EncodedImage.NO_LABEL || label >= store.classes().size()
          ? null
          : UTF8String.fromString(store.classes().get(label));
    }

    private Header header() throws IOException {
      if (header == null) {
        header = readHeader();
      }
      return header;
    }

    private Header readHeader() throws IOException {
      if (image == null) {
        Optional<StoredImage> view = store.locate(index);
        if (view.isPresent()) {
          try (StoredImage stored = view.get()) {
            return beginning(stored);
          }
        }
      }
      return whole(image().bytes());
    }

    /** Reads the beginning of an image, longer and longer, until the header is complete. */
    private Header beginning(StoredImage stored) throws IOException {
      for (int length = headerBytes; length < stored.length(); length *= 8) {
        byte[] bytes = new byte[length];
        stored.read(0, bytes, 0, length);
        try {
          return Header.of(bytes, "");
        } catch (FormatException cutOff) {
          if (length > Integer.MAX_VALUE / 8) {
            break;
          }
        }
      }
      return whole(stored.copy());
    }

    private Header whole(byte[] bytes) throws FormatException {
      try {
        return Header.of(bytes, store.describe(index));
      } catch (FormatException broken) {
        if (plan.onError() != OnError.NULL) {
          throw broken;
        }
        return new Header(null, null, Header.format(bytes));
      }
    }
  }

  /**
   * The values of an image's header: width and height are null if it is broken; the format is in
   * lower case, and null if unknown.
   */
  private record Header(
      @Nullable Integer width, @Nullable Integer height, @Nullable UTF8String format) {

    static Header of(byte[] bytes, String description) throws FormatException {
      Image image = Image.ofEncoded(bytes, description);
      return new Header(image.width(), image.height(), format(bytes));
    }

    static UTF8String format(byte[] bytes) {
      ImageFormat format = ImageFormat.of(bytes);
      return format == ImageFormat.UNKNOWN
          ? null
          : UTF8String.fromString(format.name().toLowerCase(Locale.ROOT));
    }
  }

  @Override
  public void close() throws IOException {
    leftOut.log(
        "samples %d to %d of %s were read".formatted(range.from(), next - 1, plan.source()));
    if (store != null) {
      store.close();
    }
  }
}
