package io.feedline.formats.arrow.internal;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.ColumnValues.Kind;
import io.feedline.formats.store.internal.samples.ImageColumns;
import io.feedline.formats.store.internal.samples.TextLabels;
import io.feedline.formats.store.internal.shards.ShardTasks;
import io.feedline.formats.store.internal.shards.TableStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The images of Arrow's IPC files; reading an image reads its two offsets and then its bytes. */
final class ArrowStore extends TableStore {

  private static final int CHECKED_BYTES = 1 << 16;
  private static final int MAX_BYTES = Integer.MAX_VALUE - 64;

  private final Column image;
  private final Column label;
  private final Column key;

  /** A column: its type, the same in all files, and its place in each record batch. */
  private record Column(ArrowSchema.Column type, List<ColumnPlace> places) {

    static @Nullable Column of(
        List<ArrowFile> files,
        List<ImageColumns<ArrowSchema.Column>> columns,
        Function<ImageColumns<ArrowSchema.Column>, ArrowSchema.Column> which)
        throws IOException {
      ArrowSchema.Column type = which.apply(columns.get(0));
      if (type == null) {
        return null;
      }
      List<ColumnPlace> places = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        places.addAll(files.get(i).places(which.apply(columns.get(i))));
      }
      return new Column(type, places);
    }
  }

  private ArrowStore(
      Path path,
      OpenFiles files,
      List<ArrowFile> tables,
      List<ImageColumns<ArrowSchema.Column>> columns,
      List<String> classNames,
      @Nullable TextLabels textLabels)
      throws IOException {
    super(
        "record batch",
        path,
        files,
        tables.stream().map(each -> new Part(each.path(), each.rows(), each.checksum())).toList(),
        columns.get(0),
        classNames,
        textLabels);
    this.image = Column.of(tables, columns, ImageColumns::image);
    this.label = Column.of(tables, columns, ImageColumns::wholeLabel);
    this.key = Column.of(tables, columns, ImageColumns::key);
  }

  /** Opens files, in this order, as one dataset; fails if their columns differ. */
  static ArrowStore open(
      Path path,
      List<Path> paths,
      ImageColumns.Wanted wanted,
      @Nullable List<String> classes,
      int openFiles)
      throws IOException {
    OpenFiles files = new OpenFiles(openFiles);
    try {
      List<ArrowFile> tables = ShardTasks.all(paths, files, file -> ArrowFile.read(files, file));
      List<ImageColumns<ArrowSchema.Column>> columns =
          ImageColumns.ofAll(tables.stream().map(ArrowFile::schema).toList(), wanted);
      ArrowSchema.Column texts = columns.get(0).textLabel();
      TextLabels labels =
          texts == null
              ? null
              : TextLabels.read(
                  tables, table -> new ArrowTable(files, table), texts.tableName(), classes);
      return new ArrowStore(path, files, tables, columns, classes, labels);
    } catch (IOException | RuntimeException failure) {
      files.close();
      throw failure;
    }
  }

  @Override
  protected byte[] image(long index, int batch, int row) throws IOException {
    return bytes(image, index, batch, row);
  }

  @Override
  protected String absent() {
    return "%s is null, so the image is elsewhere: Hugging Face's datasets embeds images by save_to_disk, or by map with embed_table_storage"
        .formatted(image.type().name());
  }

  @Override
  protected byte[] key(long index, int batch, int row) throws IOException {
    return key == null ? null : bytes(key, index, batch, row);
  }

  @Override
  protected String labelName() {
    return label.type().name();
  }

  @Override
  protected OptionalLong label(long index, int batch, int row) throws IOException {
    if (label == null || isNull(label, batch, row)) {
      return OptionalLong.empty();
    }
    ArrowValue stored = label.type().value();
    int width = stored.width();
    long place = label.places().get(batch).data() + (long) row * width;
    long number = stored.whole(at(batch, place, width), 0);
    if (number < 0 && stored.kind() == Kind.UNSIGNED) {
      throw atLabel(index, new FormatException("the label is " + Long.toUnsignedString(number)));
    }
    return OptionalLong.of(number);
  }

  private boolean isNull(Column column, int batch, int row) throws IOException {
    for (long bits : column.places().get(batch).validity()) {
      if ((at(batch, bits + row / 8, 1).get(0) & (1 << (row % 8))) == 0) {
        return true;
      }
    }
    return false;
  }

  private byte[] bytes(Column column, long index, int batch, int row) throws IOException {
    if (isNull(column, batch, row)) {
      return null;
    }
    ColumnPlace place = column.places().get(batch);
    int width = column.type().value().width();
    ByteBuffer offsets = at(batch, place.offsets() + (long) row * width, 2 * width);
    long start = ArrowValue.offset(offsets, 0, width == 8);
    long end = ArrowValue.offset(offsets, 1, width == 8);
    if (start < 0 || end < start || end > place.dataBytes() || end - start > MAX_BYTES) {
      throw new FormatException(
          "%s: %s is from byte %d to %d of %d; expected less than 2 GiB, in order"
              .formatted(describe(index), column.type().name(), start, end, place.dataBytes()));
    }
    return at(batch, place.data() + start, (int) (end - start)).array();
  }

  private ByteBuffer at(int batch, long position, int bytes) throws IOException {
    byte[] target = new byte[bytes];
    files().read(file(batch), position, target, 0, bytes);
    return ByteBuffer.wrap(target).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Checks the offsets of all images. */
  @Override
  public void checkStructure() throws IOException {
    for (int batch = 0; batch < groups().count(); batch++) {
      try {
        checkOffsets(batch);
      } catch (FormatException damaged) {
        throw damaged.at(place(batch) + ", column " + image.type().name());
      }
    }
  }

  private void checkOffsets(int batch) throws IOException {
    ColumnPlace place = image.places().get(batch);
    int width = image.type().value().width();
    long count = place.rows() == 0 ? 0 : place.rows() + 1;
    long before = 0;
    for (long first = 0; first < count; first += CHECKED_BYTES / width) {
      int some = (int) Math.min(CHECKED_BYTES / width, count - first);
      ByteBuffer offsets = at(batch, place.offsets() + first * width, some * width);
      for (int i = 0; i < some; i++) {
        long offset = ArrowValue.offset(offsets, i, width == 8);
        if (offset < before || offset > place.dataBytes()) {
          throw new FormatException(
              "offset %d is %d, behind one of %d, of %d bytes"
                  .formatted(first + i, offset, before, place.dataBytes()));
        }
        before = offset;
      }
    }
  }

  /** Returns the file range with the offsets and bytes of all images of a sample's record batch. */
  @Override
  public List<FileRange> parts(long index) {
    int batch = groups().shardOf(index);
    ColumnPlace place = image.places().get(batch);
    long offsets = (place.rows() + 1) * image.type().value().width();
    long start = Math.min(place.offsets(), place.data());
    long end = Math.max(place.offsets() + offsets, place.data() + place.dataBytes());
    return List.of(new FileRange(file(batch), start, end - start));
  }
}
