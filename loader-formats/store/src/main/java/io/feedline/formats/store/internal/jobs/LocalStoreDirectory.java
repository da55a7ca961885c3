package io.feedline.formats.store.internal.jobs;

import io.feedline.formats.store.internal.files.Sha256;
import io.feedline.formats.store.internal.files.WholeFile;
import io.feedline.formats.store.internal.shards.JobNames;
import io.feedline.formats.store.internal.staging.LocalStaging;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import io.feedline.formats.store.internal.staging.WriterLock;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public record LocalStoreDirectory(Path path) implements StoreDirectory {

  private static final String LOCK = ".lock";

  /** The monitor for replacing an index; a file lock excludes only other processes. */
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
    return new ObjectOutput.Content(bytes, Sha256.of(bytes));
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
    LocalStaging.walk(
        path.resolve(job),
        (file, attributes) -> {
          if (!attributes.isDirectory()) {
            sizes.put(name(file), attributes.size());
          }
        });
    return sizes;
  }

  private String name(Path file) {
    return path.relativize(file).toString().replace('\\', '/');
  }

  @Override
  public Map<String, Instant> attempts(String job) throws IOException {
    Map<String, Instant> attempts = new TreeMap<>();
    if (!Files.isDirectory(path)) {
      return attempts;
    }
    for (Path each : job.isEmpty() ? children(path) : List.of(path.resolve(job))) {
      if (JobNames.isJob(each.getFileName().toString()) && Files.isDirectory(each)) {
        List<Path> children = children(each);
        for (Path child : children) {
          if (JobNames.isAttempt(child.getFileName().toString()) && Files.isDirectory(child)) {
            putNewest(child, attempts);
          }
        }
        if (children.isEmpty()) {
          putNewest(each, attempts);
        }
      }
    }
    return attempts;
  }

  private void putNewest(Path directory, Map<String, Instant> newest) throws IOException {
    Map<String, Long> files = sizes(name(directory));
    if (files.isEmpty() || files.keySet().stream().anyMatch(JobNames::isWritten)) {
      List<Instant> written = new ArrayList<>(List.of(Instant.MIN));
      LocalStaging.walk(
          directory, (each, attributes) -> written.add(attributes.lastModifiedTime().toInstant()));
      newest.put(name(directory), Collections.max(written));
    }
  }

  @Override
  public void deleteEmpty(String directory) throws IOException {
    try {
      Files.deleteIfExists(path.resolve(directory));
    } catch (DirectoryNotEmptyException others) {
      return;
    }
  }
}
