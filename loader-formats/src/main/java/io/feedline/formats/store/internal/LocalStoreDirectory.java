package io.feedline.formats.store.internal;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A directory of the default file system. An index is replaced under a lock, which waits for others
 * that are at it: they take a moment.
 */
record LocalStoreDirectory(Path path) implements StoreDirectory {

  private static final String LOCK = ".lock";

  /** Held by the thread that replaces an index: file locks are those of a whole process. */
  private static final Object REPLACING = new Object();

  @Override
  public List<String> others() throws IOException {
    if (!Files.exists(path)) {
      return List.of();
    }
    if (!Files.isDirectory(path)) {
      throw new FileAlreadyExistsException(
          path.toString(), null, "this is a file, and a store of many tasks is a directory");
    }
    List<String> others = new ArrayList<>();
    for (Path each : children(path)) {
      String name = each.getFileName().toString();
      boolean job = JobNames.isJob(name) && Files.isDirectory(each);
      if (!job && !name.matches("\\..*\\" + LOCK) && !WholeFile.isTemporary(name)) {
        others.add(name);
      }
    }
    return others;
  }

  private static List<Path> children(Path directory) throws IOException {
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      entries.forEach(children::add);
    } catch (DirectoryIteratorException failure) {
      throw failure.getCause();
    }
    children.sort(null);
    return children;
  }

  @Override
  public ObjectOutput.Content read(String index) throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(path.resolve(index));
    } catch (NoSuchFileException absent) {
      return null;
    }
    return new ObjectOutput.Content(bytes, HashedShard.sha256(bytes));
  }

  @Override
  public void replace(String index, byte[] content, String version) throws IOException {
    Path file = path.resolve(index);
    Files.createDirectories(path);
    synchronized (REPLACING) {
      WriterLock lock = WriterLock.await(file, path.resolve("." + index + LOCK));
      try (lock) {
        ObjectOutput.Content now = read(index);
        if (!version.equals(now == null ? ObjectOutput.ABSENT : now.version())) {
          throw new ObjectOutput.ConflictException(file.toString(), "another job has changed it");
        }
        deleteTemporaries(index);
        WholeFile.write(file, content);
      }
    }
    LocalStaging.forceDirectory(path);
    LocalStaging.forceDirectory(path.getParent());
  }

  /** Deletes what processes have left that were killed while they wrote the index. */
  private void deleteTemporaries(String index) throws IOException {
    for (Path each : children(path)) {
      String name = each.getFileName().toString();
      if (WholeFile.isTemporary(name) && name.startsWith("." + index)) {
        Files.delete(each);
      }
    }
  }

  @Override
  public boolean failsForGood() {
    return true;
  }

  @Override
  public Map<String, Long> sizes(String job) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    walk(
        path.resolve(job),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            sizes.put(path.relativize(file).toString().replace('\\', '/'), attributes.size());
            return FileVisitResult.CONTINUE;
          }
        });
    return sizes;
  }

  private static void walk(Path directory, SimpleFileVisitor<Path> visitor) throws IOException {
    if (Files.isDirectory(directory)) {
      Files.walkFileTree(directory, visitor);
    }
  }

  @Override
  public Map<String, Instant> attempts(String job) throws IOException {
    Map<String, Instant> attempts = new TreeMap<>();
    if (!Files.isDirectory(path)) {
      return attempts;
    }
    for (Path each : job.isEmpty() ? children(path) : List.of(path.resolve(job))) {
      String name = each.getFileName().toString();
      if (JobNames.isJob(name) && Files.isDirectory(each)) {
        List<Path> children = children(each);
        for (Path child : children) {
          attempts.put(name + "/" + child.getFileName(), newest(child));
        }
        if (children.isEmpty()) {
          attempts.put(name, newest(each));
        }
      }
    }
    return attempts;
  }

  /** When something in a directory, or a file, was last written. */
  private static Instant newest(Path directory) throws IOException {
    Instant[] newest = {Instant.MIN};
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
            return visitFile(each, attributes);
          }

          @Override
          public FileVisitResult visitFile(Path each, BasicFileAttributes attributes) {
            Instant written = attributes.lastModifiedTime().toInstant();
            newest[0] = written.isAfter(newest[0]) ? written : newest[0];
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path each, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE; // deleted meanwhile, by its job
            }
            throw failure;
          }
        });
    return newest[0];
  }

  @Override
  public void delete(String attempt) throws IOException {
    LocalStaging.deleteTree(path.resolve(attempt));
    Path job = path.resolve(JobNames.job(attempt));
    try {
      Files.deleteIfExists(job);
    } catch (DirectoryNotEmptyException others) {
      return;
    }
    Steps.taken();
  }
}
