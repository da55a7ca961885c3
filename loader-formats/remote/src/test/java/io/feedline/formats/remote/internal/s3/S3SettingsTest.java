package io.feedline.formats.remote.internal.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The settings of a user and the environment, and the addresses that follow from them. */
class S3SettingsTest {

  private static final Map<String, String> KEYS =
      Map.of("AWS_ACCESS_KEY_ID", "AKID", "AWS_SECRET_ACCESS_KEY", "secret");

  private static S3Settings of(Map<String, String> environment) {
    return S3Settings.of(new S3Settings.Given(), environment);
  }

  private static Map<String, String> anonymously(String... more) {
    Map<String, String> environment = new TreeMap<>(Map.of("AWS_NO_SIGN_REQUEST", "true"));
    for (int i = 0; i < more.length; i += 2) {
      environment.put(more[i], more[i + 1]);
    }
    return environment;
  }

  private static String address(S3Settings settings, String uri) {
    return new S3Addressing(settings).object(URI.create(uri)).toString();
  }

  @Test
  void shouldAddressAwsByDefault() {
    S3Settings settings = of(anonymously("AWS_REGION", "eu-west-1"));

    assertThat(address(settings, "s3://bucket/a%20b/c"))
        .isEqualTo("https://bucket.s3.eu-west-1.amazonaws.com/a%20b/c");
    assertThat(address(settings, "s3://my.bucket/c"))
        .isEqualTo("https://s3.eu-west-1.amazonaws.com/my.bucket/c");
    assertThat(address(of(anonymously("AWS_DEFAULT_REGION", "cn-north-1")), "s3://b1/c"))
        .isEqualTo("https://b1.s3.cn-north-1.amazonaws.com.cn/c");
    assertThat(of(anonymously()).region()).isEqualTo("us-east-1");
  }

  @Test
  void shouldTakeTheEndpointOfTheEnvironment() {
    S3Settings settings =
        of(
            anonymously(
                "AWS_ENDPOINT_URL", "http://general:1", "AWS_ENDPOINT_URL_S3", "http://s3:9000/"));
    assertThat(address(settings, "s3://bucket/a")).isEqualTo("http://s3:9000/bucket/a");
    assertThat(of(anonymously("AWS_ENDPOINT_URL", "https://general:1")).endpoint())
        .hasToString("https://general:1");
    assertThat(
            of(anonymously("AWS_ENDPOINT_URL", "x", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true"))
                .endpoint())
        .isNull();
    assertThatThrownBy(() -> of(anonymously("AWS_ENDPOINT_URL", "minio:9000")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("AWS_ENDPOINT_URL must be");
  }

  @Test
  void shouldPreferWhatTheUserSets() {
    S3Settings.Given given = new S3Settings.Given();
    given.endpoint = URI.create("http://mine:1");
    given.region = "mine-1";
    given.pathStyle = false;
    S3Settings settings =
        S3Settings.of(given, anonymously("AWS_ENDPOINT_URL", "http://x", "AWS_REGION", "y"));

    assertThat(address(settings, "s3://bucket/a")).isEqualTo("http://bucket.mine:1/a");
    assertThat(settings.region()).isEqualTo("mine-1");
  }

  @Test
  void shouldRefuseARegionThatIsNone() {
    assertThatThrownBy(() -> of(anonymously("AWS_REGION", "eu/../x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("eu-central-1");
  }

  @Test
  void shouldSignWithTheCredentialsOfTheEnvironment() throws IOException {
    Map<String, String> environment = new TreeMap<>(KEYS);
    environment.put("AWS_ENDPOINT_URL", "http://localhost:9000");
    environment.put("AWS_SESSION_TOKEN", "token");
    Map<String, String> headers =
        of(environment)
            .signer()
            .sign(
                "GET",
                URI.create("http://localhost:9000/b/a"),
                "us-east-1",
                Map.of(),
                HttpObjects.NO_BODY);

    assertThat(headers.get("Authorization")).contains("Credential=AKID/");
    assertThat(headers).containsEntry("x-amz-security-token", "token");
  }

  @Test
  void shouldListWithAQueryThatIsEncodedOnce() throws IOException {
    S3Addressing addressing = new S3Addressing(of(anonymously()));

    assertThat(addressing.page(URI.create("s3://bucket/a%20b/"), "1/+=", 0).address())
        .hasToString(
            "https://bucket.s3.us-east-1.amazonaws.com/?continuation-token=1%2F%2B%3D"
                + "&encoding-type=url&list-type=2&prefix=a%20b%2F");
  }
}
