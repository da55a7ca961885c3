package io.feedline.formats.remote.internal.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import io.feedline.internal.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Google's store: generations, resumable uploads, and the flows that give tokens. */
@Timeout(60)
class GoogleTest {

  @TempDir private Path disk;
  @AutoClose private final StubGoogle stub = new StubGoogle();
  private final ConcurrentLinkedDeque<Map<String, String>> asked = new ConcurrentLinkedDeque<>();
  private final AtomicInteger busy = new AtomicInteger();
  private final AtomicInteger number = new AtomicInteger();
  @AutoClose private final LocalServer tokens = new LocalServer(this::token);

  @BeforeEach
  void fill() {
    stub.put("train/a.bin", new byte[] {1, 2, 3});
  }

  private void token(HttpExchange exchange) throws IOException {
    if (busy.getAndDecrement() > 0) {
      StubStore.send(exchange, 503, "");
      return;
    }
    Map<String, String> form = new HashMap<>();
    form.put("path", exchange.getRequestURI().getPath());
    form.put("flavor", exchange.getRequestHeaders().getFirst("Metadata-Flavor"));
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII);
    form.put("body", body);
    form.putAll(body.contains("=") ? StubStore.query(body) : Map.of());
    asked.add(form);
    form.put("authorization", exchange.getRequestHeaders().getFirst("Authorization"));
    if (form.get("path").equals("/subject")) {
      StubStore.send(exchange, 200, "{\"id\": \"subject-of-url\"}");
      return;
    }
    String token = "token-" + number.incrementAndGet();
    stub.token(token);
    Map<String, Object> answer =
        form.get("path").endsWith(":generateAccessToken")
            ? Map.of("accessToken", token, "expireTime", "2999-01-01T00:00:00Z")
            : Map.of("access_token", token, "expires_in", 3599);
    StubStore.send(exchange, 200, Json.write(answer));
  }

  private String host() {
    return tokens.endpoint().getAuthority();
  }

  private ObjectFileSystem open(Map<String, String> environment, Map<String, ?> options) {
    return new ObjectFileSystemBuilder(URI.create("gs://bucket/"))
        .policy(StubStore.quick())
        .environment(environment)
        .partBytes(1 << 18)
        .options(Map.of("endpoint", stub.endpoint()))
        .options(options)
        .build();
  }

  private ObjectFileSystem open() {
    return open(Map.of(), Map.of("token", StubGoogle.TOKEN));
  }

  private ObjectFileSystem openByMetadataServer() {
    return open(Map.of("GCE_METADATA_HOST", host(), "CLOUDSDK_CONFIG", disk.toString()), Map.of());
  }

  @Test
  void shouldSendALargeObjectThatIsCutOffInTheMiddle() throws IOException {
    byte[] large = new byte[(1 << 20) + 77];
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) (i / 1000);
    }
    Set<String> ranges = ConcurrentHashMap.newKeySet();
    stub.fault(
        (exchange, number) ->
            exchange.getRequestURI().getPath().startsWith("/upload/")
                && ranges.add("" + exchange.getRequestHeaders().getFirst("Content-Range"))
                && StubStore.refuse(exchange, 503, "ServiceUnavailable"));
    try (ObjectFileSystem files = open()) {
      ObjectOutput object = ObjectOutput.of(files.getPath("large"));
      try (ObjectOutput.Upload upload = object.upload()) {
        upload.write(large);
        upload.complete(ObjectOutput.ABSENT);
      }
      assertThat(Files.readAllBytes(files.getPath("large"))).isEqualTo(large);
      try (ObjectOutput.Upload givenUp = object.upload()) {
        givenUp.write(large);
      }
    }
    assertThat(stub.sessions()).as("the completed one").isEqualTo(1);
  }

  @Test
  void shouldSignWithTheKeyOfAServiceAccount() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair keys = generator.generateKeyPair();
    String pem =
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(keys.getPrivate().getEncoded())
            + "\n-----END PRIVATE KEY-----\n";
    Path file = disk.resolve("key.json");
    Files.writeString(
        file,
        Json.write(
            Map.of(
                "type",
                "service_account",
                "client_email",
                "me@project.iam.gserviceaccount.com",
                "private_key",
                pem,
                "token_uri",
                "http://" + host() + "/token")));
    try (ObjectFileSystem files =
        open(Map.of("GOOGLE_APPLICATION_CREDENTIALS", file.toString()), Map.of())) {
      assertThat(Files.size(files.getPath("train/a.bin"))).isEqualTo(3);
      assertThat(Files.readAllBytes(files.getPath("train/a.bin"))).hasSize(3);
    }
    assertThat(asked).hasSize(1);
    Map<String, String> form = asked.peek();
    assertThat(form.get("grant_type")).isEqualTo("urn:ietf:params:oauth:grant-type:jwt-bearer");
    String[] jwt = form.get("assertion").split("\\.", -1);
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initVerify(keys.getPublic());
    signature.update((jwt[0] + "." + jwt[1]).getBytes(StandardCharsets.US_ASCII));
    assertThat(signature.verify(Base64.getUrlDecoder().decode(jwt[2]))).isTrue();
    Map<String, Object> claims =
        Json.read(new String(Base64.getUrlDecoder().decode(jwt[1]), StandardCharsets.UTF_8));
    assertThat(claims)
        .containsEntry("iss", "me@project.iam.gserviceaccount.com")
        .containsEntry("aud", "http://" + host() + "/token");
  }

  /** The configuration of a workload's identity, as gcloud makes it. */
  private Path federated(Map<String, Object> source, boolean asAccount) throws IOException {
    Map<String, Object> credentials = new HashMap<>();
    credentials.put("type", "external_account");
    credentials.put("audience", "//iam.googleapis.com/projects/1/locations/global/x");
    credentials.put("subject_token_type", "urn:ietf:params:oauth:token-type:jwt");
    credentials.put("token_url", "http://" + host() + "/v1/token");
    credentials.put("credential_source", source);
    if (asAccount) {
      credentials.put(
          "service_account_impersonation_url",
          "http://" + host() + "/v1/projects/-/serviceAccounts/me@p.iam:generateAccessToken");
      credentials.put("service_account_impersonation", Map.of("token_lifetime_seconds", 1800));
    }
    return Files.writeString(disk.resolve("federated.json"), Json.write(credentials));
  }

  @Test
  void shouldExchangeTheTokenOfAnotherProviderInAFile() throws IOException {
    Path subject = Files.writeString(disk.resolve("subject"), "subject-of-file\n");
    size(federated(Map.of("file", subject.toString()), false));
    assertThat(asked).hasSize(1);
    assertThat(asked.poll())
        .containsEntry("path", "/v1/token")
        .containsEntry("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange")
        .containsEntry("audience", "//iam.googleapis.com/projects/1/locations/global/x")
        .containsEntry("subject_token_type", "urn:ietf:params:oauth:token-type:jwt")
        .containsEntry("requested_token_type", "urn:ietf:params:oauth:token-type:access_token")
        .containsEntry("scope", "https://www.googleapis.com/auth/devstorage.read_write")
        .containsEntry("subject_token", "subject-of-file");
  }

  @Test
  void shouldBecomeAServiceAccountByTheTokenOfAnAddress() throws IOException {
    Map<String, Object> source =
        Map.of(
            "url", "http://" + host() + "/subject",
            "headers", Map.of("Metadata-Flavor", "Google"),
            "format", Map.of("type", "json", "subject_token_field_name", "id"));
    size(federated(source, true));
    assertThat(asked).hasSize(3);
    assertThat(asked.poll()).containsEntry("path", "/subject").containsEntry("flavor", "Google");
    assertThat(asked.poll())
        .containsEntry("subject_token", "subject-of-url")
        .containsEntry("scope", "https://www.googleapis.com/auth/cloud-platform");
    Map<String, String> last = asked.poll();
    assertThat(last).containsEntry("authorization", "Bearer token-1");
    assertThat(last.get("path")).endsWith("/me@p.iam:generateAccessToken");
    assertThat(Json.read(last.get("body")))
        .containsEntry("lifetime", "1800s")
        .containsEntry("scope", List.of("https://www.googleapis.com/auth/devstorage.read_write"));
  }

  @Test
  void shouldSayWhatIsWrongWithAFederatedIdentity() throws IOException {
    Path aws = federated(Map.of("environment_id", "aws1"), false);
    requireRefused(aws, aws.toString(), "the sources file and url are read");
    Path address = federated(Map.of("url", "MARKER:x y"), false);
    requireRefused(address, "url of these credentials is no http address");
    Path subject = Files.writeString(disk.resolve("subject"), "MARKER");
    Path json =
        federated(Map.of("file", subject.toString(), "format", Map.of("type", "json")), false);
    requireRefused(json, "is no JSON");
    assertThat(asked).isEmpty();
  }

  @Test
  void shouldAskTheMetadataServerAndAgainWhereItIsBusyOrATokenIsRefused() throws IOException {
    busy.set(2);
    try (ObjectFileSystem files = openByMetadataServer()) {
      assertThat(Files.size(files.getPath("train/a.bin"))).isEqualTo(3);
      stub.token("one that nobody has");
      assertThat(Files.readAllBytes(files.getPath("train/a.bin"))).hasSize(3);
    }
    assertThat(asked)
        .hasSize(2)
        .allMatch(each -> "Google".equals(each.get("flavor")))
        .allMatch(each -> each.get("path").endsWith("/service-accounts/default/token"));
  }

  @Test
  void shouldSayWhichCredentialsCannotBe() throws IOException {
    Path file = Files.writeString(disk.resolve("a.json"), "{\"type\":\"gdch_service_account\"}");
    requireRefused(file, file.toString(), "service_account", "external_account");
    Path broken = Files.writeString(disk.resolve("b.json"), "{\"private_key\":\"MARKER");
    requireRefused(broken, "no JSON");
    Path key =
        Files.writeString(
            disk.resolve("c.json"),
            "{\"type\":\"service_account\",\"client_email\":\"a\",\"private_key\":\"MARKER!\"}");
    requireRefused(key, "the private key");
    assertThatThrownBy(() -> open(Map.of(), Map.of("token", "a\nb")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private void requireRefused(Path credentials, String... words) {
    assertThatThrownBy(() -> size(credentials))
        .hasMessageContainingAll(words)
        .hasMessageNotContaining("MARKER");
  }

  private void size(Path credentials) throws IOException {
    try (ObjectFileSystem files =
        open(Map.of("GOOGLE_APPLICATION_CREDENTIALS", credentials.toString()), Map.of())) {
      Files.size(files.getPath("train/a.bin"));
    }
  }
}
