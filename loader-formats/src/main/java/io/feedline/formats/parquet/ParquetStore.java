package io.feedline.formats.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.FileRange;
import io.feedline.formats.parquet.ColumnPages.Page;
import io.feedline.formats.parquet.ParquetFooter.Leaf;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.internal.ClassList;
import io.feedline.formats.store.internal.ImageColumns;
import io.feedline.formats.store.internal.Keys;
import io.feedline.formats.store.internal.OpenFiles;
import io.feedline.formats.store.internal.PartCache;
import io.feedline.formats.store.internal.ShardTasks;
import io.feedline.formats.store.internal.Shards;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.zip.CRC32C;

/** The images of Parquet files: two or three columns, read page by page. */
final class ParquetStore implements ImageStore {

  /** In which memory for pages is dealt out. */
  private static final int UNIT = 1 << 20;

  private final Path path;
  private final OpenFiles files;
  private final List<FileRows> parts;
  private final Shards groups;
  private final ClassList classes;
  private final Column image;
  private final Column label;
  private final Column key;
  private final PartCache<PageValues> cache;

  /** So that many threads that read ahead do not restore many pages at once. */
  private final Semaphore units;

  private final int allUnits;
  private final String fingerprint;
  private volatile boolean closed;

  /**
   * The row groups of a file.
   *
   * @param path where it is
   * @param firstGroup the number of its first row group among those of all files
   */
  private record FileRows(Path path, int firstGroup) {}

  /** A column of all files. */
  private static final class Column {
    private final Leaf leaf;
    private final PageValues.Decoder decoder;
    private final List<ChunkPlace> chunks = new ArrayList<>();

    /** Found when they are first needed. */
    private AtomicReferenceArray<ColumnPages> pages;

    Column(Leaf leaf) {
      this.leaf = leaf;
      this.decoder = new PageValues.Decoder(leaf);
    }

    static Column of(Leaf leaf) {
      return leaf == null ? null : new Column(leaf);
    }

    private void add(List<ParquetFooter> footers, List<ImageColumns<Leaf>> columns, ColumnOf which)
        throws FormatException {
      for (int i = 0; i < footers.size(); i++) {
        chunks.addAll(footers.get(i).chunks(which.of(columns.get(i))));
      }
      pages = new AtomicReferenceArray<>(chunks.size());
    }
  }

  @FunctionalInterface
  private interface ColumnOf {
    Leaf of(ImageColumns<Leaf> columns);
  }

  private ParquetStore(
      Path path,
      OpenFiles files,
      List<ParquetFooter> footers,
      List<ImageColumns<Leaf>> columns,
      List<String> classNames,
      long cacheBytes)
      throws FormatException {
    this.path = path;
    this.files = files;
    this.parts = new ArrayList<>();
    long[] sizes = {};
    CRC32C checksum = new CRC32C();
    for (ParquetFooter footer : footers) {
      parts.add(new FileRows(footer.file(), sizes.length));
      long[] rows = footer.rows();
      int before = sizes.length;
      sizes = Arrays.copyOf(sizes, before + rows.length);
      System.arraycopy(rows, 0, sizes, before, rows.length);
      checksum.update(Long.toHexString(footer.checksum()).getBytes(UTF_8));
    }
    this.groups = Shards.of(sizes);
    ImageColumns<Leaf> first = columns.get(0);
    this.classes = new ClassList(classNames == null ? first.classes() : classNames, 0);
    this.image = Column.of(first.image());
    this.label = Column.of(first.label());
    this.key = Column.of(first.key());
    image.add(footers, columns, ImageColumns::image);
    if (label != null) {
      label.add(footers, columns, ImageColumns::label);
    }
    if (key != null) {
      key.add(footers, columns, ImageColumns::key);
    }
    this.cache = new PartCache<>(cacheBytes);
    this.allUnits = (int) Math.max(1, Math.min(Integer.MAX_VALUE, cacheBytes / UNIT));
    this.units = new Semaphore(allUnits, true);
    this.fingerprint =
        String.format(
            Locale.ROOT,
            "ParquetImages:%d:%08x:%s:%s",
            groups.samples(),
            checksum.getValue(),
            first.image().name(),
            label == null ? "" : first.label().name());
  }

  /**
   * Opens files, which are one dataset in this order.
   *
   * @param path what they are called together
   * @param classes the names of the classes; null for those that the first file tells
   * @throws IOException if one cannot be read, is damaged, or has other columns than the first
   */
  static ParquetStore open(
      Path path,
      List<Path> paths,
      ImageColumns.Wanted wanted,
      List<String> classes,
      long cacheBytes,
      int openFiles)
      throws IOException {
    OpenFiles files = new OpenFiles(openFiles);
    try {
      List<ParquetFooter> footers =
          ShardTasks.all(paths, files, file -> ParquetFooter.read(files, file));
      List<ImageColumns<Leaf>> columns = ImageColumns.ofAll(footers, wanted);
      return new ParquetStore(path, files, footers, columns, classes, cacheBytes);
    } catch (IOException | RuntimeException failure) {
      files.close();
      throw failure;
    }
  }

  @Override
  public long size() {
    return groups.samples();
  }

  @Override
  public EncodedImage read(long index) throws IOException {
    int group = groups.shardOf(index);
    int row = groups.indexIn(group, index);
    byte[] bytes = bytes(image, group, row);
    if (bytes == null) {
      throw new FormatException(
          "%s: %s is null, so the image is elsewhere: Hugging Face's datasets embeds images when it writes Parquet by push_to_hub, or after embed_table_storage"
              .formatted(describe(index), image.leaf.name()));
    }
    return new EncodedImage(key(index, group, row), bytes, label(index, group, row));
  }

  /** Reads the column of the keys alone. */
  @Override
  public String key(long index) throws IOException {
    int group = groups.shardOf(index);
    return key(index, group, groups.indexIn(group, index));
  }

  private String key(long index, int group, int row) throws IOException {
    byte[] text = key == null ? null : bytes(key, group, row);
    return text == null ? Keys.padded(index, size()) : new String(text, UTF_8);
  }

  private int label(long index, int group, int row) throws IOException {
    if (label == null) {
      return EncodedImage.NO_LABEL;
    }
    ColumnPages pages = pages(label, group);
    int page = pages.pageOf(row);
    long stored = values(label, group, pages, page).number(row - pages.firstRow(page));
    try {
      return stored == PageValues.NULL ? EncodedImage.NO_LABEL : classes.index(stored);
    } catch (FormatException noClass) {
      throw noClass.at("%s, column %s".formatted(describe(index), label.leaf.name()));
    }
  }

  /** Reads the label's page alone. */
  @Override
  public int label(long index) throws IOException {
    int group = groups.shardOf(index);
    return label(index, group, groups.indexIn(group, index));
  }

  private byte[] bytes(Column column, int group, int row) throws IOException {
    ColumnPages pages = pages(column, group);
    int page = pages.pageOf(row);
    return values(column, group, pages, page).bytes(row - pages.firstRow(page));
  }

  private ColumnPages pages(Column column, int group) throws IOException {
    if (closed) {
      throw new IllegalStateException(name() + " is read after it was closed");
    }
    ColumnPages found = column.pages.get(group);
    if (found == null) {
      try {
        found = ColumnPages.find(files, file(group), column.chunks.get(group));
      } catch (FormatException damaged) {
        throw damaged.at(place(column, group));
      }
      // Two threads may have found them: the cache knows pages by the one object.
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
    // The values' objects take as much as short values do.
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
      return column.decoder.decode(
          page,
          stored(file, page),
          codec,
          dictionary,
          dictionary == null ? null : stored(file, dictionary));
    } catch (FormatException damaged) {
      throw damaged.at(
          "%s, page %d at offset %d".formatted(place(column, group), number, page.offset()));
    } finally {
      units.release(taken);
    }
  }

  private byte[] stored(Path file, Page page) throws IOException {
    byte[] stored = new byte[page.bytes()];
    files.read(file, page.offset(), stored, 0, stored.length);
    return stored;
  }

  private FileRows part(int group) {
    int low = 0;
    int high = parts.size();
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (parts.get(middle).firstGroup() <= group) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return parts.get(low);
  }

  private Path file(int group) {
    return part(group).path();
  }

  private String place(int group) {
    FileRows part = part(group);
    return "%s, row group %d".formatted(part.path(), group - part.firstGroup());
  }

  private String place(Column column, int group) {
    return place(group) + ", column " + column.leaf.name();
  }

  @Override
  public List<String> classes() {
    return classes.names();
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public Path path(long index) {
    return file(groups.shardOf(index));
  }

  @Override
  public String describe(long index) {
    if (index < 0 || index >= size()) {
      return "index " + index;
    }
    int group = groups.shardOf(index);
    return "%s, row %d".formatted(place(group), groups.indexIn(group, index));
  }

  @Override
  public String name() {
    return "ParquetImages(" + path + ")";
  }

  /** The number of rows and a checksum of the footers, which have sizes and places of all pages. */
  @Override
  public String fingerprint() {
    return fingerprint;
  }

  /** Goes through the headers of all pages. */
  @Override
  public void checkStructure() throws IOException {
    for (Column column : Arrays.asList(image, label, key)) {
      for (int group = 0; column != null && group < groups.count(); group++) {
        pages(column, group);
      }
    }
  }

  /** The rows of each row group. */
  @Override
  public long[] shardSizes() {
    return groups.sizes();
  }

  /** None: a sample has no bytes of its own, since pages are compressed. */
  @Override
  public Optional<FileRange> range(long index) {
    return Optional.empty();
  }

  /** The row group's images. */
  @Override
  public List<FileRange> parts(long index) {
    int group = groups.shardOf(index);
    ChunkPlace chunk = image.chunks.get(group);
    return Collections.singletonList(new FileRange(file(group), chunk.offset(), chunk.bytes()));
  }

  @Override
  public void close() throws IOException {
    closed = true;
    files.close();
  }
}
