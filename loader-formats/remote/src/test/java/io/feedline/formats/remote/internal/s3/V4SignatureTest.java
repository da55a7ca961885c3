package io.feedline.formats.remote.internal.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.remote.RemoteFileSystem.S3Credentials;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;

class V4SignatureTest {

  /** Requests as they are sent here, signed by AWS's own module as well. */
  @Test
  void shouldSignAsTheModuleOfAwsDoes() {
    Random random = new Random(14);
    Instant now = Instant.parse("2026-11-22T12:34:56Z");
    S3Credentials credentials = new S3Credentials("AKIATEST", "some/secret", "some+token/=");
    List<String> keys = List.of("a", "a b+c%d/ü\u20ac", "!$&'()*,;=@:", "#?[]{}|^`\"<>", "~-._/x");
    List<String> hosts =
        List.of("https://b.s3.eu-central-1.amazonaws.com", "http://localhost:9000", "http://h:80");
    for (int i = 0; i < 200; i++) {
      TreeMap<String, String> query = new TreeMap<>();
      for (String name : List.of("uploads", "partNumber", "prefix", "uploadId", "max-keys")) {
        if (random.nextInt(3) == 0) {
          query.put(name, name.equals("uploads") ? "" : keys.get(random.nextInt(keys.size())));
        }
      }
      StringBuilder address = new StringBuilder(hosts.get(random.nextInt(hosts.size())));
      address.append('/').append(KeyText.encoded(keys.get(random.nextInt(keys.size()))));
      char separator = '?';
      for (Map.Entry<String, String> each : query.entrySet()) {
        address.append(separator).append(each.getKey()).append('=');
        address.append(KeyText.encodedValue(each.getValue()));
        separator = '&';
      }
      Map<String, String> headers =
          i % 2 == 0 ? Map.of() : Map.of("Range", "bytes=1-2", "If-Match", "\"a  b\"");
      byte[] body = new byte[random.nextInt(4) * 100];
      random.nextBytes(body);
      ByteBuffer within = ByteBuffer.allocate(body.length + 1).put(1, body).position(1);
      String method = List.of("GET", "PUT", "POST", "DELETE", "HEAD").get(random.nextInt(5));
      URI uri = URI.create(address.toString());

      assertThat(V4Signature.of(credentials, "eu-test-1", now, method, uri, headers, within))
          .as("%s %s", method, uri)
          .isEqualTo(byAws(credentials, "eu-test-1", now, method, uri, headers, body));
      assertThat(within.position()).isEqualTo(1);
    }
  }

  private static Map<String, String> byAws(
      S3Credentials credentials,
      String region,
      Instant now,
      String method,
      URI address,
      Map<String, String> headers,
      byte[] body) {
    SdkHttpRequest.Builder request =
        SdkHttpRequest.builder().uri(address).method(SdkHttpMethod.fromValue(method));
    headers.forEach(request::putHeader);
    AwsSessionCredentials identity =
        AwsSessionCredentials.create(
            credentials.accessKeyId(), credentials.secretAccessKey(), credentials.sessionToken());
    Map<String, String> added = new HashMap<>();
    AwsV4HttpSigner.create()
        .sign(
            to ->
                to.identity(identity)
                    .request(request.build())
                    .payload(() -> new ByteArrayInputStream(body))
                    .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(now, ZoneOffset.UTC))
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                    .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                    .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false))
        .request()
        .forEachHeader(
            (name, values) -> {
              String lower = name.toLowerCase(Locale.ROOT);
              if (lower.equals("authorization")) {
                added.put("Authorization", values.get(0));
              } else if (lower.startsWith("x-amz-")) {
                added.put(lower, values.get(0));
              }
            });
    return added;
  }
}
