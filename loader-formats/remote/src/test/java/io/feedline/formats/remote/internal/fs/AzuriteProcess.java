package io.feedline.formats.remote.internal.fs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedline.formats.remote.internal.azure.AzureSettings;
import io.feedline.formats.remote.internal.http.Request;
import io.feedline.formats.remote.internal.s3.HttpObjects;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Azurite, the emulator of Azure's blobs, with all in its memory: {@code azurite-blob} of the
 * {@code PATH}, or what {@code FEEDLINE_AZURITE} names ({@code npm install -g azurite}).
 */
public final class AzuriteProcess implements AutoCloseable {

  public static final String ACCOUNT = "devstoreaccount1";

  public static final String KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  private static final Pattern LISTENS =
      Pattern.compile(".*listens? on (http://127\\.0\\.0\\.1:[0-9]+).*");

  private final Process process;
  private final URI endpoint;

  private AzuriteProcess(Process process, URI endpoint) {
    this.process = process;
    this.endpoint = endpoint;
  }

  /** Starts it, or has the test skipped where it is not installed. */
  public static AzuriteProcess start() throws IOException {
    String program = System.getenv().getOrDefault("FEEDLINE_AZURITE", "azurite-blob");
    Process process;
    try {
      process =
          new ProcessBuilder(
                  program,
                  "--inMemoryPersistence",
                  "--blobPort",
                  "0",
                  "--disableTelemetry",
                  "--skipApiVersionCheck")
              .redirectErrorStream(true)
              .start();
    } catch (IOException absent) {
      assumeTrue(
          false, "there is no " + program + " (npm install -g azurite, or FEEDLINE_AZURITE)");
      throw new UncheckedIOException(absent);
    }
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    StringBuilder said = new StringBuilder();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      Matcher listens = LISTENS.matcher(line);
      if (listens.matches()) {
        Thread reader = new Thread(() -> drain(process), "azurite");
        reader.setDaemon(true);
        reader.start();
        return new AzuriteProcess(process, URI.create(listens.group(1) + "/" + ACCOUNT));
      }
      said.append(line).append('\n');
    }
    throw new IOException(program + " does not start: " + said);
  }

  private static void drain(Process process) {
    try {
      process.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException ended) {
      // The test has stopped it.
    }
  }

  public URI endpoint() {
    return endpoint;
  }

  public void makeContainer(String name) throws Exception {
    Request request =
        AzureSettings.of(
                URI.create("az://" + name + "/"),
                endpoint,
                Map.of("account", ACCOUNT, "account-key", KEY),
                null,
                Map.of())
            .request(
                "PUT",
                URI.create(endpoint + "/" + name + "?restype=container"),
                Map.of(),
                HttpObjects.NO_BODY);
    HttpRequest.Builder put =
        HttpRequest.newBuilder(request.address()).PUT(HttpRequest.BodyPublishers.noBody());
    request.headers().forEach(put::header);
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(put.build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 201) {
      throw new IOException("azurite: " + answer.statusCode() + " " + answer.body());
    }
  }

  ObjectFileSystem open(Map<String, ?> options) {
    return new ObjectFileSystemBuilder(URI.create("az://bucket/"))
        .policy(StubStore.quick())
        .environment(Map.of())
        .options(Map.of("endpoint", endpoint, "account", ACCOUNT))
        .options(options)
        .build();
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
