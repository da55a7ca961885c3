package io.feedline.formats.remote.internal.hub;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.StoreException;
import io.feedline.formats.remote.internal.http.Body;
import io.feedline.formats.remote.internal.http.Reply;
import io.feedline.formats.remote.internal.http.Request;
import io.feedline.formats.remote.internal.http.Requests;
import io.feedline.formats.remote.internal.s3.AddressedCall;
import io.feedline.formats.remote.internal.s3.Addressing;
import io.feedline.formats.remote.internal.s3.HttpObjects;
import io.feedline.formats.remote.internal.s3.KeyText;
import io.feedline.formats.remote.internal.s3.ListingPage;
import io.feedline.formats.remote.internal.s3.PlainAddressing;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import io.feedline.internal.Json;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addressing of files of the Hugging Face hub. The commit of a revision is looked up once, and
 * all files are read at this commit. So an object does not change, and reading it needs no
 * condition. The version of an object is its hash in git or in Git LFS. The content lies on other
 * hosts, to which no token is sent. The address of a content is kept until the host refuses it.
 */
public final class HubAddressing implements Addressing {

  private static final Logger LOG = LoggerFactory.getLogger(HubAddressing.class);

  /** The limit of bytes of an answer about a revision, which lists all files. */
  private static final int MOST_OF_A_COMMIT = 1 << 26;

  private static final int MOST_PLACES = 10_000;

  /** The statuses with which another host may refuse an address whose signature has expired. */
  private static final Set<Integer> REFUSALS_OF_WHAT_IS_OLD = Set.of(400, 401, 403, 404, 410);

  private static final int PAGE_OBJECTS = 1000;

  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}");

  /**
   * The pattern of NAME@REVISION/PATH. A slash in a revision is written {@code %2F}, except in
   * revisions that begin with {@code refs/}.
   */
  private static final Pattern REPOSITORY =
      Pattern.compile(
          "(?<name>[^/@]+)(@(?<revision>refs/(convert|pr)/[^/]+|[^/]+))?(/(?<path>.*))?");

  private static final Pattern NEXT =
      Pattern.compile("<[^>]*[?&]cursor=([^&>]+)[^>]*>\\s*;\\s*rel=\"next\"");

  private final URI endpoint;
  private final Supplier<String> token;
  private final Requests requests;

  /** The known commits by {@code KIND/OWNER/NAME@REVISION}. */
  private final Map<String, String> commits = new ConcurrentHashMap<>();

  /** The addresses of contents on other hosts, by the hub's addresses that led to them. */
  private final Map<URI, URI> places = new ConcurrentHashMap<>();

  /**
   * Creates the addressing. {@code token} is called for each request, and returns the token or an
   * empty text. The caller closes {@code requests}.
   */
  public HubAddressing(URI endpoint, Supplier<String> token, Requests requests) {
    this.endpoint = endpoint;
    this.token = token;
    this.requests = requests;
  }

  /** A path in a repository at a revision; {@code spelled} is the URI's key before the path. */
  private record Place(
      String kind, String repository, String revision, String spelled, String path) {

    static Place of(URI uri) throws FileNotFoundException {
      String first = uri.getAuthority();
      String key = KeyText.key(uri);
      boolean isModel = !first.equals("datasets") && !first.equals("spaces");
      int slash = key.indexOf('/');
      String owner = isModel ? first : key.substring(0, Math.max(0, slash));
      Matcher rest = REPOSITORY.matcher(isModel ? key : key.substring(slash + 1));
      if (owner.isEmpty() || !rest.matches()) {
        throw new FileNotFoundException(
            uri + ": this names no repository, as hf://datasets/OWNER/NAME@REVISION/PATH does");
      }
      String path = rest.group("path") == null ? "" : rest.group("path");
      String spelled = key.substring(0, key.length() - path.length()).replaceAll("/$", "");
      return new Place(
          isModel ? "models" : first,
          owner + "/" + rest.group("name"),
          rest.group("revision") == null
              ? "main"
              : rest.group("revision").replaceAll("(?i)%2F", "/"),
          spelled,
          path.replaceAll("/$", ""));
    }
  }

  @Override
  public String server() {
    return endpoint.getHost().equals("huggingface.co") ? "" : endpoint.toString();
  }

  private URI address(Place place, String what, String path) {
    return URI.create(
        endpoint
            + KeyText.encoded("/api/" + place.kind + "/" + place.repository + "/" + what + "/")
            + path);
  }

  /** Returns the commit of a revision; asks the server only at the first call for a revision. */
  private String commit(URI uri, Place place) throws IOException {
    if (COMMIT.matcher(place.revision).matches()) {
      return place.revision;
    }
    String key = place.kind + "/" + place.repository + "@" + place.revision;
    String known = commits.get(key);
    if (known != null) {
      return known;
    }
    String described = uri + ", its revision";
    URI address = address(place, "revision", KeyText.encodedValue(place.revision));
    Reply reply =
        HttpObjects.await(
            requests.send(
                new AddressedCall(this, new Question("GET", address), described) {
                  @Override
                  public Body body(LongConsumer begun) {
                    return Body.upTo(MOST_OF_A_COMMIT, begun);
                  }

                  @Override
                  public boolean mayHedge() {
                    return true;
                  }

                  @Override
                  protected IOException meaning(Reply reply) {
                    String message =
                        "%s: the server refuses, %s. %s"
                            .formatted(described, reply.words(), advice(reply));
                    return reply.status() == 404
                        ? new FileNotFoundException(message)
                        : new StoreException(message);
                  }
                }),
            described);
    String commit = "";
    try {
      commit = String.valueOf(Json.read(new String(reply.body(), UTF_8)).get("sha"));
    } catch (IllegalArgumentException noJson) {
      LOG.debug("{}: no JSON", described);
    }
    if (!COMMIT.matcher(commit).matches()) {
      throw new StoreException(described + ": the server's answer has no commit; is this a hub?");
    }
    String before = commits.putIfAbsent(key, commit);
    if (before == null) {
      LOG.info("hf {} is read at its commit {}", key, commit);
    }
    return before == null ? commit : before;
  }

  @Override
  public URI object(URI uri) throws IOException {
    Place place = Place.of(uri);
    String path = place.kind.equals("models") ? "/" : "/" + place.kind + "/";
    URI address =
        URI.create(
            endpoint
                + KeyText.encoded(
                    path + place.repository + "/resolve/" + commit(uri, place) + "/" + place.path));
    return places.getOrDefault(address, address);
  }

  @Override
  public Question stat(URI uri) throws IOException {
    Place place = Place.of(uri);
    if (place.path.isEmpty()) {
      throw new FileNotFoundException(uri + ": this is a repository");
    }
    String body = Json.write(Map.of("paths", List.of(place.path)));
    return new Question(
        "POST",
        address(place, "paths-info", commit(uri, place)),
        Map.of("Content-Type", "application/json"),
        ByteBuffer.wrap(body.getBytes(UTF_8)));
  }

  @Override
  public RemoteObject found(URI uri, Reply reply) throws IOException {
    for (ListingPage.Entry each : listed(uri, reply).entries()) {
      if (each.object().uri().equals(uri)) {
        return each.object();
      }
    }
    throw new FileNotFoundException(uri + ": there is no such file in the repository");
  }

  @Override
  public Map<String, String> onlyAt(String version) {
    return Map.of();
  }

  @Override
  public Question page(URI prefix, String cursor, int most) throws IOException {
    Place place = Place.of(prefix);
    String path = commit(prefix, place) + (place.path.isEmpty() ? "" : "/" + place.path);
    return new Question(
        "GET",
        address(
            place,
            "tree",
            KeyText.encoded(path)
                + "?recursive="
                + (most == 0)
                + "&limit="
                + (most == 0 ? PAGE_OBJECTS : most)
                + (cursor.isEmpty() ? "" : "&cursor=" + cursor)));
  }

  /** Tests whether an answer is a page; the status 404 of an absent directory is an empty page. */
  @Override
  public boolean isPage(Reply reply) {
    return reply.isSuccess()
        || (reply.status() == 404 && reply.header("x-error-code").equals("EntryNotFound"));
  }

  @Override
  public ListingPage listed(URI prefix, Reply reply) throws IOException {
    if (!reply.isSuccess()) {
      return new ListingPage(List.of(), "");
    }
    String spelled = Place.of(prefix).spelled;
    List<ListingPage.Entry> entries = new ArrayList<>();
    try {
      for (Object each : (List<?>) Json.readValue(new String(reply.body(), UTF_8))) {
        Map<?, ?> entry = (Map<?, ?>) each;
        String key = spelled + "/" + (String) entry.get("path");
        Map<?, ?> large = (Map<?, ?>) entry.get("lfs");
        String version = (String) (large == null ? entry : large).get("oid");
        RemoteObject object =
            "directory".equals(entry.get("type"))
                ? new RemoteObject(KeyText.uri(prefix, key + "/"), 0, "")
                : new RemoteObject(KeyText.uri(prefix, key), (Long) entry.get("size"), version, "");
        entries.add(new ListingPage.Entry(object, Instant.MIN));
      }
    } catch (ClassCastException | NullPointerException | IllegalArgumentException wrong) {
      // The cause is left out, since it may quote what the server has sent.
      throw new StoreException(
          "%s: the server's answer of %d bytes is not a list of files; is this a hub?"
              .formatted(prefix, reply.body().length));
    }
    Matcher next = NEXT.matcher(reply.header("link"));
    return new ListingPage(entries, next.find() ? next.group(1) : "");
  }

  @Override
  public boolean listsInOrder() {
    return false;
  }

  @Override
  public Request request(String method, URI address, Map<String, String> headers, ByteBuffer body) {
    Map<String, String> all = PlainAddressing.common(headers);
    String secret = isHubs(address) ? token.get() : "";
    if (!secret.isEmpty()) {
      all.put("Authorization", "Bearer " + secret);
    }
    return new Request(method, address, all, body);
  }

  private boolean isHubs(URI address) {
    return Request.isSameServer(address, endpoint);
  }

  /** Returns a redirect's address; if another host refused {@code from}, the hub's address. */
  @Override
  public @Nullable URI redirected(URI from, Reply reply) {
    if (!reply.isRedirect()) {
      boolean mayBeOld = REFUSALS_OF_WHAT_IS_OLD.contains(reply.status()) && !isHubs(from);
      return mayBeOld ? forgotten(from) : null;
    }
    URI to = PlainAddressing.location(from, reply);
    if (to != null && isHubs(from) && !isHubs(to)) {
      if (places.size() >= MOST_PLACES) {
        places.clear();
      }
      places.put(from, to);
    }
    return to;
  }

  /** Forgets an address on another host; returns the hub's address that led there, or null. */
  private @Nullable URI forgotten(URI content) {
    for (URI from : List.copyOf(places.keySet())) {
      if (places.remove(from, content)) {
        return from;
      }
    }
    return null;
  }

  @Override
  public String advice(Reply reply) {
    boolean anonymous = token.get().isEmpty();
    return switch (reply.header("x-error-code")) {
      case "GatedRepo" ->
          anonymous
              ? "Its owner grants access on its page; set HF_TOKEN to the token of an account that"
                  + " has it"
              : "Its owner grants access on its page, which the token's account does not have";
      case "RepoNotFound" ->
          anonymous
              ? "There is no such repository, or it is private: set HF_TOKEN"
              : "There is no such repository, or the token gives no access to it";
      case "RevisionNotFound" -> "The repository has no such revision";
      default ->
          switch (reply.status()) {
            case 401, 403 ->
                anonymous
                    ? "It is read without a token: set HF_TOKEN"
                    : "The token is not valid, or gives no access";
            case 429 -> "The hub allows fewer requests; set HF_TOKEN, which allows more";
            default -> reply.isRedirect() ? "This redirect is not followed" : "It cannot be read";
          };
    };
  }
}
