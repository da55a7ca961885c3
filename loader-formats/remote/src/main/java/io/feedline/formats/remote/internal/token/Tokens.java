package io.feedline.formats.remote.internal.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.StoreException;
import io.feedline.formats.remote.internal.http.Call;
import io.feedline.formats.remote.internal.http.Reply;
import io.feedline.formats.remote.internal.http.Request;
import io.feedline.formats.remote.internal.http.RequestPolicy;
import io.feedline.formats.remote.internal.http.Requests;
import io.feedline.formats.remote.internal.s3.HttpObjects;
import io.feedline.formats.remote.internal.s3.KeyText;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.internal.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A bearer token of OAuth 2.0, renewed before it expires and if refused. Thread-safe. */
public final class Tokens {

  /** The value for requests without a token, for public data. */
  public static final Tokens NONE = new Tokens("", null);

  private static final int MOST_OF_A_FILE = 1 << 20;
  private static final long EARLY_NANOS = Duration.ofMinutes(2).toNanos();
  private static final Duration DEFAULT = Duration.ofMinutes(5);
  private static final Duration MOST = Duration.ofDays(2);

  /**
   * The error codes of RFC 6749, section 5.2. Messages contain no other part of an answer, which
   * may repeat secrets of the request.
   */
  private static final Set<String> KNOWN =
      Set.of(
          "invalid_client",
          "invalid_grant",
          "invalid_request",
          "invalid_scope",
          "unauthorized_client",
          "unsupported_grant_type");

  /** The limits of requests for tokens: shorter than the default, since other requests wait. */
  private static final RequestPolicy POLICY =
      new RequestPolicy(
          1,
          4,
          Duration.ofSeconds(5),
          Duration.ofSeconds(5),
          1 << 20,
          Duration.ofMillis(200),
          Duration.ofSeconds(2),
          Duration.ofSeconds(10),
          Duration.ofSeconds(5),
          0);

  public interface Source {
    Request request(Tokens tokens) throws IOException;
  }

  private final String described;

  /** The source of new tokens; null if the token stays the same. */
  private final @Nullable Source source;

  // The following fields are guarded by this:
  private String token = "";
  private long renewAt;
  private long gotAt = System.nanoTime();

  /** Creates an instance that gets its tokens from a source; {@code described} is for errors. */
  public Tokens(String described, @Nullable Source source) {
    this.described = described;
    this.source = source;
  }

  public static Tokens of(String token) {
    Tokens given = new Tokens("the token", null);
    given.token = checked(token);
    return given;
  }

  private static String checked(String token) {
    if (token.isEmpty() || !token.chars().allMatch(each -> each > ' ' && each < 127)) {
      throw new IllegalArgumentException(
          "a token has no blank, line break or other character but those of ASCII");
    }
    return token;
  }

  public static String text(Path file) throws IOException {
    try (InputStream in = Channels.newInputStream(OpenFiles.open(file))) {
      return new String(in.readNBytes(MOST_OF_A_FILE), UTF_8);
    }
  }

  /** Returns a request that sends a form to a token server; encodes the form's values. */
  public static Request form(URI address, Map<String, String> form) {
    StringJoiner body = new StringJoiner("&");
    new TreeMap<>(form)
        .forEach((name, value) -> body.add(name + "=" + KeyText.encodedValue(value)));
    return new Request(
        "POST",
        address,
        Map.of("Content-Type", "application/x-www-form-urlencoded", "User-Agent", "feedline"),
        ByteBuffer.wrap(body.toString().getBytes(UTF_8)));
  }

  /**
   * Returns the headers that authorize a request; empty for {@link #NONE}. Requests a new token if
   * there is no token, or if it is about to expire.
   */
  public synchronized Map<String, String> headers() throws IOException {
    if (source != null && (token.isEmpty() || System.nanoTime() - renewAt > 0)) {
      take(parsed(ask(source.request(this))));
    }
    return token.isEmpty() ? Map.of() : authorization(token);
  }

  /** Renews a refused token; returns whether the token is newer than at {@code signedNanos}. */
  public synchronized boolean renew(long signedNanos) throws IOException {
    if (source == null) {
      return false;
    }
    if (gotAt - signedNanos <= 0) {
      String before = token;
      token = "";
      headers();
      return !token.equals(before);
    }
    return true; // another request has renewed the token meanwhile
  }

  private static Map<String, String> authorization(String token) {
    return Map.of("Authorization", "Bearer " + token);
  }

  /** Returns the token in an answer of OAuth 2.0 or of Google's IAM API. */
  private String tokenOf(Map<String, Object> answer) throws StoreException {
    Object found = answer.getOrDefault("access_token", answer.get("accessToken"));
    if (found instanceof String text && text.chars().allMatch(each -> each > ' ' && each < 127)) {
      return text;
    }
    throw new StoreException(described + ": the server's answer has no access_token");
  }

  private void take(Map<String, Object> answer) throws IOException {
    token = tokenOf(answer);
    gotAt = System.nanoTime();
    long lasts = lasts(answer).toNanos();
    renewAt = gotAt + Math.max(lasts / 2, lasts - EARLY_NANOS);
  }

  private static Duration lasts(Map<String, Object> answer) {
    String seconds = String.valueOf(answer.get("expires_in"));
    if (seconds.matches("[0-9]{1,6}")) {
      return Duration.ofSeconds(Long.parseLong(seconds));
    }
    try {
      Instant end = Instant.parse(String.valueOf(answer.get("expireTime")));
      Duration left = Duration.between(Instant.now(), end);
      return left.isNegative() || left.compareTo(MOST) > 0 ? DEFAULT : left;
    } catch (DateTimeParseException unknown) {
      return DEFAULT;
    }
  }

  /** Sends a request for a token; returns the header with the token of the answer. */
  public Map<String, String> bearer(Request request) throws IOException {
    return authorization(tokenOf(parsed(ask(request))));
  }

  public String ask(Request request) throws IOException {
    try (Requests requests = new Requests(POLICY)) {
      Reply reply = HttpObjects.await(requests.send(new TokenCall(request)), described);
      return new String(reply.body(), UTF_8);
    }
  }

  private Map<String, Object> parsed(String answer) throws StoreException {
    try {
      return Json.read(answer);
    } catch (IllegalArgumentException noJson) {
      // The cause is left out, since it quotes the answer.
      throw new StoreException(described + ": the server's answer is not JSON");
    }
  }

  private final class TokenCall implements Call {
    private final Request request;

    TokenCall(Request request) {
      this.request = request;
    }

    @Override
    public String describe() {
      return described;
    }

    @Override
    public Request request() {
      return request;
    }

    @Override
    public long bodyBytes() {
      return request.body().remaining();
    }

    @Override
    public boolean recover(Reply reply) throws IOException {
      String error = "";
      try {
        error = String.valueOf(Json.read(new String(reply.body(), UTF_8)).get("error"));
      } catch (IllegalArgumentException noJson) {
        error = "";
      }
      throw new StoreException(
          "%s: the server refuses, status %d%s"
              .formatted(
                  described, reply.status(), KNOWN.contains(error) ? " (" + error + ")" : ""));
    }
  }

  @Override
  public String toString() {
    return "Tokens";
  }
}
