package io.feedline.formats.store.internal.staging;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.formats.store.internal.files.CrashPoints;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.formats.store.internal.files.WholeFile;
import io.feedline.internal.Closing;
import io.feedline.internal.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

public final class LocalStaging extends Staging {

  private static final String JOURNAL = ".journal";

  /** The error message of network file systems that can force files but not directories. */
  private static final String NO_DIRECTORIES = "Invalid argument";

  private final WriterLock lock;
  private final FileChannel journal;

  private LocalStaging(
      Path target, Path partial, WriterLock lock, FileChannel journal, JournalLines begun) {
    super(partial, target, begun);
    this.lock = lock;
    this.journal = journal;
  }

  static LocalStaging open(
      Path target, StagedOutput.Kind kind, Map<String, String> identity, boolean restart)
      throws IOException {
    LocalFiles.requireForWriting(target);
    Path whole = target.toAbsolutePath().normalize();
    Path partial = sibling(whole, StagedOutput.SUFFIX);
    Files.createDirectories(whole.getParent());
    WriterLock lock = WriterLock.acquire(target, sibling(partial, ".lock"));
    try {
      return open(target, whole, partial, kind, identity, restart, lock);
    } catch (IOException | RuntimeException | Error failure) {
      Closing.afterFailure(failure, lock);
      throw failure;
    }
  }

  private static LocalStaging open(
      Path target,
      Path whole,
      Path partial,
      StagedOutput.Kind kind,
      Map<String, String> identity,
      boolean restart,
      WriterLock lock)
      throws IOException {
    Path file = journalOf(partial);
    requireAbsentOrEmpty(target, whole, kind);
    JournalLines lines = JournalLines.of(file);
    if (!Files.exists(partial) && !lines.isComplete()) {
      lines = JournalLines.NONE;
    } else if (!lines.fit(partial, identity, restart)) {
      lines = JournalLines.NONE;
    }
    if (lines.isEmpty()) {
      deleteTree(partial);
    }
    FileChannel journal =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      journal.truncate(lines.bytes()).position(lines.bytes());
      LocalStaging staging = new LocalStaging(whole, partial, lock, journal, lines);
      if (lines.isEmpty()) {
        staging.append(Map.of(JournalLines.IDENTITY, new TreeMap<>(identity)), true);
      }
      if (kind == StagedOutput.Kind.DIRECTORY) {
        Files.createDirectories(partial);
        deleteTemporaries(partial);
      }
      return staging;
    } catch (IOException | RuntimeException failure) {
      journal.close();
      throw failure;
    }
  }

  private static void requireAbsentOrEmpty(Path target, Path whole, StagedOutput.Kind kind)
      throws IOException {
    if (!Files.exists(whole)) {
      return;
    }
    if (kind == StagedOutput.Kind.DIRECTORY && Files.isDirectory(whole)) {
      try (var entries = Files.list(whole)) {
        if (entries.findAny().isEmpty()) {
          return;
        }
      }
    }
    sweep(whole);
    throw new FileAlreadyExistsException(
        target.toString(), null, "the output's path exists already");
  }

  /** Deletes the files that an interrupted {@link #publish} has not deleted after the rename. */
  private static void sweep(Path whole) throws IOException {
    Path partial = sibling(whole, StagedOutput.SUFFIX);
    Path file = journalOf(partial);
    if (!Files.exists(partial) && JournalLines.of(file).isComplete()) {
      Files.deleteIfExists(file);
    }
  }

  private static void deleteTemporaries(Path directory) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, ".*.partial")) {
      for (Path entry : entries) {
        if (WholeFile.isTemporary(entry.getFileName().toString())) {
          Files.delete(entry);
        }
      }
    }
  }

  static Path journalOf(Path partial) {
    return sibling(partial, JOURNAL);
  }

  private static Path sibling(Path path, String suffix) {
    return path.resolveSibling(path.getFileName() + suffix);
  }

  @Override
  public void append(Map<String, Object> line, boolean durable) throws IOException {
    long end = journal.position();
    try {
      WholeFile.writeFully(journal, ByteBuffer.wrap((Json.write(line) + "\n").getBytes(UTF_8)));
      if (durable) {
        WholeFile.force(journal, journalOf(path()));
      }
      CrashPoints.taken();
    } catch (IOException failure) {
      IOException named =
          new IOException(
              "%s cannot be written: %s".formatted(journalOf(path()), failure.getMessage()),
              failure);
      try {
        journal.truncate(end).position(end);
      } catch (IOException e) {
        named.addSuppressed(e);
      }
      throw named;
    }
  }

  @Override
  public void write(Path file, byte[] content) throws IOException {
    WholeFile.write(file, content);
  }

  @Override
  public void complete(ObjectOutput object, ObjectOutput.Upload upload) {
    throw new IllegalStateException(target() + " has no objects");
  }

  @Override
  public void publish(long samples) throws IOException {
    Path partial = path();
    Path target = target();
    if (samples >= 0) {
      forceDirectory(partial);
      append(Map.of(JournalLines.COMPLETE, samples), true);
    }
    if (Files.isDirectory(partial)) {
      requireAbsentOrEmpty(target, target, StagedOutput.Kind.DIRECTORY);
      Files.deleteIfExists(target);
    } else {
      requireAbsentOrEmpty(target, target, StagedOutput.Kind.FILE);
    }
    WholeFile.move(partial, target);
    forceDirectory(target.getParent());
    journal.close();
    Files.deleteIfExists(journalOf(partial));
    CrashPoints.taken();
    lock.close();
  }

  public static void forceDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      WholeFile.force(channel, directory);
    } catch (AccessDeniedException windows) {
      // Windows cannot open a directory, and keeps the names in a journal of its own.
      return;
    } catch (IOException failure) {
      if (!NO_DIRECTORIES.equals(failure.getMessage())) {
        throw new IOException(directory + ": " + failure.getMessage(), failure);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (lock) {
      journal.close();
    }
  }

  public static void deleteTree(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    List<Path> all = new ArrayList<>();
    walk(path, (each, attributes) -> all.add(each));
    Collections.reverse(all);
    for (Path each : all) {
      Files.deleteIfExists(each);
    }
  }

  /** Visits a directory before its content; ignores files that others delete meanwhile. */
  public static void walk(Path directory, BiConsumer<Path, BasicFileAttributes> visitor)
      throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
            return visitFile(each, attributes);
          }

          @Override
          public FileVisitResult visitFile(Path each, BasicFileAttributes attributes) {
            visitor.accept(each, attributes);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path each, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
  }
}
