package io.feedline.formats.remote.internal.s3;

import io.feedline.data.StoreException;
import io.feedline.formats.remote.internal.http.Reply;
import io.feedline.formats.remote.internal.http.Request;
import io.feedline.formats.remote.internal.http.Requests;
import io.feedline.formats.remote.internal.http.Validator;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The requests of a store's API. Addresses are not printed: queries may be secret. Thread-safe. */
public interface Addressing {

  record Question(String method, URI address, Map<String, String> headers, ByteBuffer body) {

    public Question(String method, URI address) {
      this(method, address, Map.of(), HttpObjects.NO_BODY);
    }
  }

  /** Returns the address of the server; empty if the URIs of objects determine it. */
  default String server() {
    return "";
  }

  default boolean lists() {
    return true;
  }

  default boolean isWritable() {
    return false;
  }

  default ObjectWrites writes(Requests requests, long mostListed) {
    return new ObjectWrites(this, requests, mostListed);
  }

  /** Returns the permissions that writing needs, as a sentence without its period. */
  default String permissions() {
    return "Writing takes more permissions than reading";
  }

  /** Returns the version of an object that an answer contains; empty if absent. */
  default String version(Reply reply) {
    return Validator.strong(reply.header("etag"));
  }

  /** Returns the headers that allow a change only at a version, see {@link ObjectOutput#write}. */
  default Map<String, String> changesOnly(String version) {
    return switch (version) {
      case ObjectOutput.ANY -> Map.of();
      case ObjectOutput.ABSENT -> Map.of("If-None-Match", "*");
      default -> Map.of("If-Match", version);
    };
  }

  /** Returns the address of an object; may send a request to find it. */
  URI object(URI uri) throws IOException;

  default Question stat(URI uri) throws IOException {
    return new Question("HEAD", object(uri));
  }

  default boolean isFound(Reply reply) {
    return reply.isSuccess();
  }

  /** Returns the object that an answer to {@link #stat} describes; fails if there is no object. */
  default RemoteObject found(URI uri, Reply reply) throws IOException {
    return found(uri, reply, reply.header("content-length"));
  }

  static RemoteObject found(URI uri, Reply reply, String length) throws IOException {
    if (!length.matches("[0-9]{1,18}")) {
      throw new StoreException(uri + ": the server does not say how many bytes the object has");
    }
    return new RemoteObject(
        uri,
        Long.parseLong(length),
        Validator.strong(reply.header("etag")),
        Validator.of(reply.headers()));
  }

  /** Returns the headers that allow a read only at a version; no headers for an empty version. */
  default Map<String, String> onlyAt(String version) {
    return version.isEmpty() ? Map.of() : Map.of("If-Match", version);
  }

  /**
   * Returns the request for a page of a listing. The page has at most {@code most} objects, or any
   * number if {@code most} is 0. An empty {@code token} means the first page.
   */
  default Question page(URI prefix, String token, int most) throws IOException {
    SortedMap<String, String> query = new TreeMap<>();
    query.put("list-type", "2");
    query.put("encoding-type", "url");
    query.put("prefix", KeyText.key(prefix));
    if (!token.isEmpty()) {
      query.put("continuation-token", token);
    }
    if (most > 0) {
      query.put("max-keys", Integer.toString(most));
    }
    return new Question("GET", bucket(prefix, query));
  }

  default boolean isPage(Reply reply) {
    return reply.isSuccess();
  }

  default ListingPage listed(URI prefix, Reply reply) throws IOException {
    return ListingPage.parse(prefix, reply.body());
  }

  /** Tests whether the server lists objects in the order of their keys. */
  default boolean listsInOrder() {
    return true;
  }

  /** Returns the address of a URI's bucket with a query; fails if the server has no buckets. */
  default URI bucket(URI of, SortedMap<String, String> query) throws IOException {
    throw new StoreException(of + ": this server has no buckets");
  }

  Request request(String method, URI address, Map<String, String> headers, ByteBuffer body)
      throws IOException;

  /** Returns the address of a redirect; null if the redirect is not followed, as by default. */
  default @Nullable URI redirected(URI from, Reply reply) {
    return null;
  }

  /** Renews expired credentials; returns true if they were renewed after {@code signedNanos}. */
  default boolean renew(Reply reply, long signedNanos) throws IOException {
    return false;
  }

  String advice(Reply reply);
}
