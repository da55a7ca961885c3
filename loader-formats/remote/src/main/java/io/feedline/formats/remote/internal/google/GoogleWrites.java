package io.feedline.formats.remote.internal.google;

import io.feedline.formats.remote.internal.http.Reply;
import io.feedline.formats.remote.internal.http.Request;
import io.feedline.formats.remote.internal.http.Requests;
import io.feedline.formats.remote.internal.s3.HttpObjects;
import io.feedline.formats.remote.internal.s3.ObjectWrites;
import io.feedline.formats.remote.internal.s3.UploadsPage;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The requests that change objects of Google Cloud Storage. Large objects are sent by a resumable
 * upload, which takes one part after the other. Google's multipart uploads have no conditions, and
 * a resumable upload has conditions only at its beginning. So an upload begins with the condition
 * that the object keeps its present version, and {@link #complete} refuses any other version.
 */
final class GoogleWrites extends ObjectWrites {

  /** The unit of parts in bytes: the length of each part but the last is a multiple of it. */
  private static final int UNIT = 1 << 18;

  private static final int GIVEN_UP = 499;
  private static final int GOES_ON = 308;
  private static final Pattern STORED = Pattern.compile("bytes=0-([0-9]{1,18})");

  /** The uploads under way, by the address that the server gave each upload. */
  private final Map<String, Session> sessions = new ConcurrentHashMap<>();

  private final GoogleAddressing addressing;

  GoogleWrites(GoogleAddressing addressing, Requests requests, long mostListed) {
    super(addressing, requests, mostListed);
    this.addressing = addressing;
  }

  /** An upload; its monitor guards its fields. */
  private static final class Session {
    private final String version;
    private long sent;
    private ByteBuffer rest = HttpObjects.NO_BODY;
    private CompletableFuture<Long> last = CompletableFuture.completedFuture(0L);

    Session(String version) {
      this.version = version;
    }
  }

  @Override
  public String begin(URI uri) throws IOException {
    String described = uri + ", the beginning of an upload";
    String version = versionNow(uri);
    Map<String, String> headers = new HashMap<>(addressing.changesOnly(version));
    headers.put("x-goog-resumable", "start");
    Reply reply = sent("POST", addressing.object(uri), headers, HttpObjects.NO_BODY, described);
    String session = reply.header("location");
    if (!isOfServer(session)) {
      throw new IOException(described + ": the server's answer has no address of its own");
    }
    sessions.put(session, new Session(version));
    return session;
  }

  /** Tests whether an address is one of the server, so that a token may be sent to it. */
  private boolean isOfServer(String session) {
    try {
      URI address = URI.create(session);
      return address.getHost() != null
          && address.getScheme() != null
          && Request.isSameServer(address, addressing.object(URI.create("gs://bucket/x")));
    } catch (IllegalArgumentException noAddress) {
      return false; // not printed, since the address may be secret
    }
  }

  private String versionNow(URI uri) throws IOException {
    String described = uri + ", its generation";
    try {
      return addressing.version(
          sent("HEAD", addressing.object(uri), Map.of(), HttpObjects.NO_BODY, described));
    } catch (FileNotFoundException absent) {
      return ObjectOutput.ABSENT;
    }
  }

  @Override
  public CompletableFuture<String> part(URI uri, String id, int number, ByteBuffer bytes) {
    Session session = sessions.get(id);
    String described = "%s, part %d of %d bytes".formatted(uri, number, bytes.remaining());
    synchronized (session) {
      int whole = bytes.remaining() / UNIT * UNIT;
      ByteBuffer now = bytes.duplicate().limit(bytes.position() + whole).slice();
      ByteBuffer rest = bytes.duplicate().position(bytes.position() + whole);
      session.rest = ByteBuffer.allocate(rest.remaining()).put(rest).flip();
      long start = session.sent;
      session.sent += whole;
      session.last = session.last.thenCompose(before -> stored(id, described, start, now, before));
      return session.last.thenApply(end -> Integer.toString(number));
    }
  }

  /** Sends the missing bytes of a part; returns how many bytes of all parts the server then has. */
  private CompletableFuture<Long> stored(
      String id, String described, long start, ByteBuffer part, long has) {
    if (!part.hasRemaining() || has >= start + part.limit()) {
      return CompletableFuture.completedFuture(has);
    }
    long from = Math.max(has, start);
    ByteBuffer left = part.duplicate().position((int) (from - start)).slice();
    Map<String, String> range =
        Map.of("Content-Range", "bytes %d-%d/*".formatted(from, from + left.remaining() - 1));
    return sendUnlessClosed("PUT", URI.create(id), range, left, described)
        .thenCompose(
            reply -> {
              Matcher stored = STORED.matcher(reply.header("range"));
              long now = stored.matches() ? Long.parseLong(stored.group(1)) + 1 : 0;
              return now > from
                  ? stored(id, described, start, part, now)
                  : CompletableFuture.failedFuture(
                      new IOException(
                          "%s: the server has stored %d bytes, and %d were sent"
                              .formatted(described, now, from + left.remaining())));
            });
  }

  private CompletableFuture<Reply> sendUnlessClosed(
      String method, URI address, Map<String, String> headers, ByteBuffer body, String described) {
    try {
      return send(method, address, headers, body, described);
    } catch (IllegalStateException closed) {
      return CompletableFuture.failedFuture(closed);
    }
  }

  @Override
  protected boolean hasSucceeded(Reply reply) {
    return reply.isSuccess() || reply.status() == GOES_ON || reply.status() == GIVEN_UP;
  }

  @Override
  public String complete(URI uri, String id, List<String> tags, String version) throws IOException {
    Session session = sessions.get(id);
    if (session == null) {
      throw new FileNotFoundException(uri + ": this upload was given up, or is complete already");
    }
    if (!version.equals(ObjectOutput.ANY) && !version.equals(session.version)) {
      throw new ObjectOutput.ConflictException(
          uri.toString(), "the server had another version when the upload began");
    }
    String described = "%s, the completion of its %d parts".formatted(uri, tags.size());
    ByteBuffer rest = session.rest;
    long size = session.sent + rest.remaining();
    String range =
        rest.hasRemaining()
            ? "bytes %d-%d/%d".formatted(session.sent, size - 1, size)
            : "bytes */" + size;
    Reply reply = sent("PUT", URI.create(id), Map.of("Content-Range", range), rest, described);
    if (!reply.isSuccess()) {
      throw new IOException(
          "%s: the server does not take %d bytes for the whole, status %d"
              .formatted(described, size, reply.status()));
    }
    sessions.remove(id);
    return addressing.version(reply);
  }

  @Override
  public void abort(URI uri, String id) throws IOException {
    Session session = sessions.remove(id);
    if (session != null) {
      session.last.cancel(true);
    }
    deleteAt(URI.create(id), uri + ", the end of an upload");
  }

  /** Returns an empty list, since Google lists no uploads, and deletes them after a week. */
  @Override
  public List<UploadsPage.Upload> uploads(URI prefix) {
    return List.of();
  }
}
