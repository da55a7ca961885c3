package io.feedline.formats.remote.internal.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.feedline.formats.remote.internal.azure.AzureAddressing;
import io.feedline.formats.remote.internal.azure.AzureSettings;
import io.feedline.formats.remote.internal.http.Request;
import io.feedline.formats.remote.internal.s3.HttpObjects;
import io.feedline.internal.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Azure's blobs: accounts and credentials. What is read and written has Azurite. */
@Timeout(60)
class AzureTest {

  private static final URI ROOT = URI.create("az://data/");

  @TempDir private Path disk;

  private static Request request(URI root, Map<String, String> environment) throws IOException {
    AzureAddressing addressing = AzureSettings.of(root, null, Map.of(), null, environment);
    return addressing.request(
        "GET", addressing.object(URI.create(root + "a%20b.tar")), Map.of(), HttpObjects.NO_BODY);
  }

  @Test
  void shouldTakeAccountAndKeyOfTheEnvironment() throws IOException {
    Map<String, String> apart =
        Map.of("AZURE_STORAGE_ACCOUNT", "pictures", "AZURE_STORAGE_KEY", AzuriteProcess.KEY);
    Map<String, String> together =
        Map.of(
            "AZURE_STORAGE_CONNECTION_STRING",
            "DefaultEndpointsProtocol=https;AccountName=pictures;AccountKey="
                + AzuriteProcess.KEY
                + ";EndpointSuffix=core.windows.net");
    for (Map<String, String> environment : List.of(apart, together)) {
      Request request = request(ROOT, environment);
      assertThat(request.address())
          .hasToString("https://pictures.blob.core.windows.net/data/a%20b.tar");
      assertThat(request.headers().get("Authorization")).startsWith("SharedKey pictures:");
    }
  }

  @Test
  void shouldAppendASharedAccessSignature() throws IOException {
    Request request =
        request(
            ROOT,
            Map.of(
                "AZURE_STORAGE_ACCOUNT",
                "pictures",
                "AZURE_STORAGE_SAS_TOKEN",
                "?sv=1&sig=MARKER"));
    assertThat(request.address())
        .hasToString("https://pictures.blob.core.windows.net/data/a%20b.tar?sv=1&sig=MARKER");
    assertThat(request.headers()).doesNotContainKey("Authorization");
  }

  @Test
  void shouldSendNoSignatureToAnotherAccount() throws IOException {
    Map<String, String> environment =
        Map.of("AZURE_STORAGE_ACCOUNT", "pictures", "AZURE_STORAGE_SAS_TOKEN", "sv=1&sig=MARKER");
    URI mine = URI.create("https://pictures.blob.core.windows.net/");
    URI other = URI.create("https://other.blob.core.windows.net/");
    assertThat(request(mine, environment).address().toString()).contains("MARKER");
    assertThat(request(other, environment).address().toString()).doesNotContain("MARKER");
  }

  @Test
  void shouldGetATokenOfEntra() throws IOException {
    ConcurrentLinkedDeque<String> asked = new ConcurrentLinkedDeque<>();
    HttpServer tokens =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    tokens.createContext(
        "/",
        exchange -> {
          asked.add(
              exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("X-IDENTITY-HEADER")
                  + " "
                  + new String(
                      exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII));
          StubStore.send(
              exchange, 200, Json.write(Map.of("access_token", "eyMARKER", "expires_in", "3599")));
        });
    tokens.start();
    String host = "http://127.0.0.1:" + Integer.toString(tokens.getAddress().getPort());
    Path assertion = Files.writeString(disk.resolve("assertion"), "federated");
    try {
      Map<String, String> client =
          Map.of(
              "AZURE_STORAGE_ACCOUNT", "pictures",
              "AZURE_TENANT_ID", "tenant",
              "AZURE_CLIENT_ID", "client",
              "AZURE_AUTHORITY_HOST", host,
              "AZURE_CLIENT_SECRET", "s+cret");
      assertThat(request(ROOT, client).headers().get("Authorization")).isEqualTo("Bearer eyMARKER");
      Map<String, String> workload = new HashMap<>(client);
      workload.remove("AZURE_CLIENT_SECRET");
      workload.put("AZURE_FEDERATED_TOKEN_FILE", assertion.toString());
      assertThat(request(ROOT, workload).headers()).containsKey("Authorization");
      Map<String, String> managed =
          Map.of(
              "AZURE_STORAGE_ACCOUNT", "pictures",
              "IDENTITY_ENDPOINT", host + "/msi/token",
              "IDENTITY_HEADER", "header");
      assertThat(request(ROOT, managed).headers()).containsKey("Authorization");
    } finally {
      tokens.stop(0);
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
    assertThatThrownBy(() -> request(ROOT, Map.of()))
        .hasMessageContainingAll("az:// needs an account", "AZURE_STORAGE_ACCOUNT");
    assertThatThrownBy(
            () ->
                request(
                    ROOT,
                    Map.of("AZURE_STORAGE_ACCOUNT", "pictures", "AZURE_STORAGE_KEY", "MARKER!")))
        .hasMessageContaining("not Base64")
        .hasMessageNotContaining("MARKER");
    assertThatThrownBy(
            () ->
                request(
                    ROOT,
                    Map.of(
                        "AZURE_STORAGE_ACCOUNT", "pictures", "AZURE_STORAGE_SAS_TOKEN", "MARKER")))
        .hasMessageContaining("sig=")
        .hasMessageNotContaining("MARKER");
  }

  @Test
  void shouldReadWhatASignatureOrATokenAllows() throws Exception {
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
