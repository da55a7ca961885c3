package io.feedline.formats.remote.internal.fs;

import io.feedline.formats.remote.internal.http.Reply;
import io.feedline.formats.remote.internal.s3.HttpObjects;
import io.feedline.formats.remote.internal.s3.ObjectWrites;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;

/** Puts many small objects at the same time. Not thread-safe. */
final class RemotePuts implements ObjectOutput.Puts {

  private static final int AT_ONCE = 32;

  /** The limit of bytes of all requests under way; a single larger object is also allowed. */
  private static final long BYTES_AT_ONCE = 64L << 20;

  private final RemoteOutput directory;
  private final ObjectWrites writes;
  private final Deque<Put> underWay = new ArrayDeque<>();
  private long bytesUnderWay;

  private record Put(
      RemoteOutput object, byte[] bytes, String version, CompletableFuture<Reply> reply) {}

  RemotePuts(RemoteOutput directory, ObjectWrites writes) {
    this.directory = directory;
    this.writes = writes;
  }

  @Override
  public void put(String name, byte[] bytes, String version) throws IOException {
    while (underWay.size() == AT_ONCE
        || (!underWay.isEmpty() && bytesUnderWay + bytes.length > BYTES_AT_ONCE)) {
      awaitOldest();
    }
    RemoteOutput object = directory.below(name);
    CompletableFuture<Reply> reply = writes.putAsync(object.uri(), ByteBuffer.wrap(bytes), version);
    underWay.add(new Put(object, bytes, version, reply));
    bytesUnderWay += bytes.length;
  }

  @Override
  public void await() throws IOException {
    while (!underWay.isEmpty()) {
      awaitOldest();
    }
  }

  private void awaitOldest() throws IOException {
    Put oldest = underWay.remove();
    bytesUnderWay -= oldest.bytes.length;
    CRC32C checksum = new CRC32C();
    checksum.update(oldest.bytes);
    String unused =
        oldest.object.settle(
            oldest.bytes.length,
            checksum,
            () -> {
              try {
                Reply reply = HttpObjects.await(oldest.reply, oldest.object.uri().toString());
                return writes.version(reply);
              } catch (ObjectWrites.UnknownConditionException unknown) {
                return oldest.object.write(oldest.bytes, oldest.version);
              }
            });
  }

  @Override
  public void close() {
    underWay.forEach(put -> put.reply.cancel(true));
    underWay.clear();
  }
}
