package io.feedline.formats.remote.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.remote.internal.s3.ObjectReader;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Objects that exist only as a rule for their bytes: each byte is a function of the object's URI,
 * its version and its place. Counts what is asked for, and fails as it is told.
 */
final class FakeObjects implements ObjectReader {

  /** A read that has reached the origin. */
  record Request(RemoteObject object, long position, int length) {}

  @FunctionalInterface
  interface Fault {
    void before(Request request) throws IOException;
  }

  final List<Request> requests = new CopyOnWriteArrayList<>();
  volatile Fault fault = request -> {};

  private final Map<URI, RemoteObject> objects = new ConcurrentSkipListMap<>();
  private final Set<RemoteObject> underWay = ConcurrentHashMap.newKeySet();

  RemoteObject put(String key, long size, String version) {
    RemoteObject object = new RemoteObject(URI.create("s3://bucket/" + key), size, version);
    objects.put(object.uri(), object);
    return object;
  }

  List<RemoteObject> put(int count, long size) {
    return IntStream.range(0, count)
        .mapToObj(i -> put("object-%05d".formatted(i), size, "v1"))
        .toList();
  }

  @Override
  public RemoteObject stat(URI uri) throws IOException {
    RemoteObject object = objects.get(uri);
    if (object == null) {
      throw new FileNotFoundException(uri.toString());
    }
    return object;
  }

  @Override
  public void list(URI prefix, Consumer<RemoteObject> sink) {
    objects.values().stream()
        .filter(each -> each.uri().toString().startsWith(prefix.toString()))
        .forEach(sink);
  }

  @Override
  public void read(RemoteObject object, long position, ByteBuffer target) throws IOException {
    Request request = new Request(object, position, target.remaining());
    requests.add(request);
    if (object.size() == request.length()) {
      // A caller that needs the whole of it can have it from another one who does.
      assertThat(underWay.add(object)).as("read twice at once: %s", object).isTrue();
    }
    try {
      fault.before(request);
    } finally {
      underWay.remove(object);
    }
    if (position + target.remaining() > object.size()) {
      throw new EOFException(object + " at " + position);
    }
    fill(object, position, target);
  }

  private static void fill(RemoteObject object, long position, ByteBuffer target) {
    int seed = seed(object);
    for (long at = position; target.hasRemaining(); at++) {
      target.put(valueAt(seed, at));
    }
  }

  private static int seed(RemoteObject object) {
    return object.uri().hashCode() * 31 + object.version().hashCode();
  }

  private static byte valueAt(int seed, long at) {
    return (byte) (seed + at * 31 + (at >> 8) * 7 + (at >> 16) * 13);
  }

  /** Reads a part through a reader, and checks each byte. */
  static void check(ObjectReader reader, RemoteObject object, long position, int length)
      throws IOException {
    ByteBuffer target = ByteBuffer.allocate(length);
    reader.read(object, position, target);
    assertThat(target.remaining()).isZero();
    ByteBuffer expected = ByteBuffer.allocate(length);
    fill(object, position, expected);
    assertThat(target.array()).as("%s at %d", object, position).isEqualTo(expected.array());
  }

  static void check(ObjectReader reader, RemoteObject object) throws IOException {
    check(reader, object, 0, (int) object.size());
  }

  /** Checks objects one after the other; each is written before the next one is read. */
  static void checkAll(CachedObjects reader, List<RemoteObject> objects) throws Exception {
    for (RemoteObject object : objects) {
      check(reader, object);
      reader.awaitWritten();
    }
  }

  @Override
  public void close() {}
}
