package io.feedline.formats.remote.internal.s3;

import io.feedline.formats.remote.RemoteFileSystem.S3Credentials;
import io.feedline.formats.remote.internal.http.Request;
import io.feedline.formats.store.internal.files.Sha256;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The signature of requests to S3: AWS Signature Version 4, in the header {@code Authorization}.
 *
 * <p>Source: Amazon S3 API Reference, "Authenticating Requests: Using the Authorization Header (AWS
 * Signature Version 4)". AWS's own module is not used, since it logs the session token.
 */
public final class V4Signature {

  private static final String ALGORITHM = "AWS4-HMAC-SHA256";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private V4Signature() {}

  /** Returns the headers that sign a request, with all given headers and the body. */
  static Map<String, String> of(
      S3Credentials credentials,
      String region,
      Instant now,
      String method,
      URI address,
      Map<String, String> headers,
      ByteBuffer body) {
    String time = TIME.format(now);
    Map<String, String> added = new LinkedHashMap<>();
    added.put("x-amz-content-sha256", hex(sha256(body.duplicate())));
    added.put("x-amz-date", time);
    if (!credentials.sessionToken().isEmpty()) {
      added.put("x-amz-security-token", credentials.sessionToken());
    }
    TreeMap<String, String> signed = new TreeMap<>(added);
    signed.put("host", Request.authority(address));
    headers.forEach((name, value) -> signed.put(name.toLowerCase(Locale.ROOT), value));

    StringBuilder request = new StringBuilder();
    request.append(method).append('\n');
    request.append('/').append(KeyText.encoded(KeyText.key(address))).append('\n');
    request.append(query(address)).append('\n');
    signed.forEach(
        (name, value) ->
            request
                .append(name)
                .append(':')
                .append(value.strip().replaceAll(" +", " "))
                .append('\n'));
    String names = String.join(";", signed.keySet());
    request.append('\n').append(names).append('\n').append(added.get("x-amz-content-sha256"));

    String date = time.substring(0, 8);
    String scope = date + "/" + region + "/s3/aws4_request";
    String toSign =
        ALGORITHM
            + '\n'
            + time
            + '\n'
            + scope
            + '\n'
            + hex(sha256(ByteBuffer.wrap(utf8(request.toString()))));
    byte[] key = utf8("AWS4" + credentials.secretAccessKey());
    for (String each : new String[] {date, region, "s3", "aws4_request"}) {
      key = hmac(key, each);
    }
    added.put(
        "Authorization",
        "%s Credential=%s/%s, SignedHeaders=%s, Signature=%s"
            .formatted(ALGORITHM, credentials.accessKeyId(), scope, names, hex(hmac(key, toSign))));
    return added;
  }

  private static String query(URI address) {
    if (address.getRawQuery() == null) {
      return "";
    }
    TreeSet<String> parameters = new TreeSet<>();
    for (String each : address.getRawQuery().split("&", -1)) {
      int equals = each.indexOf('=');
      String name = equals < 0 ? each : each.substring(0, equals);
      String value = equals < 0 ? "" : each.substring(equals + 1);
      // Unlike an equals sign, a space sorts before all characters of names.
      parameters.add(encoded(name) + ' ' + encoded(value));
    }
    return String.join("&", parameters).replace(' ', '=');
  }

  private static String encoded(String encodedSomehow) {
    return KeyText.encodedValue(
        URLDecoder.decode(encodedSomehow.replace("+", "%2B"), StandardCharsets.UTF_8));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static byte[] sha256(ByteBuffer bytes) {
    MessageDigest digest = Sha256.digest();
    digest.update(bytes);
    return digest.digest();
  }

  public static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(utf8(text));
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError("every JDK has HmacSHA256", impossible);
    }
  }
}
