package io.feedline.formats.store.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.formats.store.Packing;
import io.feedline.internal.Json;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * An output, a file or a directory, that has its name only when it is whole: until then it grows as
 * {@code NAME.partial} beside its place.
 *
 * <h2>Principle</h2>
 *
 * <p>Beside the partial output lie
 *
 * <ul>
 *   <li>{@code NAME.partial.lock}, locked by the one writer; it says who that is;
 *   <li>{@code NAME.partial.journal}, lines of JSON: first the identity of what is written, then
 *       checkpoints of the format, each added when what it tells of is on the disk, and at last how
 *       many samples there are when everything but the name is done. A last line that was torn is
 *       cut off.
 * </ul>
 *
 * <p>A run that was interrupted is continued by opening the same output with the same identity: the
 * format takes up {@link #checkpoints}. Another identity is refused, or, if that is asked for, what
 * is there is thrown away. {@link #publish} notes that the output is complete, renames it, and
 * deletes the journal. An interruption between any two of these steps is continued: a complete
 * output only needs its name.
 *
 * <p>The rename is atomic and follows the {@code fsync} of the journal and of the directories; the
 * files themselves are forced by those who write them.
 *
 * <p>Not thread-safe. The caller closes it, which releases the lock; closing twice is allowed.
 */
public final class StagedOutput implements Closeable {

  /** Added to the output's name until it is whole. */
  public static final String SUFFIX = ".partial";

  private static final String JOURNAL = ".journal";
  private static final String IDENTITY = "identity";
  private static final String COMPLETE = "complete";

  /** What earlier versions kept beside an unfinished conversion. */
  private static final String EARLIER_JOURNAL = ".converting";

  /** A file or a directory. */
  public enum Kind {
    /** One file. The writer creates it. */
    FILE,
    /** A directory, which is created. */
    DIRECTORY
  }

  private enum State {
    OPEN,
    PUBLISHED,
    CLOSED
  }

  private final Path target;
  private final Path partial;
  private final WriterLock lock;
  private final FileChannel journal;
  private final List<Map<String, Object>> checkpoints;
  private final long complete;
  private State state = State.OPEN;

  private StagedOutput(
      Path target,
      Path partial,
      WriterLock lock,
      FileChannel journal,
      List<Map<String, Object>> checkpoints,
      long complete) {
    this.target = target;
    this.partial = partial;
    this.lock = lock;
    this.journal = journal;
    this.checkpoints = checkpoints;
    this.complete = complete;
  }

  /**
   * Begins an output, or takes up one that was interrupted.
   *
   * @param target where it is to be; its directory is made if need be
   * @param identity what must be the same for a run to be continued, by name
   * @param restart whether to throw away an unfinished output of another identity
   * @throws FileAlreadyExistsException if there is something other than an empty directory
   * @throws IOException if it is not a local path, another writer is at it, an unfinished output of
   *     another identity is in the way, or a file cannot be made; the message names it
   */
  public static StagedOutput open(
      Path target, Kind kind, Map<String, String> identity, boolean restart) throws IOException {
    LocalFiles.requireForWriting(target);
    Path whole = target.toAbsolutePath().normalize();
    Path partial = sibling(whole, SUFFIX);
    Files.createDirectories(whole.getParent());
    WriterLock lock = WriterLock.acquire(target, sibling(partial, ".lock"));
    try {
      return open(target, whole, partial, kind, identity, restart, lock);
    } catch (IOException | RuntimeException | Error failure) {
      try {
        lock.close();
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }
  }

  private static StagedOutput open(
      Path target,
      Path whole,
      Path partial,
      Kind kind,
      Map<String, String> identity,
      boolean restart,
      WriterLock lock)
      throws IOException {
    Path file = sibling(partial, JOURNAL);
    requireAbsentOrEmpty(target, whole, kind);
    Lines lines = Lines.of(file);
    if (!Files.exists(partial) && !lines.isComplete()) {
      lines = Lines.NONE;
    } else {
      String difference = lines.differenceFrom(identity);
      if (difference != null) {
        if (!restart) {
          throw new IOException(
              "%s is the unfinished output of something else (%s): give that command again, or ask for"
                      .formatted(partial, difference)
                  + " a restart (--restart), which throws it away");
        }
        lines = Lines.NONE;
      }
    }
    if (lines.isEmpty()) {
      deleteTree(partial);
      Files.deleteIfExists(sibling(whole, EARLIER_JOURNAL));
    }
    FileChannel journal =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      journal.truncate(lines.bytes).position(lines.bytes);
      StagedOutput output =
          new StagedOutput(whole, partial, lock, journal, lines.checkpoints(), lines.complete());
      if (lines.isEmpty()) {
        output.append(Map.of(IDENTITY, new TreeMap<>(identity)), true);
      }
      if (kind == Kind.DIRECTORY) {
        Files.createDirectories(partial);
        deleteTemporaries(partial);
      }
      return output;
    } catch (IOException | RuntimeException failure) {
      journal.close();
      throw failure;
    }
  }

  /** Makes the writer of an opened output. */
  @FunctionalInterface
  public interface Opener<W> {
    /**
     * Makes a writer.
     *
     * @param output closed by the writer
     * @throws IOException if that fails; the output is then closed
     */
    W open(StagedOutput output) throws IOException;
  }

  /**
   * Opens an output of a format and its writer, and closes the output if that cannot be made.
   *
   * @throws IOException see {@link #open}
   */
  public static <W> W openFor(
      Path target, Kind kind, String format, Packing packing, Opener<W> opener) throws IOException {
    return openFor(target, kind, packing.identity(format), packing.restart(), opener);
  }

  /**
   * Opens an output and its writer, and closes the output if the writer cannot be made.
   *
   * @throws IOException see {@link #open}
   */
  public static <W> W openFor(
      Path target, Kind kind, Map<String, String> identity, boolean restart, Opener<W> opener)
      throws IOException {
    StagedOutput output = open(target, kind, identity, restart);
    try {
      return opener.open(output);
    } catch (IOException | RuntimeException | Error failure) {
      try {
        output.close();
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }
  }

  private static void requireAbsentOrEmpty(Path target, Path whole, Kind kind) throws IOException {
    if (!Files.exists(whole)) {
      return;
    }
    if (kind == Kind.DIRECTORY && Files.isDirectory(whole)) {
      try (var entries = Files.list(whole)) {
        if (entries.findAny().isEmpty()) {
          return;
        }
      }
    }
    sweep(whole);
    throw new FileAlreadyExistsException(
        target.toString(), null, "there is something already where the output is to be");
  }

  /** Deletes what an interruption between the rename and the end of {@link #publish} left. */
  private static void sweep(Path whole) throws IOException {
    Path partial = sibling(whole, SUFFIX);
    Path file = sibling(partial, JOURNAL);
    if (!Files.exists(partial) && Lines.of(file).isComplete()) {
      Files.deleteIfExists(file);
    }
  }

  /** Whether a path is that of an output which is being written, or whose run was interrupted. */
  public static boolean isUnfinished(Path path) {
    return path.toString().endsWith(SUFFIX) && Files.exists(sibling(path, JOURNAL));
  }

  /** Deletes files that a killed process was about to give a name. */
  private static void deleteTemporaries(Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, ".*.partial")) {
      for (Path entry : entries) {
        if (WholeFile.isTemporary(entry.getFileName().toString())) {
          Files.delete(entry);
        }
      }
    }
  }

  private static Path sibling(Path path, String suffix) {
    return path.resolveSibling(path.getFileName() + suffix);
  }

  /** Where the output grows: {@code NAME.partial}. */
  public Path path() {
    return partial;
  }

  /** Where the output will be; absolute. */
  public Path target() {
    return target;
  }

  /**
   * Whether an interrupted run had written everything: nothing can be added, and {@link #publish}
   * only gives the output its name.
   */
  public boolean isComplete() {
    return complete >= 0;
  }

  /** How many samples a complete output has. */
  public long completeSamples() {
    return complete;
  }

  /** The format's checkpoints of an interrupted run, the oldest first; empty for a new output. */
  public List<Map<String, Object>> checkpoints() {
    return checkpoints;
  }

  /**
   * Notes how far the output has come. What the checkpoint tells of must be on the disk.
   *
   * @param checkpoint values of JSON by name
   * @param durable whether to wait until the journal is on the disk too
   * @throws IOException if that fails
   */
  public void checkpoint(Map<String, Object> checkpoint, boolean durable) throws IOException {
    requireOpen();
    append(Map.of("at", checkpoint), durable);
  }

  private void append(Map<String, Object> line, boolean durable) throws IOException {
    long end = journal.position();
    try {
      WholeFile.writeFully(journal, ByteBuffer.wrap((Json.write(line) + "\n").getBytes(UTF_8)));
      if (durable) {
        journal.force(true);
      }
      Steps.taken();
    } catch (IOException failure) {
      IOException named =
          new IOException(
              "%s cannot be written: %s".formatted(sibling(partial, JOURNAL), failure.getMessage()),
              failure);
      try {
        journal.truncate(end).position(end);
      } catch (IOException e) {
        named.addSuppressed(e);
      }
      throw named;
    }
  }

  /**
   * Gives the output its name. Its files are on the disk.
   *
   * @param samples how many it has
   * @throws FileAlreadyExistsException if something was put meanwhile where it is to be
   * @throws IOException if it cannot be renamed; it is then complete and can be published again
   */
  public void publish(long samples) throws IOException {
    requireOpen();
    if (!isComplete()) {
      forceDirectory(partial);
      append(Map.of(COMPLETE, samples), true);
    }
    if (Files.isDirectory(partial)) {
      requireAbsentOrEmpty(target, target, Kind.DIRECTORY);
      Files.deleteIfExists(target);
    } else {
      requireAbsentOrEmpty(target, target, Kind.FILE);
    }
    WholeFile.move(partial, target);
    forceDirectory(target.getParent());
    journal.close();
    Files.deleteIfExists(sibling(partial, JOURNAL));
    Steps.taken();
    state = State.PUBLISHED;
    lock.close();
  }

  /** Puts the names in a directory on the disk, where the system can be asked to. */
  private static void forceDirectory(Path directory) {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException windows) {
      // Windows opens no directories, and keeps its names in a journal of its own.
      return;
    }
  }

  private void requireOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException(
          target + (state == State.CLOSED ? " is closed" : " is committed already"));
    }
  }

  /** Releases the lock; what was written stays, to be continued. */
  @Override
  public void close() throws IOException {
    if (state != State.OPEN) {
      return;
    }
    state = State.CLOSED;
    try (lock) {
      journal.close();
    }
  }

  private static void deleteTree(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    Files.walkFileTree(
        path,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** The whole lines of a journal, and where they end. */
  private static final class Lines {
    static final Lines NONE = new Lines(List.of(), 0);

    private final List<Map<String, Object>> lines;
    private final long bytes;

    private Lines(List<Map<String, Object>> lines, long bytes) {
      this.lines = lines;
      this.bytes = bytes;
    }

    static Lines of(Path file) throws IOException {
      if (!Files.exists(file)) {
        return NONE;
      }
      String text = new String(Files.readAllBytes(file), UTF_8);
      List<Map<String, Object>> lines = new ArrayList<>();
      long bytes = 0;
      int from = 0;
      for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
        String line = text.substring(from, end + 1);
        try {
          lines.add(Json.read(line));
        } catch (IllegalArgumentException torn) {
          // What follows was written by a run that a power cut ended.
          break;
        }
        bytes += line.getBytes(UTF_8).length;
        from = end + 1;
      }
      return new Lines(lines, bytes);
    }

    boolean isEmpty() {
      return lines.isEmpty();
    }

    boolean isComplete() {
      return complete() >= 0;
    }

    long complete() {
      Map<String, Object> last = lines.isEmpty() ? Map.of() : lines.get(lines.size() - 1);
      return last.get(COMPLETE) instanceof Long samples ? samples : -1;
    }

    @SuppressWarnings("unchecked") // what Json reads as an object
    List<Map<String, Object>> checkpoints() {
      List<Map<String, Object>> checkpoints = new ArrayList<>();
      for (Map<String, Object> line : lines) {
        if (line.get("at") instanceof Map<?, ?> checkpoint) {
          checkpoints.add((Map<String, Object>) checkpoint);
        }
      }
      return List.copyOf(checkpoints);
    }

    /** What differs, in words; null if nothing does. */
    String differenceFrom(Map<String, String> identity) {
      if (lines.isEmpty() || !(lines.get(0).get(IDENTITY) instanceof Map<?, ?> begun)) {
        return "it does not say of what";
      }
      TreeSet<String> names = new TreeSet<>(identity.keySet());
      begun.keySet().forEach(name -> names.add(String.valueOf(name)));
      List<String> differences = new ArrayList<>();
      for (String name : names) {
        String was = begun.get(name) == null ? "nothing" : String.valueOf(begun.get(name));
        String is = identity.getOrDefault(name, "nothing");
        if (!was.equals(is)) {
          differences.add("%s was %s, is %s".formatted(name, was, is));
        }
      }
      return differences.isEmpty() ? null : String.join("; ", differences);
    }
  }
}
