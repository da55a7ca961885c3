package io.feedline.formats.remote.internal.google;

import io.feedline.data.StoreException;
import io.feedline.formats.remote.internal.http.Reply;
import io.feedline.formats.remote.internal.http.Request;
import io.feedline.formats.remote.internal.http.Requests;
import io.feedline.formats.remote.internal.s3.Addressing;
import io.feedline.formats.remote.internal.s3.KeyText;
import io.feedline.formats.remote.internal.s3.ObjectWrites;
import io.feedline.formats.remote.internal.s3.PlainAddressing;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import io.feedline.formats.remote.internal.s3.S3Settings;
import io.feedline.formats.remote.internal.token.Tokens;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The addressing of Google Cloud Storage by its XML API. An object's version is its generation. */
public final class GoogleAddressing implements Addressing {

  private static final String IF_GENERATION = "x-goog-if-generation-match";
  private static final String GENERATION = "x-goog-generation";
  private static final String NO_GENERATION = "0";

  private final URI endpoint;
  private final boolean isGoogle;
  private final Tokens tokens;

  private GoogleAddressing(URI endpoint, boolean isGoogle, Tokens tokens) {
    this.endpoint = endpoint;
    this.isGoogle = isGoogle;
    this.tokens = tokens;
  }

  /** Returns the addressing; a null endpoint and null tokens are taken from the environment. */
  public static GoogleAddressing of(
      @Nullable URI endpoint, @Nullable Tokens given, Map<String, String> environment) {
    String emulator = environment.getOrDefault("STORAGE_EMULATOR_HOST", "").trim();
    URI server = endpoint;
    if (server == null && !emulator.isEmpty()) {
      server =
          S3Settings.endpoint(
              "STORAGE_EMULATOR_HOST", emulator.contains("://") ? emulator : "http://" + emulator);
    }
    boolean other = server != null;
    Tokens tokens = given;
    if (tokens == null) {
      tokens =
          endpoint == null && !emulator.isEmpty() ? Tokens.NONE : GoogleCredentials.of(environment);
    }
    return new GoogleAddressing(
        other ? server : URI.create("https://storage.googleapis.com"), !other, tokens);
  }

  @Override
  public String server() {
    return isGoogle ? "" : endpoint.toString();
  }

  @Override
  public boolean isWritable() {
    return true;
  }

  @Override
  public URI object(URI uri) {
    return URI.create(
        endpoint + "/" + uri.getRawAuthority() + "/" + KeyText.encoded(KeyText.key(uri)));
  }

  @Override
  public RemoteObject found(URI uri, Reply reply) throws IOException {
    String version = version(reply);
    if (version.isEmpty()) {
      throw new StoreException(
          uri + ": the server does not say which generation the object has; is this Google's?");
    }
    RemoteObject found = Addressing.super.found(uri, reply);
    return new RemoteObject(uri, found.size(), version);
  }

  @Override
  public String version(Reply reply) {
    return reply.header(GENERATION);
  }

  @Override
  public Map<String, String> onlyAt(String version) {
    return version.isEmpty() ? Map.of() : Map.of(IF_GENERATION, version);
  }

  @Override
  public Map<String, String> changesOnly(String version) {
    return switch (version) {
      case ObjectOutput.ANY -> Map.of();
      case ObjectOutput.ABSENT -> Map.of(IF_GENERATION, NO_GENERATION);
      default -> Map.of(IF_GENERATION, version);
    };
  }

  @Override
  public URI bucket(URI of, SortedMap<String, String> query) {
    return URI.create(endpoint + "/" + of.getRawAuthority() + KeyText.query(query));
  }

  @Override
  public Request request(String method, URI address, Map<String, String> headers, ByteBuffer body)
      throws IOException {
    Map<String, String> all = PlainAddressing.common(headers);
    if (Request.isSameServer(address, endpoint)) {
      all.putAll(tokens.headers());
    }
    return new Request(method, address, all, body);
  }

  @Override
  public boolean renew(Reply reply, long signedNanos) throws IOException {
    return reply.status() == 401 && tokens.renew(signedNanos);
  }

  @Override
  public String advice(Reply reply) {
    return switch (reply.status()) {
      case 401, 403 ->
          tokens == Tokens.NONE
              ? "It is read without credentials (anonymous)"
              : "See the account's permissions, storage.objects.get and storage.objects.list";
      case 400 -> "See the bucket's settings, such as requester pays, and the endpoint";
      default -> reply.isRedirect() ? "This redirect is not followed" : "It cannot be read";
    };
  }

  @Override
  public String permissions() {
    return "Writing takes storage.objects.create, get, list and delete";
  }

  @Override
  public ObjectWrites writes(Requests requests, long mostListed) {
    return new GoogleWrites(this, requests, mostListed);
  }
}
