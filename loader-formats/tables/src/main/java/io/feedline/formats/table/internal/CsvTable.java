package io.feedline.formats.table.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.ColumnValues;
import io.feedline.formats.store.internal.samples.TableColumn;
import io.feedline.formats.store.internal.samples.TableFile;
import io.feedline.formats.store.internal.samples.TableSchema;
import io.feedline.formats.store.internal.shards.TableFormat.TextOptions;
import io.feedline.internal.Cancellation;
import io.feedline.internal.Counts;
import io.feedline.internal.FileOpener;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A CSV file. It is read from front to back, or by blocks, whose positions a first scan finds. */
final class CsvTable implements TableFile, TableSchema<CsvTable.Column> {

  private static final Optional<FileOpener> OPENER = FileOpener.find();

  private final OpenFiles files;
  private final Path file;
  private final char delimiter;
  private final boolean compressed;
  private final Map<String, Column> columns = new LinkedHashMap<>();
  private final Set<String> repeated = new TreeSet<>();
  private final int fields;
  private final Place first;
  private final long checksum;
  private List<Section> sections;

  record Column(List<String> path, int number) implements TableColumn {
    @Override
    public Kind kind() {
      return Kind.TEXT;
    }

    @Override
    public String type() {
      return "text";
    }

    @Override
    public boolean isRepeated() {
      return false;
    }
  }

  /** A position to begin reading: the start of a line, or within a line that is being skipped. */
  private record Place(long offset, long line, boolean withinLine) {
    static Place behind(CsvRows rows) {
      return new Place(rows.offset(), rows.nextLine(), rows.isWithinLine());
    }
  }

  private record Section(Place at, long bytes, int rows, long firstRow) {}

  private CsvTable(
      OpenFiles files,
      Path file,
      char delimiter,
      boolean compressed,
      List<String> names,
      Place first,
      long checksum) {
    this.files = files;
    this.file = file;
    this.delimiter = delimiter;
    this.compressed = compressed;
    this.first = first;
    this.checksum = checksum;
    this.fields = names.size();
    for (int i = 0; i < fields; i++) {
      if (columns.putIfAbsent(names.get(i), new Column(List.of(names.get(i)), i)) != null) {
        repeated.add(names.get(i));
      }
    }
    columns.keySet().removeAll(repeated);
  }

  static CsvTable open(OpenFiles files, Path file, TextOptions options) throws IOException {
    long size = files.size(file);
    byte[] start = new byte[(int) Math.min(FileOpener.MAGIC_BYTES, size)];
    files.read(file, 0, start, 0, start.length);
    String compression = FileOpener.compression(start, start.length);
    if (compression != null && OPENER.isEmpty()) {
      throw FormatException.in(
          file,
          "it is compressed (%s), which is unpacked with io.feedline:loader-text on the class path: add it"
              .formatted(compression));
    }
    requireUtf8(file, new String(start, UTF_8));
    CRC32C checksum = new CRC32C();
    checksum.update(Long.toString(size).getBytes(UTF_8));
    char delimiter = options.delimiter() == 0 ? delimiterOf(file) : options.delimiter();
    List<String> names = options.columns();
    Place first = new Place(0, 1, false);
    if (names.isEmpty()) {
      try (InputStream in = stream(file)) {
        CsvRows rows = new CsvRows(in, delimiter, 0, 1, false);
        if (!rows.next()) {
          throw FormatException.in(file, "an empty file; its first line names the columns");
        }
        if (rows.problem() != null) {
          throw FormatException.in(file, "line %d: %s".formatted(rows.line(), rows.problem()));
        }
        names = new ArrayList<>();
        for (int i = 0; i < rows.fields(); i++) {
          names.add(new String(rows.bytes(), rows.from(i), rows.to(i) - rows.from(i), UTF_8));
        }
        requireUtf8(file, names.get(0));
        checksum.update(rows.bytes(), 0, rows.to(rows.fields() - 1));
        first = Place.behind(rows);
      } catch (IOException failure) {
        throw named(file, failure);
      }
    }
    return new CsvTable(
        files, file, delimiter, compression != null, names, first, checksum.getValue());
  }

  /** Fails if a text is UTF-16: by its byte order mark, or by zeros in its first characters. */
  private static void requireUtf8(Path file, String start) throws FormatException {
    if (start.startsWith("\uFFFD\uFFFD") || start.matches("(?s).?\0.*")) {
      throw FormatException.in(
          file, "this is UTF-16 and not UTF-8: convert it, by iconv -f UTF-16 -t UTF-8");
    }
  }

  private static char delimiterOf(Path file) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    return name.matches(".*\\.tsv(\\.(gz|zst))?") ? '\t' : ',';
  }

  private static InputStream stream(Path file) throws IOException {
    return OPENER.isPresent() ? OPENER.get().open(file) : OpenFile.of(file).stream();
  }

  /** Returns a failure whose message names the file, since the decompressor's message does not. */
  private static IOException named(Path file, IOException failure) {
    if (failure instanceof InterruptedIOException
        || failure instanceof ClosedByInterruptException) {
      return failure;
    }
    String message = String.valueOf(failure.getMessage());
    return message.contains(file.toString())
        ? failure
        : FormatException.at(file + ": reading failed", failure);
  }

  @Override
  public Path file() {
    return file;
  }

  @Override
  public Map<String, Column> leaves() {
    return columns;
  }

  @Override
  public Set<String> repeated() {
    return Collections.unmodifiableSet(repeated);
  }

  @Override
  public @Nullable String text(String key) {
    return null;
  }

  @Override
  public TableSchema<?> schema() {
    return this;
  }

  @Override
  public Set<String> columns() {
    return TableSchema.names(columns, repeated);
  }

  @Override
  public long checksum() {
    return checksum;
  }

  @Override
  public long knownRows() {
    return -1;
  }

  private synchronized List<Section> sections() throws IOException {
    if (sections == null) {
      if (compressed) {
        throw FormatException.in(
            file,
            "a compressed CSV file has no random access: read it as a stream, or write it as"
                + " Parquet");
      }
      List<Section> found = new ArrayList<>();
      try (CsvFront front = new CsvFront(List.of())) {
        Place at = first;
        long before = 0;
        for (Block block = front.next(); block != null; block = front.next()) {
          Place end = front.place();
          found.add(new Section(at, end.offset() - at.offset(), block.rows(), before));
          before += block.rows();
          at = end;
        }
      }
      sections = found;
    }
    return sections;
  }

  @Override
  public long[] rows() throws IOException {
    return sections().stream().mapToLong(Section::rows).toArray();
  }

  @Override
  public String place(int group, int row) {
    return "row " + (sections.get(group).firstRow() + row);
  }

  private int[] numbers(List<Wanted> wanted) throws FormatException {
    int[] numbers = new int[wanted.size()];
    for (int i = 0; i < numbers.length; i++) {
      Column column = columns.get(wanted.get(i).name());
      TableSchema.requireOne(file, repeated, wanted.get(i).name());
      if (column == null) {
        throw FormatException.in(
            file,
            "there is no column '%s'; the first line names %s%s"
                .formatted(
                    wanted.get(i).name(),
                    columns.keySet(),
                    columns.size() == 1 ? ". Is the delimiter another?" : ""));
      }
      numbers[i] = column.number();
    }
    return numbers;
  }

  @Override
  public void check(List<Wanted> wanted) throws FormatException {
    numbers(wanted);
  }

  @Override
  public List<Block> blocks(int group, List<Wanted> wanted) throws IOException {
    numbers(wanted);
    Section section = sections().get(group);
    return List.of(new OfSection(section, wanted));
  }

  private final class OfSection implements Block {
    private final Section section;
    private final List<Wanted> wanted;

    /** The line number of each row; null before the first error. */
    private volatile long @Nullable [] lines;

    OfSection(Section section, List<Wanted> wanted) {
      this.section = section;
      this.wanted = wanted;
    }

    @Override
    public int rows() {
      return section.rows();
    }

    private CsvBlock block() throws IOException {
      byte[] bytes = new byte[Math.toIntExact(section.bytes())];
      files.read(file, section.at().offset(), bytes, 0, bytes.length);
      CsvRows rows =
          new CsvRows(
              new ByteArrayInputStream(bytes),
              delimiter,
              section.at().offset(),
              section.at().line(),
              section.at().withinLine());
      CsvBlock block = new CsvBlock(rows, fields, numbers(wanted), wanted);
      if (block.rows() != section.rows()) {
        throw FormatException.in(
            file,
            "line %d: %s instead of %d: the file has been changed"
                .formatted(section.at().line(), Counts.of(block.rows(), "row"), section.rows()));
      }
      return block;
    }

    @Override
    public List<ColumnValues> read() throws IOException {
      return block().read();
    }

    /** Returns the line number of a row as a text. Reads the block again at the first call. */
    @Override
    public String place(int row) {
      try {
        long[] known = lines;
        if (known == null) {
          known = block().lines();
          lines = known;
        }
        return "line " + known[row];
      } catch (IOException unreadable) {
        return "row " + (section.firstRow() + row);
      }
    }
  }

  @Override
  public Front front(List<Wanted> wanted) throws IOException {
    numbers(wanted);
    return new CsvFront(wanted);
  }

  private final class CsvFront implements Front {
    private final List<Wanted> wanted;
    private @Nullable InputStream in;
    private @Nullable CsvRows rows;
    private Place place = first;
    private boolean ended;

    CsvFront(List<Wanted> wanted) {
      this.wanted = wanted;
    }

    Place place() {
      return place;
    }

    @Override
    public @Nullable Block next() throws IOException {
      if (ended) {
        return null;
      }
      try {
        if (in == null) {
          in = stream(file);
          Cancellation.skipNBytes(in, place.offset());
          rows = new CsvRows(in, delimiter, place.offset(), place.line(), place.withinLine());
        }
        CsvBlock block = new CsvBlock(rows, fields, numbers(wanted), wanted);
        place = Place.behind(rows);
        ended = block.rows() == 0;
        return ended ? null : block;
      } catch (InterruptedIOException | ClosedByInterruptException stopped) {
        // After an interrupt, the next call reads from the same position.
        close();
        in = null;
        throw stopped;
      } catch (IOException failure) {
        // The beginning of the next row is unknown.
        ended = true;
        IOException named = named(file, failure);
        throw named instanceof FormatException
            ? named
            : FormatException.at("%s: behind line %d".formatted(file, place.line()), failure);
      }
    }

    @Override
    public List<Long> mark() {
      return List.of(place.offset(), place.line(), place.withinLine() ? 1L : 0);
    }

    @Override
    public void goTo(List<Long> mark) throws IOException {
      if (mark.size() != 3 || mark.get(0) < first.offset() || mark.get(1) < first.line()) {
        throw new IOException("%s is not a position in %s".formatted(mark, file));
      }
      place = new Place(mark.get(0), mark.get(1), mark.get(2) == 1);
    }

    @Override
    public void close() throws IOException {
      if (in != null) {
        in.close();
      }
    }
  }
}
