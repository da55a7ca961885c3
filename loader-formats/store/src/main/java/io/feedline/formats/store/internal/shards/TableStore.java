package io.feedline.formats.store.internal.shards;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.samples.ImageColumns;
import io.feedline.formats.store.internal.samples.NumberedKeys;
import io.feedline.formats.store.internal.samples.TextLabels;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A store of images in tables whose rows are in groups. As thread-safe as the subclass. */
public abstract class TableStore implements ImageStore {

  private static final String NAME = "TableImages";

  private final String groupName;
  private final Path path;
  private final OpenFiles files;
  private final List<Part> parts;
  private final Shards groupsOfFiles;

  private final Shards groups;
  private final ClassList classes;
  private final @Nullable TextLabels textLabels;
  private final String fingerprint;
  private volatile boolean closed;

  public record Part(Path file, long[] rows, long checksum) {}

  /** Creates a store; {@code groupName} is for errors; null class names mean those of the data. */
  protected TableStore(
      String groupName,
      Path path,
      OpenFiles files,
      List<Part> parts,
      ImageColumns<?> columns,
      @Nullable List<String> classNames,
      @Nullable TextLabels textLabels) {
    this.groupName = groupName;
    this.path = path;
    this.files = files;
    this.parts = parts;
    this.groupsOfFiles = Shards.of(parts.stream().mapToLong(each -> each.rows().length).toArray());
    this.groups =
        Shards.of(parts.stream().flatMapToLong(each -> LongStream.of(each.rows())).toArray());
    this.textLabels = textLabels;
    List<String> known = textLabels == null ? columns.classes() : textLabels.classes();
    this.classes = new ClassList(classNames == null ? known : classNames, 0);
    CRC32C checksum = new CRC32C();
    parts.forEach(each -> checksum.update(Long.toHexString(each.checksum()).getBytes(UTF_8)));
    this.fingerprint =
        String.format(
            Locale.ROOT,
            "%s:%d:%08x:%s:%s",
            NAME,
            groups.samples(),
            checksum.getValue(),
            columns.image().name(),
            columns.label() == null ? "" : columns.label().name());
  }

  protected final OpenFiles files() {
    if (closed) {
      throw new IllegalStateException(name() + " is read after it was closed");
    }
    return files;
  }

  protected final Shards groups() {
    return groups;
  }

  protected final Path file(int group) {
    return parts.get(groupsOfFiles.shardOf(group)).file();
  }

  protected final String place(int group) {
    int file = groupsOfFiles.shardOf(group);
    int number = groupsOfFiles.indexIn(file, group);
    return parts.get(file).file() + ", " + groupName + " " + number;
  }

  protected abstract byte @Nullable [] image(long index, int group, int row) throws IOException;

  /** Returns why a row has no image, and what to do; follows the row's place in the message. */
  protected abstract String absent();

  protected abstract byte @Nullable [] key(long index, int group, int row) throws IOException;

  protected abstract OptionalLong label(long index, int group, int row) throws IOException;

  protected abstract String labelName();

  protected final FormatException atLabel(long index, FormatException noClass) {
    return noClass.at("%s, column %s".formatted(describe(index), labelName()));
  }

  @Override
  public final long size() {
    return groups.samples();
  }

  @Override
  public final EncodedImage read(long index) throws IOException {
    int group = groups.shardOf(index);
    int row = groups.indexIn(group, index);
    byte[] bytes = image(index, group, row);
    if (bytes == null) {
      throw new FormatException(describe(index) + ": " + absent());
    }
    return new EncodedImage(keyOf(index, group, row), bytes, labelOf(index, group, row));
  }

  @Override
  public final String key(long index) throws IOException {
    int group = groups.shardOf(index);
    return keyOf(index, group, groups.indexIn(group, index));
  }

  private String keyOf(long index, int group, int row) throws IOException {
    byte[] text = key(index, group, row);
    return text == null ? NumberedKeys.padded(index, size()) : new String(text, UTF_8);
  }

  @Override
  public final int label(long index) throws IOException {
    int group = groups.shardOf(index);
    return labelOf(index, group, groups.indexIn(group, index));
  }

  private int labelOf(long index, int group, int row) throws IOException {
    if (textLabels != null) {
      return textLabels.labels()[Math.toIntExact(index)];
    }
    OptionalLong stored = label(index, group, row);
    try {
      return stored.isEmpty() ? EncodedImage.NO_LABEL : classes.index(stored.getAsLong());
    } catch (FormatException noClass) {
      throw atLabel(index, noClass);
    }
  }

  @Override
  public final List<String> classes() {
    return classes.names();
  }

  @Override
  public final Path path() {
    return path;
  }

  @Override
  public final Path path(long index) {
    return file(groups.shardOf(index));
  }

  @Override
  public final String describe(long index) {
    if (index < 0 || index >= size()) {
      return "index " + index;
    }
    int group = groups.shardOf(index);
    return "%s, row %d".formatted(place(group), groups.indexIn(group, index));
  }

  @Override
  public final String name() {
    return "%s(%s)".formatted(NAME, path);
  }

  @Override
  public final String fingerprint() {
    return fingerprint;
  }

  @Override
  public final long[] shardSizes() {
    return groups.sizes();
  }

  @Override
  public final Optional<FileRange> range(long index) {
    return Optional.empty();
  }

  @Override
  public final void close() throws IOException {
    closed = true;
    files.close();
  }
}
