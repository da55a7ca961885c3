package io.feedline.formats.remote.internal.s3;

import io.feedline.data.StoreException;
import io.feedline.formats.remote.RemoteFileSystem.ObjectChangedException;
import io.feedline.formats.remote.internal.http.Body;
import io.feedline.formats.remote.internal.http.ByteRange;
import io.feedline.formats.remote.internal.http.Failures;
import io.feedline.formats.remote.internal.http.Reply;
import io.feedline.formats.remote.internal.http.Requests;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reader of a server's objects. An object is read in the version of its {@link RemoteObject}:
 * each request names this version, and each answer is compared with it before a byte is used. So
 * all ranges are of the same content.
 */
public final class HttpObjects implements ObjectReader {

  private static final int MOST_EMPTY_PAGES = 100;
  private static final Set<String> NO_BUCKET = Set.of("NoSuchBucket", "ContainerNotFound");

  private static final String RANGE = "Range";

  public static final ByteBuffer NO_BODY = ByteBuffer.allocate(0);

  private static final Logger LOG = LoggerFactory.getLogger(HttpObjects.class);

  private final Addressing addressing;
  private final Requests requests;
  private final long mostListed;
  private final AtomicBoolean saidUnmarked = new AtomicBoolean();

  public HttpObjects(Addressing addressing, Requests requests, long mostListed) {
    this.addressing = addressing;
    this.requests = requests;
    this.mostListed = mostListed;
  }

  @Override
  public String server() {
    return addressing.server();
  }

  @Override
  public RemoteObject stat(URI uri) throws IOException {
    return addressing.found(
        uri, ask(addressing.stat(uri), uri, uri.toString(), addressing::isFound));
  }

  private Reply ask(
      Addressing.Question question, URI uri, String described, Predicate<Reply> succeeded)
      throws IOException {
    return await(
        requests.send(
            new ObjectCall(question, uri, described, null) {
              @Override
              public boolean hasSucceeded(Reply reply) {
                return succeeded.test(reply);
              }
            }),
        described);
  }

  @Override
  public void read(RemoteObject object, long position, ByteBuffer target) throws IOException {
    await(readAsync(object, position, target), object.uri().toString());
  }

  /**
   * Begins to read bytes into the target. The target must not be used until the future is done;
   * then its position is at its limit. Cancelling the future ends the read; afterwards no byte is
   * written.
   */
  public CompletableFuture<Void> readAsync(RemoteObject object, long position, ByteBuffer target) {
    int length = target.remaining();
    if (position < 0) {
      throw new IllegalArgumentException("position must be 0 or more, was " + position);
    }
    if (length == 0) {
      return CompletableFuture.completedFuture(null);
    }
    if (position > object.size() - length) {
      return CompletableFuture.failedFuture(
          new EOFException(
              "%s ends at byte %d; %d bytes are expected at offset %d"
                  .formatted(object.uri(), object.size(), length, position)));
    }
    if (object.validator().isEmpty()
        && object.version().isEmpty()
        && saidUnmarked.compareAndSet(false, true)) {
      LOG.warn(
          "{} has neither an ETag nor a time of change (Last-Modified), and others of that server"
              + " may not either: if such an object is replaced by one of the same size while it is"
              + " read, nothing tells the old bytes from the new ones",
          object.uri());
    }
    ByteRange range = new ByteRange(position, length, object.size(), object.validator());
    CompletableFuture<Reply> reply;
    try {
      reply = requests.send(new RangeCall(object, range, target));
    } catch (IOException noAddress) {
      return CompletableFuture.failedFuture(noAddress);
    }
    return answered(
        reply,
        whole -> {
          target.position(target.limit());
          return null;
        });
  }

  public interface Wanted<T> {
    T of(Reply reply) throws IOException;
  }

  /** Returns the future of the value of {@code wanted}; cancelling it cancels the request. */
  public static <T> CompletableFuture<T> answered(CompletableFuture<Reply> sent, Wanted<T> wanted) {
    CompletableFuture<T> done =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterrupt) {
            sent.cancel(mayInterrupt);
            return super.cancel(mayInterrupt);
          }
        };
    CompletableFuture<?> unused =
        sent.whenComplete(
            (reply, failure) -> {
              if (failure != null) {
                done.completeExceptionally(Failures.cause(failure));
                return;
              }
              try {
                done.complete(wanted.of(reply));
              } catch (IOException absent) {
                done.completeExceptionally(absent);
              }
            });
    return done;
  }

  @Override
  public void list(URI prefix, Consumer<RemoteObject> sink) throws IOException {
    listEntries(prefix, entry -> sink.accept(entry.object()));
  }

  public void listEntries(URI prefix, Consumer<ListingPage.Entry> sink) throws IOException {
    String token = "";
    int empty = 0;
    String last = null;
    ListingLimit limit = new ListingLimit(prefix.toString(), mostListed);
    do {
      ListingPage page = page(prefix, token, 0);
      List<ListingPage.Entry> found = page.entries();
      empty = found.isEmpty() ? empty + 1 : 0;
      if (empty > MOST_EMPTY_PAGES) {
        throw endless(prefix, empty + " pages in succession are empty");
      }
      if (token.equals(page.next()) && !token.isEmpty()) {
        throw endless(prefix, "a page is its own next one");
      }
      if (!found.isEmpty() && addressing.listsInOrder()) {
        if (last != null && !ascends(last, KeyText.key(found.get(0).object().uri()))) {
          throw endless(prefix, "a page begins before the end of the one before it");
        }
        last = KeyText.key(found.get(found.size() - 1).object().uri());
      }
      for (ListingPage.Entry each : found) {
        limit.count(KeyText.key(each.object().uri()));
        sink.accept(each);
      }
      token = page.next();
    } while (!token.isEmpty());
  }

  private static IOException endless(URI prefix, String how) {
    return new StoreException(prefix + ": the server's listing repeats itself: " + how);
  }

  /** Tests whether keys ascend in UTF-8, as in S3, or in UTF-16, as in servers written in Java. */
  private static boolean ascends(String one, String next) {
    return next.compareTo(one) > 0
        || Arrays.compareUnsigned(
                next.getBytes(StandardCharsets.UTF_8), one.getBytes(StandardCharsets.UTF_8))
            > 0;
  }

  /** Tests whether an object exists whose key begins with a prefix. */
  public boolean any(URI prefix) throws IOException {
    return !page(prefix, "", 1).entries().isEmpty();
  }

  private ListingPage page(URI prefix, String token, int most) throws IOException {
    Addressing.Question question = addressing.page(prefix, token, most);
    return addressing.listed(
        prefix, ask(question, prefix, prefix + ", its listing", addressing::isPage));
  }

  /** Waits for a future, and returns its value; an interrupt cancels the future and throws. */
  public static <T> T await(CompletableFuture<T> future, String described) throws IOException {
    try {
      return future.get();
    } catch (InterruptedException interrupted) {
      future.cancel(true);
      Thread.currentThread().interrupt();
      InterruptedIOException failure =
          new InterruptedIOException(described + ": interrupted while it was under way");
      failure.initCause(interrupted);
      throw failure;
    } catch (CancellationException closed) {
      throw new IllegalStateException(described + ": closed while it was read", closed);
    } catch (ExecutionException failed) {
      Throwable cause = Failures.cause(failed);
      if (cause instanceof IOException failure) {
        throw failure;
      }
      throw new StoreException(described + ": " + Failures.words(cause), cause);
    }
  }

  public boolean lists() {
    return addressing.lists();
  }

  public boolean isWritable() {
    return addressing.isWritable();
  }

  public ObjectWrites writes() {
    return addressing.writes(requests, mostListed);
  }

  /** Returns a view of the same objects with connections of its own; the caller closes it. */
  public HttpObjects withConnections(int most) {
    return new HttpObjects(addressing, requests.withConnections(most), mostListed);
  }

  public HttpObjects at(Addressing other) {
    return new HttpObjects(other, requests, mostListed);
  }

  public Requests requests() {
    return requests;
  }

  @Override
  public void close() {
    requests.close();
  }

  private Addressing.Question question(RemoteObject object, ByteRange range) throws IOException {
    Map<String, String> headers = new TreeMap<>(addressing.onlyAt(object.version()));
    headers.put(RANGE, range.header());
    return new Addressing.Question("GET", addressing.object(object.uri()), headers, NO_BODY);
  }

  /** A read of a range; each attempt requests the bytes that earlier attempts did not bring. */
  private final class RangeCall extends ObjectCall {
    private final ByteRange range;
    private final ByteBuffer target;
    private final boolean versioned;

    /** The count of bytes that the target already has. */
    private int has;

    RangeCall(RemoteObject object, ByteRange range, ByteBuffer target) throws IOException {
      super(
          question(object, range),
          object.uri(),
          "%s, bytes %d to %d of %d"
              .formatted(object.uri(), range.first(), range.last(), object.size()),
          object);
      this.range = range;
      this.target = target;
      this.versioned = !object.version().isEmpty();
    }

    @Override
    public Body body(LongConsumer begun) {
      return Body.into(range, has, target, begun);
    }

    /** Keeps an answer's bytes if the object has a version: else the next answer may differ. */
    @Override
    public int failed(Body body) {
      // At least one byte is requested again, since only a whole answer ends the read.
      int more = versioned ? Math.min(body.has(), (int) range.length() - 1) - has : 0;
      if (more > 0) {
        has += more;
        header(RANGE, range.from(has).header());
      }
      return more;
    }
  }

  private abstract class ObjectCall extends AddressedCall {
    private final URI uri;

    /** The object whose range is read; null for other calls. */
    private final @Nullable RemoteObject object;

    ObjectCall(
        Addressing.Question question, URI uri, String described, @Nullable RemoteObject object) {
      super(addressing, question, described);
      this.uri = uri;
      this.object = object;
    }

    /** Returns false for a read without a version: the content of the two answers could differ. */
    @Override
    public boolean mayHedge() {
      return object == null || !object.version().isEmpty();
    }

    @Override
    protected IOException meaning(Reply reply) {
      return switch (reply.status()) {
        case 404, 410 ->
            new FileNotFoundException(uri + ": there is no such object" + absent(reply));
        case 412 -> changed("it has another version");
        case 416 -> changed("the server has no bytes there");
        case 401, 403 -> new AccessDeniedException(describe(), null, refusal(reply));
        default -> new StoreException(describe() + ": " + refusal(reply));
      };
    }

    private String refusal(Reply reply) {
      return "the server refuses, %s. %s".formatted(reply.words(), addressing.advice(reply));
    }

    private String absent(Reply reply) {
      if (object != null) {
        return " anymore";
      }
      return NO_BUCKET.contains(reply.code()) ? ", and no such bucket" : "";
    }

    private IOException changed(String how) {
      return object == null
          ? new StoreException(describe() + ": " + how)
          : new ObjectChangedException(object.uri(), how);
    }
  }
}
