package io.feedline.formats.remote.internal.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.formats.remote.internal.http.Reply;
import io.feedline.formats.store.internal.files.Sha256;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The addressing of a single file by an address with a query, such as a signed URL. */
public final class SignedAddressing extends PlainAddressing {

  /** The pattern of query parameters that belong to a signature, and do not select a content. */
  private static final Pattern SIGNING =
      Pattern.compile(
          "(?i)(x-(amz|goog)-.*|awsaccesskeyid|googleaccessid|signature|expires|policy"
              + "|key-pair-id|sv|sr|sp|se|st|sip|spr|sig|ske|skoid|sks|skt|sktid|skv|token)=.*");

  private static final Pattern SIZE = Pattern.compile("bytes 0-0/([0-9]{1,18})");

  private final URI file;
  private final String query;

  public SignedAddressing(URI file, String query) {
    this.file = file;
    this.query = query;
  }

  /** Returns a hash of the query parameters that select a content, for the keys of a cache. */
  @Override
  public String server() {
    String choosing =
        Arrays.stream(query.split("&", -1))
            .filter(each -> !SIGNING.matcher(each).matches())
            .sorted()
            .collect(Collectors.joining("&"));
    return choosing.isEmpty() ? "" : Sha256.of(choosing.getBytes(UTF_8));
  }

  @Override
  public URI object(URI uri) {
    return URI.create(uri + "?" + query);
  }

  /** Returns a request for the first byte by GET, since the signature may not allow HEAD. */
  @Override
  public Question stat(URI uri) throws IOException {
    if (!uri.equals(file)) {
      throw new FileNotFoundException(uri + ": only what is signed is read beside it");
    }
    return new Question("GET", object(uri), Map.of("Range", "bytes=0-0"), HttpObjects.NO_BODY);
  }

  @Override
  public boolean isFound(Reply reply) {
    return reply.isSuccess() || isEmpty(reply);
  }

  private static boolean isEmpty(Reply reply) {
    return reply.status() == 416 && reply.header("content-range").equals("bytes */0");
  }

  @Override
  public RemoteObject found(URI uri, Reply reply) throws IOException {
    Matcher size = SIZE.matcher(reply.header("content-range"));
    boolean ranged = reply.status() == 206 && size.matches();
    return Addressing.found(
        uri, reply, ranged ? size.group(1) : isEmpty(reply) ? "0" : reply.header("content-length"));
  }

  @Override
  public String advice(Reply reply) {
    return switch (reply.status()) {
      case 400, 401, 403 -> "The address is signed: its signature may have expired";
      default -> super.advice(reply);
    };
  }
}
