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

/**
 * The way from an object's URI to an HTTP request, and from the answer back: a store's API.
 * Thread-safe.
 *
 * <p>The addresses that it makes are never printed, since their queries may be secret.
 */
public interface Addressing {

  /** A request as it is before it is signed. */
  record Question(String method, URI address, Map<String, String> headers, ByteBuffer body) {

    /** A request without headers of its own, and without a body. */
    public Question(String method, URI address) {
      this(method, address, Map.of(), HttpObjects.NO_BODY);
    }
  }

  /** Returns the server's address; empty if the objects' URIs contain it. */
  default String server() {
    return "";
  }

  /** Tests whether the server lists objects. */
  default boolean lists() {
    return true;
  }

  /** Tests whether objects can be put. */
  default boolean isWritable() {
    return false;
  }

  /** Returns the way to change objects, where they are writable. */
  default ObjectWrites writes(Requests requests, long mostListed) {
    return new ObjectWrites(this, requests, mostListed);
  }

  /** Returns the permissions that a writer needs, as a sentence without its end. */
  default String permissions() {
    return "Writing takes more permissions than reading";
  }

  /** Returns the version that an object has by an answer about it; empty if it does not say. */
  default String version(Reply reply) {
    return Validator.strong(reply.header("etag"));
  }

  /**
   * Returns the headers by which an object is changed only if it has a version.
   *
   * @param version see {@link ObjectOutput#write}
   */
  default Map<String, String> changesOnly(String version) {
    return switch (version) {
      case ObjectOutput.ANY -> Map.of();
      case ObjectOutput.ABSENT -> Map.of("If-None-Match", "*");
      default -> Map.of("If-Match", version);
    };
  }

  /**
   * The address of an object.
   *
   * @throws IOException if it takes a request that fails
   */
  URI object(URI uri) throws IOException;

  /**
   * Returns the question about an object's attributes.
   *
   * @throws IOException if it is known that there is none
   */
  default Question stat(URI uri) throws IOException {
    return new Question("HEAD", object(uri));
  }

  /** Tests whether an answer to {@link #stat} describes an object. */
  default boolean isFound(Reply reply) {
    return reply.isSuccess();
  }

  /**
   * Returns the object that an answer to {@link #stat} describes.
   *
   * @throws IOException if there is none, or the answer does not describe it
   */
  default RemoteObject found(URI uri, Reply reply) throws IOException {
    return found(uri, reply, reply.header("content-length"));
  }

  /** Returns the object of a length that an answer's headers describe. */
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

  /**
   * Returns the headers by which only one version of an object is read; empty without a version.
   */
  default Map<String, String> onlyAt(String version) {
    return version.isEmpty() ? Map.of() : Map.of("If-Match", version);
  }

  /**
   * Returns the question for a page of a listing.
   *
   * @param token of the page, by {@link ListingPage#next}; empty for the first one
   * @param most how many objects are wanted; 0: as many as the server gives
   * @throws IOException if the server gives no listings
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

  /** Tests whether an answer is a page. */
  default boolean isPage(Reply reply) {
    return reply.isSuccess();
  }

  /**
   * Returns the page that an answer to {@link #page} has.
   *
   * @throws IOException if it is none
   */
  default ListingPage listed(URI prefix, Reply reply) throws IOException {
    return ListingPage.parse(prefix, reply.body());
  }

  /** Tests whether the objects of a listing come in the order of their keys. */
  default boolean listsInOrder() {
    return true;
  }

  /**
   * The address of something about a bucket.
   *
   * @param of any URI in it
   * @param query as S3 has it, not encoded
   * @throws IOException if the server has no buckets
   */
  default URI bucket(URI of, SortedMap<String, String> query) throws IOException {
    throw new StoreException(of + ": this server has no buckets");
  }

  /**
   * Makes a request.
   *
   * @param headers in addition to those that every request has
   * @param body empty for a method without a body; not changed until the request is over
   * @throws IOException if it cannot be signed
   */
  Request request(String method, URI address, Map<String, String> headers, ByteBuffer body)
      throws IOException;

  /**
   * Returns the address that an answer sends on to. Null if the answer does not, or that must not
   * be followed, which is the default: credentials are given only to the server that the user
   * names.
   */
  default @Nullable URI redirected(URI from, Reply reply) {
    return null;
  }

  /**
   * Gets new credentials, if an answer says that the request's credentials have expired.
   *
   * @param signedNanos when the request was signed, by {@link System#nanoTime}
   * @return whether there are others now
   * @throws IOException if they cannot be had
   */
  default boolean renew(Reply reply, long signedNanos) throws IOException {
    return false;
  }

  /** Returns the remedy for a refusal, as a sentence. */
  String advice(Reply reply);
}
