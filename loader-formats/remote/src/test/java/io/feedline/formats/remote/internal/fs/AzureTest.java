package io.feedline.formats.remote.internal.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.remote.internal.azure.AzureAddressing;
import io.feedline.formats.remote.internal.azure.AzureSettings;
import io.feedline.formats.remote.internal.http.Request;
import io.feedline.formats.remote.internal.s3.HttpObjects;
import io.feedline.formats.remote.internal.s3.V4Signature;
import io.feedline.internal.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Azure's blobs: accounts and credentials. What is read and written has Azurite. */
@Timeout(60)
class AzureTest {

  private static final URI ROOT = URI.create("az://data/");
  private static final String ACCOUNT = "AZURE_STORAGE_ACCOUNT";
  private static final String SAS = "AZURE_STORAGE_SAS_TOKEN";

  @TempDir private Path disk;

  /**
   * Returns the request for an object, by variables of the environment that alternate with values.
   */
  private static Request request(URI root, String... variables) throws IOException {
    Map<String, String> environment = new HashMap<>();
    for (int i = 0; i < variables.length; i += 2) {
      environment.put(variables[i], variables[i + 1]);
    }
    AzureAddressing addressing = AzureSettings.of(root, null, Map.of(), null, environment);
    return addressing.request(
        "GET", addressing.object(URI.create(root + "a%20b.tar")), Map.of(), HttpObjects.NO_BODY);
  }

  @Test
  void shouldTakeAccountAndKeyOfTheEnvironment() throws IOException {
    Request apart = request(ROOT, ACCOUNT, "pictures", "AZURE_STORAGE_KEY", AzuriteProcess.KEY);
    Request together =
        request(
            ROOT,
            "AZURE_STORAGE_CONNECTION_STRING",
            "DefaultEndpointsProtocol=https;AccountName=pictures;AccountKey=%s;EndpointSuffix=core.windows.net"
                .formatted(AzuriteProcess.KEY));
    for (Request request : List.of(apart, together)) {
      assertThat(request.address())
          .hasToString("https://pictures.blob.core.windows.net/data/a%20b.tar");
      assertThat(request.headers().get("Authorization")).startsWith("SharedKey pictures:");
    }
  }

  @Test
  void shouldAppendASharedAccessSignatureToAddressesOfItsAccount() throws IOException {
    Request request = request(ROOT, ACCOUNT, "pictures", SAS, "?sv=1&sig=MARKER");
    assertThat(request.address())
        .hasToString("https://pictures.blob.core.windows.net/data/a%20b.tar?sv=1&sig=MARKER");
    assertThat(request.headers()).doesNotContainKey("Authorization");
    for (String account : List.of("pictures", "other")) {
      URI root = URI.create("https://" + account + ".blob.core.windows.net/");
      Request of = request(root, ACCOUNT, "pictures", SAS, "sv=1&sig=MARKER");
      assertThat(of.address().toString().contains("MARKER")).isEqualTo(account.equals("pictures"));
    }
  }

  @Test
  void shouldGetATokenOfEntra() throws IOException {
    ConcurrentLinkedDeque<String> asked = new ConcurrentLinkedDeque<>();
    Path assertion = Files.writeString(disk.resolve("assertion"), "federated");
    try (LocalServer tokens =
        new LocalServer(
            exchange -> {
              byte[] body = exchange.getRequestBody().readAllBytes();
              asked.add(
                  exchange.getRequestURI()
                      + " %s ".formatted(exchange.getRequestHeaders().getFirst("X-IDENTITY-HEADER"))
                      + new String(body, StandardCharsets.US_ASCII));
              StubStore.send(
                  exchange, 200, "{\"access_token\":\"eyMARKER\",\"expires_in\":\"3599\"}");
            })) {
      String host = tokens.endpoint().toString();
      String[] client = {
        ACCOUNT,
        "pictures",
        "AZURE_TENANT_ID",
        "tenant",
        "AZURE_CLIENT_ID",
        "client",
        "AZURE_AUTHORITY_HOST",
        host,
        "AZURE_CLIENT_SECRET",
        "s+cret"
      };
      assertThat(request(ROOT, client).headers().get("Authorization")).isEqualTo("Bearer eyMARKER");
      client[8] = "AZURE_FEDERATED_TOKEN_FILE";
      client[9] = assertion.toString();
      assertThat(request(ROOT, client).headers()).containsKey("Authorization");
      String[] managed = {
        ACCOUNT, "pictures", "IDENTITY_ENDPOINT", host + "/msi/token", "IDENTITY_HEADER", "header"
      };
      assertThat(request(ROOT, managed).headers()).containsKey("Authorization");
    }
    assertThat(asked).hasSize(3);
    assertThat(asked.poll())
        .startsWith("/tenant/oauth2/v2.0/token")
        .contains("client_id=client&client_secret=s%2Bcret&grant_type=client_credentials");
    assertThat(asked.poll()).contains("client_assertion=federated");
    assertThat(asked.poll())
        .isEqualTo(
            "/msi/token?api-version=2019-08-01&resource=https%3A%2F%2Fstorage.azure.com%2F header ");
  }

  @Test
  void shouldSayWhatIsMissingOrCannotBe() {
    assertThatThrownBy(() -> request(ROOT))
        .hasMessageContainingAll("az:// needs an account", "AZURE_STORAGE_ACCOUNT");
    assertThatThrownBy(() -> request(ROOT, ACCOUNT, "pictures", "AZURE_STORAGE_KEY", "MARKER!"))
        .hasMessageContaining("not Base64")
        .hasMessageNotContaining("MARKER");
    assertThatThrownBy(() -> request(ROOT, ACCOUNT, "pictures", SAS, "MARKER"))
        .hasMessageContaining("sig=")
        .hasMessageNotContaining("MARKER");
  }

  private static ObjectFileSystemBuilder builder(StubStore store) {
    return new ObjectFileSystemBuilder(URI.create("az://bucket/"))
        .policy(StubStore.quick())
        .environment(Map.of())
        .options(Map.of("endpoint", store.endpoint(), "account", "pictures"));
  }

  /** The account takes a token for no more than 15 requests; only a new one reads on. */
  @Test
  void shouldReadAnEpochInWhichTokensExpire() throws Exception {
    AtomicInteger valid = new AtomicInteger();
    AtomicInteger asked = new AtomicInteger();
    // HEAD and GET with ETags are S3's as well as Azure's.
    try (LocalServer tokens =
            new LocalServer(
                exchange -> {
                  asked.incrementAndGet();
                  String token = "token-" + valid.get();
                  StubStore.send(
                      exchange, 200, Json.write(Map.of("access_token", token, "expires_in", 3599)));
                });
        StubStore store = new StubStore();
        ObjectFileSystem files =
            builder(store)
                .environment(
                    Map.of("IDENTITY_ENDPOINT", tokens.endpoint() + "/t", "IDENTITY_HEADER", "h"))
                .build()) {
      store.fault(
          (exchange, number) -> {
            int now = number % 16 == 15 ? valid.incrementAndGet() : valid.get();
            return !exchange.getRequestHeaders().getFirst("Authorization").endsWith("-" + now)
                && StubStore.send(
                    exchange, 401, "", "x-ms-error-code", "InvalidAuthenticationInfo");
          });
      List<Path> paths = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        store.put("epoch/%02d.bin".formatted(i), new byte[] {(byte) i});
        paths.add(files.getPath("epoch/%02d.bin".formatted(i)));
      }
      assertThat(StubStore.firstBytes(paths)).isEqualTo(LongStream.range(0, 60).boxed().toList());
    }
    assertThat(asked.get()).isBetween(3, 60);
  }

  @Test
  void shouldListSeveralPagesOfBlobs() throws IOException {
    try (StubStore store = new StubStore();
        ObjectFileSystem files = builder(store).options(Map.of("anonymous", "true")).build()) {
      store.fault(
          (exchange, number) -> {
            if (exchange.getRequestMethod().equals("HEAD")) {
              return false; // there is no such blob
            }
            String marker =
                exchange.getRequestURI().getQuery().replaceAll(".*&marker=([0-9]+).*|.*", "$1");
            int first = marker.isEmpty() ? 0 : Integer.parseInt(marker);
            StringBuilder xml = new StringBuilder("\uFEFF<EnumerationResults><Blobs>");
            for (int i = first; i < first + 100; i++) {
              xml.append(
                  "<Blob><Name>many/%02d/%03d</Name><Properties><Content-Length>%d</Content-Length><Etag>0x%x</Etag></Properties></Blob>"
                      .formatted(i / 10, i, i, i));
            }
            String next = first < 200 ? Integer.toString(first + 100) : "";
            xml.append("</Blobs><NextMarker>%s</NextMarker></EnumerationResults>".formatted(next));
            return StubStore.send(exchange, 200, xml.toString());
          });
      try (Stream<Path> all = Files.walk(files.getPath("many"))) {
        assertThat(all.filter(Files::isRegularFile).count()).isEqualTo(300);
      }
      assertThat(Files.size(files.getPath("many/29/298"))).isEqualTo(298);
    }
  }

  /** A signature for a container, by "Create a service SAS" of Azure's documentation. */
  private static String signature(String permissions, Instant end) {
    String expiry = end.truncatedTo(ChronoUnit.SECONDS).toString();
    String version = "2021-12-02";
    String resource = "/blob/" + AzuriteProcess.ACCOUNT + "/bucket";
    String signed =
        String.join("\n", permissions, "", expiry, resource, "\n\n", version, "c" + "\n".repeat(7));
    byte[] made = V4Signature.hmac(Base64.getDecoder().decode(AzuriteProcess.KEY), signed);
    return "sv=%s&sr=c&sp=%s&se=%s&sig=%s"
        .formatted(
            version,
            permissions,
            URLEncoder.encode(expiry, StandardCharsets.UTF_8),
            URLEncoder.encode(Base64.getEncoder().encodeToString(made), StandardCharsets.UTF_8));
  }

  @Test
  void shouldReadAndWriteWhatASignatureAllows() throws Exception {
    try (AzuriteProcess azurite = AzuriteProcess.start()) {
      azurite.makeContainer("bucket");
      Instant later = Instant.now().plus(Duration.ofHours(1));
      try (ObjectFileSystem all = azurite.open(Map.of("sas", signature("racwdl", later)));
          ObjectFileSystem reads = azurite.open(Map.of("sas", "?" + signature("rl", later)));
          ObjectFileSystem old =
              azurite.open(Map.of("sas", signature("rl", Instant.EPOCH.plusSeconds(1))))) {
        ServerChild.write(all.getPath("mds"));
        try (ImageDataset images = ImageDataset.open(reads.getPath("mds"))) {
          assertThat(images.size()).isEqualTo(ServerChild.IMAGES);
          assertThat(images.encoded(0).bytes()).isEqualTo(StubStore.image(0, 0, 0).bytes());
        }
        assertThatThrownBy(() -> ServerChild.write(reads.getPath("other")))
            .isInstanceOf(IOException.class)
            .hasMessageContainingAll("az://bucket/other", "status 403")
            .hasMessageNotContaining("sig=");
        assertThatThrownBy(() -> Files.size(old.getPath("mds/index.json")))
            .isInstanceOf(IOException.class)
            .hasMessageContainingAll("az://bucket/mds/index.json", "status 403")
            .hasMessageNotContaining("sig=");
      }
    }
  }

  @Test
  void shouldSayWhyAzureRefuses() throws Exception {
    try (AzuriteProcess azurite = AzuriteProcess.start()) {
      azurite.makeContainer("bucket");
      try (ObjectFileSystem wrong =
              azurite.open(Map.of("account-key", "d3Jvbmcga2V5LCB3cm9uZyBrZXk="));
          ObjectFileSystem none = azurite.open(Map.of("anonymous", "true"))) {
        assertThatThrownBy(() -> Files.size(wrong.getPath("a")))
            .hasMessageContainingAll("az://bucket/a", "status 403 (AuthorizationFailure)");
        assertThatThrownBy(() -> Files.size(none.getPath("a")))
            .hasMessageContainingAll("az://bucket/a", "without credentials");
      }
    }
  }
}
