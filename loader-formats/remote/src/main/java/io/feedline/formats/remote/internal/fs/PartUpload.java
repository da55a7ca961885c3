package io.feedline.formats.remote.internal.fs;

import io.feedline.formats.remote.internal.s3.HttpObjects;
import io.feedline.formats.remote.internal.s3.ObjectWrites;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The upload of an object, in parts if it is longer than a part. Not thread-safe. */
final class PartUpload implements ObjectOutput.Upload {

  /** The length of a part in bytes: S3 requires 5 MiB or more, and R2 parts of equal length. */
  static final int PART_BYTES = 8 << 20;

  static final int AT_ONCE = 4;

  /** The largest number of parts of an object, as in S3. */
  private static final int MOST_PARTS = 10_000;

  private final RemoteOutput object;
  private final ObjectWrites writes;
  private final URI uri;
  private final int partBytes;

  /** The part that is being filled; null before the first byte. */
  private @Nullable ByteBuffer filled;

  private final Deque<Part> inFlight = new ArrayDeque<>();
  private final Deque<ByteBuffer> free = new ArrayDeque<>();
  private final List<String> tags = new ArrayList<>();
  private String id;
  private int parts;
  private long bytes;
  private final CRC32C checksum = new CRC32C();
  private boolean completed;
  private boolean over;

  private record Part(ByteBuffer bytes, CompletableFuture<String> tag) {}

  PartUpload(RemoteOutput object, ObjectWrites writes, URI uri, int partBytes) {
    this.object = object;
    this.writes = writes;
    this.uri = uri;
    this.partBytes = partBytes;
  }

  @Override
  public void write(byte[] more) throws IOException {
    if (over) {
      throw new IllegalStateException(uri + " is sent, or was given up");
    }
    int done = 0;
    while (done < more.length) {
      if (filled != null && !filled.hasRemaining()) {
        send();
      }
      if (filled == null) {
        filled = free.isEmpty() ? ByteBuffer.allocate(partBytes) : free.pop();
      }
      int step = Math.min(filled.remaining(), more.length - done);
      filled.put(more, done, step);
      done += step;
    }
    bytes += more.length;
    checksum.update(more);
  }

  private void send() throws IOException {
    if (parts == MOST_PARTS) {
      throw new IOException(
          "%s has more than %d parts of %d bytes, which an object may not; make shards smaller (--shard-size), or take a format with shards"
              .formatted(uri, MOST_PARTS, partBytes));
    }
    if (id == null) {
      id = writes.begin(uri);
    }
    if (inFlight.size() == AT_ONCE) {
      await();
    }
    ByteBuffer part = filled.flip();
    filled = null;
    inFlight.add(new Part(part, writes.part(uri, id, ++parts, part)));
  }

  private void await() throws IOException {
    Part oldest = inFlight.element();
    tags.add(HttpObjects.await(oldest.tag, uri.toString()));
    inFlight.remove();
    free.push(oldest.bytes.clear());
  }

  @Override
  public String complete(String version) throws IOException {
    String now;
    if (id == null) {
      ByteBuffer all = filled == null ? HttpObjects.NO_BODY : filled.flip();
      now = object.change(version, bytes, checksum, as -> writes.put(uri, all, as));
    } else {
      if (filled != null) {
        send();
      }
      while (!inFlight.isEmpty()) {
        await();
      }
      now = object.change(version, bytes, checksum, this::completeParts);
      if (!completed) {
        writes.abort(uri, id); // the object exists already, so the parts are not needed
      }
    }
    over = true;
    requireSize();
    return now;
  }

  private String completeParts(String version) throws IOException {
    String now = writes.complete(uri, id, tags, version);
    completed = true;
    return now;
  }

  /** Fails if the object at the server does not have the uploaded size: then a part was lost. */
  private void requireSize() throws IOException {
    long size = object.size();
    if (size != bytes) {
      throw new ObjectOutput.ConflictException(
          uri.toString(),
          "%d bytes were sent, but the server %s"
              .formatted(bytes, size < 0 ? "has no such object" : "has " + size));
    }
  }

  @Override
  public void close() throws IOException {
    if (over) {
      return;
    }
    over = true;
    inFlight.forEach(part -> part.tag.cancel(true));
    inFlight.clear();
    if (id != null) {
      writes.abort(uri, id);
    }
  }
}
