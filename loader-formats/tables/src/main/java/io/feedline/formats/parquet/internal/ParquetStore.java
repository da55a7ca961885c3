package io.feedline.formats.parquet.internal;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.parquet.internal.ColumnPages.Page;
import io.feedline.formats.parquet.internal.ParquetFooter.Leaf;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.files.PartCache;
import io.feedline.formats.store.internal.samples.ImageColumns;
import io.feedline.formats.store.internal.samples.TextLabels;
import io.feedline.formats.store.internal.shards.ShardTasks;
import io.feedline.formats.store.internal.shards.TableStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.apache.parquet.column.Dictionary;
import org.jspecify.annotations.Nullable;

final class ParquetStore extends TableStore {

  /** The number of bytes for which one permit of {@link #units} stands. */
  private static final int UNIT = 1 << 20;

  private final Column image;
  private final Column label;
  private final Column key;
  private final PartCache<PageValues> cache;

  /** Permits for the bytes of pages that threads decode at the same time. */
  private final Semaphore units;

  private final int allUnits;

  /** A column: its type, its place in each row group of all files, and the pages found there. */
  private record Column(
      Leaf leaf,
      PageValues.Decoder decoder,
      List<ChunkPlace> chunks,
      AtomicReferenceArray<ColumnPages> pages) {

    static @Nullable Column of(
        List<ParquetFooter> footers,
        List<ImageColumns<Leaf>> columns,
        Function<ImageColumns<Leaf>, Leaf> which)
        throws FormatException {
      Leaf leaf = which.apply(columns.get(0));
      if (leaf == null) {
        return null;
      }
      List<ChunkPlace> chunks = new ArrayList<>();
      for (int i = 0; i < footers.size(); i++) {
        chunks.addAll(footers.get(i).chunks(which.apply(columns.get(i))));
      }
      return new Column(
          leaf, new PageValues.Decoder(leaf), chunks, new AtomicReferenceArray<>(chunks.size()));
    }
  }

  private ParquetStore(
      Path path,
      OpenFiles files,
      List<ParquetFooter> footers,
      List<Part> parts,
      List<ImageColumns<Leaf>> columns,
      List<String> classNames,
      @Nullable TextLabels textLabels,
      long cacheBytes)
      throws FormatException {
    super("row group", path, files, parts, columns.get(0), classNames, textLabels);
    this.image = Column.of(footers, columns, ImageColumns::image);
    this.label = Column.of(footers, columns, ImageColumns::wholeLabel);
    this.key = Column.of(footers, columns, ImageColumns::key);
    this.cache = new PartCache<>(cacheBytes);
    this.allUnits = (int) Math.max(1, Math.min(Integer.MAX_VALUE, cacheBytes / UNIT));
    this.units = new Semaphore(allUnits, true);
  }

  /** Opens files, in this order, as one dataset; fails if their columns differ. */
  static ParquetStore open(
      Path path,
      List<Path> paths,
      ImageColumns.Wanted wanted,
      @Nullable List<String> classes,
      long cacheBytes,
      int openFiles)
      throws IOException {
    OpenFiles files = new OpenFiles(openFiles);
    try {
      List<ParquetFooter> footers =
          ShardTasks.all(paths, files, file -> ParquetFooter.read(files, file));
      List<ImageColumns<Leaf>> columns = ImageColumns.ofAll(footers, wanted);
      List<Part> parts = new ArrayList<>();
      for (ParquetFooter footer : footers) {
        parts.add(new Part(footer.file(), footer.rows(), footer.checksum()));
      }
      Leaf texts = columns.get(0).textLabel();
      TextLabels labels =
          texts == null
              ? null
              : TextLabels.read(
                  footers, footer -> new ParquetTable(files, footer), texts.tableName(), classes);
      return new ParquetStore(path, files, footers, parts, columns, classes, labels, cacheBytes);
    } catch (IOException | RuntimeException failure) {
      files.close();
      throw failure;
    }
  }

  @Override
  protected byte[] image(long index, int group, int row) throws IOException {
    return bytes(image, group, row);
  }

  @Override
  protected String absent() {
    return "%s is null, so the image is elsewhere: Hugging Face's datasets embeds images when it writes Parquet by push_to_hub, or after embed_table_storage"
        .formatted(image.leaf.name());
  }

  @Override
  protected byte[] key(long index, int group, int row) throws IOException {
    return key == null ? null : bytes(key, group, row);
  }

  @Override
  protected String labelName() {
    return label.leaf.name();
  }

  @Override
  protected OptionalLong label(long index, int group, int row) throws IOException {
    if (label == null) {
      return OptionalLong.empty();
    }
    ColumnPages pages = pages(label, group);
    int page = pages.pageOf(row);
    long stored = values(label, group, pages, page).number(row - pages.firstRow(page));
    return stored == PageValues.NULL ? OptionalLong.empty() : OptionalLong.of(stored);
  }

  private byte[] bytes(Column column, int group, int row) throws IOException {
    ColumnPages pages = pages(column, group);
    int page = pages.pageOf(row);
    return values(column, group, pages, page).bytes(row - pages.firstRow(page));
  }

  private ColumnPages pages(Column column, int group) throws IOException {
    OpenFiles files = files();
    ColumnPages found = column.pages.get(group);
    if (found == null) {
      try {
        found = ColumnPages.find(files, file(group), column.chunks.get(group));
      } catch (FormatException damaged) {
        throw damaged.at(place(column, group));
      }
      // Two threads may have found the pages; the first result wins, since the cache compares
      // instances.
      if (!column.pages.compareAndSet(group, null, found)) {
        found = column.pages.get(group);
      }
    }
    return found;
  }

  private PageValues values(Column column, int group, ColumnPages pages, int number)
      throws IOException {
    Page page = pages.page(number);
    Page dictionary = PageValues.Decoder.refersToDictionary(page) ? pages.dictionary() : null;
    // The object of each value takes about as much memory as a short value.
    long size = page.size() + (dictionary == null ? 0L : dictionary.size()) + 64L * page.values();
    return cache.get(
        new PartCache.Key(pages, number),
        size,
        () -> restore(column, group, page, dictionary, number, size));
  }

  private PageValues restore(
      Column column, int group, Page page, Page dictionary, int number, long size)
      throws IOException {
    int taken = (int) Math.min(allUnits, 1 + size / UNIT);
    try {
      units.acquire(taken);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before reading " + place(column, group));
    }
    try {
      PageCodec codec = PageCodec.of(column.chunks.get(group).codec());
      Path file = file(group);
      Dictionary known =
          PageValues.Decoder.refersToDictionary(page)
              ? column.decoder.dictionary(
                  page, codec, dictionary, dictionary == null ? null : stored(file, dictionary))
              : null;
      return column.decoder.decode(page, stored(file, page), codec, known);
    } catch (FormatException damaged) {
      throw damaged.at(
          "%s, page %d at offset %d".formatted(place(column, group), number, page.offset()));
    } finally {
      units.release(taken);
    }
  }

  private byte[] stored(Path file, Page page) throws IOException {
    byte[] stored = new byte[page.bytes()];
    files().read(file, page.offset(), stored, 0, stored.length);
    return stored;
  }

  private String place(Column column, int group) {
    return place(group) + ", column " + column.leaf.name();
  }

  @Override
  public void checkStructure() throws IOException {
    for (Column column : Arrays.asList(image, label, key)) {
      for (int group = 0; column != null && group < groups().count(); group++) {
        pages(column, group);
      }
    }
  }

  @Override
  public List<FileRange> parts(long index) {
    int group = groups().shardOf(index);
    ChunkPlace chunk = image.chunks.get(group);
    return List.of(new FileRange(file(group), chunk.offset(), chunk.bytes()));
  }
}
