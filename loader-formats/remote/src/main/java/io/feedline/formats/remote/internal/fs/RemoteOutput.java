package io.feedline.formats.remote.internal.fs;

import io.feedline.formats.remote.internal.s3.KeyText;
import io.feedline.formats.remote.internal.s3.ObjectWrites;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import io.feedline.formats.remote.internal.s3.UploadsPage;
import io.feedline.formats.store.internal.keyfs.KeyPath;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** An object, or a directory of objects, to be written. Immutable and thread-safe. */
final class RemoteOutput implements ObjectOutput {

  private final ObjectFileSystem files;
  private final String key;
  private final URI uri;
  private final ObjectWrites writes;

  RemoteOutput(ObjectFileSystem files, KeyPath path) {
    this(files, path.key());
  }

  private RemoteOutput(ObjectFileSystem files, String key) {
    this.files = files;
    this.key = key;
    this.uri = KeyText.uri(files.root(), key);
    this.writes = files.objects().writes();
  }

  @Override
  public String name() {
    return "feedline-object-output";
  }

  URI uri() {
    return uri;
  }

  private void changed() {
    files.forgetWritten(key);
  }

  @Override
  public long size() throws IOException {
    try {
      return key.isEmpty() ? -1 : files.objects().stat(uri).size();
    } catch (FileNotFoundException absent) {
      return -1;
    }
  }

  @Override
  public Content read() throws IOException {
    try {
      RemoteObject object = found();
      if (object == null) {
        return null;
      }
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(object.size()));
      files.objects().read(object, 0, bytes);
      return new Content(bytes.array(), object.version());
    } catch (FileNotFoundException deletedMeanwhile) {
      return null;
    }
  }

  @Override
  public String version() throws IOException {
    RemoteObject now = found();
    return now == null ? ABSENT : now.version();
  }

  /** Returns the object as it is now, with its version; null if absent. */
  private @Nullable RemoteObject found() throws IOException {
    RemoteObject now;
    try {
      now = files.objects().stat(uri);
    } catch (FileNotFoundException absent) {
      return null;
    }
    if (now.version().isEmpty()) {
      throw new IOException(
          uri + ": the server sends no strong ETag, without which it cannot be written to");
    }
    return now;
  }

  @Override
  public String write(byte[] bytes, String version) throws IOException {
    if (bytes.length > files.partBytes()) {
      try (Upload upload = upload()) {
        upload.write(bytes);
        return upload.complete(version);
      }
    }
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    return change(
        version, bytes.length, checksum, as -> writes.put(uri, ByteBuffer.wrap(bytes), as));
  }

  /** A change of an object that has a version; returns the new version, empty if unknown. */
  interface Change {
    String of(String version) throws IOException;
  }

  /**
   * Changes this object if it has the given version, and returns the new version. The version is
   * checked beforehand and, if the server knows conditional requests, by a condition in the
   * request. {@code bytes} and {@code checksum} are those of the new content.
   */
  String change(String version, long bytes, CRC32C checksum, Change change) throws IOException {
    return settle(
        bytes,
        checksum,
        () -> {
          requireVersion(version);
          try {
            return change.of(version);
          } catch (ObjectWrites.UnknownConditionException unknown) {
            return change.of(ANY);
          }
        });
  }

  /** An attempt to put this object; returns the new version, empty if the server sends none. */
  interface Attempt {
    String make() throws IOException;
  }

  /** Puts this object and returns its version; after a conflict, compares the server's content. */
  String settle(long bytes, CRC32C checksum, Attempt attempt) throws IOException {
    try {
      String made = attempt.make();
      return made.isEmpty() ? version() : made;
    } catch (ConflictException | FileNotFoundException unsure) {
      // The server may have put the object before its answer was lost and the request sent again.
      RemoteObject now = found();
      if (now == null || !has(now, bytes, checksum)) {
        throw unsure;
      }
      return now.version();
    } finally {
      changed();
    }
  }

  private void requireVersion(String version) throws IOException {
    if (!version.equals(ANY) && !version().equals(version)) {
      throw new ConflictException(uri.toString(), "another writer has changed it");
    }
  }

  private boolean has(RemoteObject object, long bytes, CRC32C checksum) throws IOException {
    if (object.size() != bytes) {
      return false;
    }
    CRC32C found = new CRC32C();
    ByteBuffer part = ByteBuffer.allocate((int) Math.min(bytes, files.partBytes()));
    for (long at = 0; at < bytes; at += part.limit()) {
      part.clear().limit((int) Math.min(part.capacity(), bytes - at));
      files.objects().read(object, at, part);
      found.update(part.flip());
    }
    return found.getValue() == checksum.getValue();
  }

  @Override
  public Upload upload() {
    return new PartUpload(this, writes, uri, files.partBytes());
  }

  @Override
  public Puts puts() {
    return new RemotePuts(this, writes);
  }

  RemoteOutput below(String name) {
    return new RemoteOutput(files, directoryKey() + name);
  }

  @Override
  public void delete() throws IOException {
    writes.delete(uri);
    changed();
  }

  private String directoryKey() {
    return key.isEmpty() ? "" : key + "/";
  }

  private URI directory() {
    return KeyText.uri(files.root(), directoryKey());
  }

  @Override
  public boolean hasObjects() throws IOException {
    return files.objects().any(directory());
  }

  @Override
  public void listObjects(Consumer<String> sink) throws IOException {
    list(object -> sink.accept(object.name()));
  }

  @Override
  public void list(Consumer<Listed> sink) throws IOException {
    int start = directoryKey().length();
    files
        .objects()
        .listEntries(
            directory(),
            entry -> {
              String name = KeyText.key(entry.object().uri()).substring(start);
              if (!name.endsWith(UNFINISHED)) {
                sink.accept(new Listed(name, entry.object().size(), entry.modified()));
              }
            });
  }

  @Override
  public void deleteObjects() throws IOException {
    List<String> found = new ArrayList<>();
    listObjects(found::add);
    for (String name : found) {
      writes.delete(KeyText.uri(files.root(), directoryKey() + name));
    }
    changed();
  }

  @Override
  public void abortUploads() throws IOException {
    for (UploadsPage.Upload each : writes.uploads(uri)) {
      if (each.key().equals(key) || each.key().startsWith(directoryKey())) {
        writes.abort(KeyText.uri(files.root(), each.key()), each.id());
      }
    }
  }
}
