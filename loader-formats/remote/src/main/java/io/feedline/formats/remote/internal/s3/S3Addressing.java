package io.feedline.formats.remote.internal.s3;

import io.feedline.formats.remote.internal.http.ErrorCode;
import io.feedline.formats.remote.internal.http.Reply;
import io.feedline.formats.remote.internal.http.Request;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Pattern;

/** The addressing of S3's API; follows an answer that names another region of the bucket. */
public final class S3Addressing implements Addressing {

  private static final Set<String> TOO_OLD =
      Set.of("ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "RequestExpired");

  /** The pattern of a region such as us-gov-west-1, which is taken from a server's answer. */
  private static final Pattern REGION = Pattern.compile("[a-z]{2,4}(-[a-z]{2,12}){1,3}-[0-9]{1,2}");

  private final S3Settings settings;
  private volatile String region;

  public S3Addressing(S3Settings settings) {
    this.settings = settings;
    this.region = settings.region();
  }

  @Override
  public String server() {
    return settings.endpoint() == null ? "" : settings.endpoint().toString();
  }

  @Override
  public URI object(URI uri) {
    return URI.create(bucket(uri.getRawAuthority()) + rawPath(uri));
  }

  private static String rawPath(URI uri) {
    return "/" + KeyText.encoded(KeyText.key(uri));
  }

  @Override
  public boolean isWritable() {
    return true;
  }

  @Override
  public String permissions() {
    return "Writing takes s3:PutObject, s3:GetObject, s3:DeleteObject, s3:ListBucket,"
        + " s3:ListBucketMultipartUploads and s3:AbortMultipartUpload";
  }

  @Override
  public URI bucket(URI of, SortedMap<String, String> query) {
    String bucket = bucket(of.getRawAuthority());
    return URI.create(bucket + (settings.pathStyle() ? "" : "/") + KeyText.query(query));
  }

  private String bucket(String name) {
    URI endpoint = settings.endpoint();
    boolean pathStyle =
        settings.pathStyle() || (endpoint == null && (name.contains(".") || name.contains("_")));
    if (endpoint == null) {
      String host =
          "s3." + region + (region.startsWith("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com");
      return pathStyle ? "https://" + host + "/" + name : "https://" + name + "." + host;
    }
    if (pathStyle) {
      return endpoint + "/" + name;
    }
    return endpoint.getScheme()
        + "://"
        + name
        + "."
        + endpoint.getRawAuthority()
        + endpoint.getRawPath();
  }

  @Override
  public Request request(String method, URI address, Map<String, String> headers, ByteBuffer body)
      throws IOException {
    Map<String, String> all = PlainAddressing.common(headers);
    all.putAll(settings.signer().sign(method, address, region, headers, body));
    return new Request(method, address, all, body);
  }

  @Override
  public URI redirected(URI from, Reply reply) {
    if (!reply.isRedirect() && reply.status() != 400) {
      return null;
    }
    String told = reply.header("x-amz-bucket-region");
    if (settings.endpoint() == null && REGION.matcher(told).matches() && !told.equals(region)) {
      String before = region;
      region = told;
      return URI.create(from.toString().replaceFirst("s3\\." + before + "\\.", "s3." + told + "."));
    }
    URI to = reply.isRedirect() ? PlainAddressing.location(from, reply) : null;
    // A signed request follows a redirect only to the same server or within AWS.
    boolean trusted =
        to != null
            && (settings.signer() == Signer.NONE
                || to.getRawAuthority().equalsIgnoreCase(from.getRawAuthority())
                || (isAws(to) && isAws(from)));
    return trusted ? to : null;
  }

  private static boolean isAws(URI uri) {
    String host = uri.getHost().toLowerCase(Locale.ROOT);
    return host.endsWith(".amazonaws.com") || host.endsWith(".amazonaws.com.cn");
  }

  /**
   * Renews the credentials after a refusal. An answer to HEAD has no body and so no code, so a
   * refusal without a code may also mean that the credentials have expired.
   */
  @Override
  public boolean renew(Reply reply, long signedNanos) throws IOException {
    boolean refused = reply.status() == 400 || reply.status() == 401 || reply.status() == 403;
    String code = ErrorCode.of(reply.body());
    return refused
        && (code.isEmpty() || TOO_OLD.contains(code))
        && settings.signer().renew(signedNanos);
  }

  @Override
  public String advice(Reply reply) {
    return switch (ErrorCode.of(reply.body())) {
      case "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired" ->
          "The credentials are too old, and there are no new ones";
      case "RequestTimeTooSkewed" -> "The clock of this machine is wrong";
      case "SignatureDoesNotMatch" -> "AWS_SECRET_ACCESS_KEY does not fit AWS_ACCESS_KEY_ID";
      case "InvalidAccessKeyId" -> "AWS_ACCESS_KEY_ID is not known there";
      case "PermanentRedirect", "AuthorizationHeaderMalformed", "TemporaryRedirect" ->
          "The region (%s) or the endpoint is wrong; see AWS_REGION, AWS_ENDPOINT_URL_S3"
              .formatted(settings.region());
      default ->
          reply.status() == 400 && server().startsWith("http:")
              ? "Servers that expect https:// answer so to http://; see the endpoint"
              : reply.isRedirect()
                  ? "This redirect is not followed; see AWS_ENDPOINT_URL_S3"
                  : settings.signer() == Signer.NONE
                      ? "It is read without credentials (anonymous)"
                      : "See the credentials' permissions, s3:GetObject and s3:ListBucket";
    };
  }
}
