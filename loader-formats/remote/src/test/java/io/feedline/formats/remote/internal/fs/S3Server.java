package io.feedline.formats.remote.internal.fs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedline.formats.remote.RemoteFileSystem.S3Credentials;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobApiMetadata;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStore;
import org.jclouds.blobstore.BlobStoreContext;

/** A server of S3's API with one empty bucket. The test that opened it closes it. */
final class S3Server {

  static final S3Credentials CREDENTIALS =
      S3Credentials.of("AKIATESTTESTTEST", "a-secret/that+nobody=knows");

  enum Kind {
    STUB,
    /** s3proxy in this process; checks signatures. */
    S3PROXY,
    /** moto in a process of its own. */
    MOTO,
    /** Google's, ours; checks a token. */
    GOOGLE,
    /** Azurite, Azure's own emulator, in a process of its own; checks signatures. */
    AZURITE;

    S3Server open() throws Exception {
      return switch (this) {
        case STUB -> {
          StubStore stub = new StubStore();
          yield new S3Server(this, stub.endpoint(), stub::put, stub);
        }
        case S3PROXY -> s3proxy();
        case MOTO -> moto();
        case GOOGLE -> {
          StubGoogle stub = new StubGoogle();
          yield new S3Server(this, stub.endpoint(), stub::put, stub);
        }
        case AZURITE -> {
          AzuriteProcess process = AzuriteProcess.start();
          process.makeContainer("bucket");
          yield new S3Server(this, process.endpoint(), null, process);
        }
      };
    }

    /** The bucket of a server of this kind, at its address or that of a proxy. */
    ObjectFileSystem files(URI address) {
      ObjectFileSystemBuilder builder =
          switch (this) {
            case STUB ->
                StubStore.builder(StubStore.BUCKET, address)
                    .policy(StubStore.quick())
                    .options(Map.of("credentials", CREDENTIALS));
            case S3PROXY, MOTO ->
                StubStore.builder(StubStore.BUCKET, address)
                    .options(Map.of("credentials", CREDENTIALS));
            case GOOGLE ->
                new ObjectFileSystemBuilder(URI.create("gs://bucket/"))
                    .policy(StubStore.quick())
                    .options(Map.of("token", StubGoogle.TOKEN));
            case AZURITE ->
                new ObjectFileSystemBuilder(URI.create("az://bucket/"))
                    .policy(StubStore.quick())
                    .options(
                        Map.of(
                            "account", AzuriteProcess.ACCOUNT, "account-key", AzuriteProcess.KEY));
          };
      return builder.environment(Map.of()).options(Map.of("endpoint", address)).build();
    }
  }

  private final Kind kind;
  private final URI endpoint;

  /** A way that is no request of ours; null where an object is put by a signed request. */
  private final StubStore.Putting putting;

  private final AutoCloseable process;

  private S3Server(Kind kind, URI endpoint, StubStore.Putting putting, AutoCloseable process) {
    this.kind = kind;
    this.endpoint = endpoint;
    this.putting = putting;
    this.process = process;
  }

  URI endpoint() {
    return endpoint;
  }

  void put(String key, byte[] bytes) throws IOException {
    if (putting != null) {
      putting.put(key, bytes);
      return;
    }
    try (ObjectFileSystem files = files()) {
      String unused = ObjectOutput.of(files.getPath("/" + key)).write(bytes, ObjectOutput.ANY);
    }
  }

  void putAll(Path directory, String prefix) throws IOException {
    StubStore.putAll(directory, prefix, this::put);
  }

  /** The bucket; the caller closes it. */
  ObjectFileSystem files() {
    return files(endpoint);
  }

  ObjectFileSystem files(URI address) {
    return kind.files(address);
  }

  /** Tests whether uploads that are not completed are listed, and given up. */
  boolean listsUploads() {
    return kind != Kind.GOOGLE && kind != Kind.AZURITE;
  }

  void close() throws Exception {
    process.close();
  }

  private static S3Server s3proxy() throws Exception {
    BlobStoreContext context =
        ContextBuilder.newBuilder(new TransientNio2BlobApiMetadata())
            .credentials("unused", "unused")
            .modules(Set.of())
            .overrides(new Properties())
            .build(BlobStoreContext.class);
    BlobStore store = context.getBlobStore();
    store.createContainerInLocation(null, StubStore.BUCKET);
    S3Proxy server =
        S3Proxy.builder()
            .blobStore(store)
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(
                AuthenticationType.AWS_V4, CREDENTIALS.accessKeyId(), CREDENTIALS.secretAccessKey())
            .build();
    server.start();
    return new S3Server(
        Kind.S3PROXY,
        URI.create("http://127.0.0.1:" + server.getPort()),
        (key, bytes) ->
            store.putBlob(
                StubStore.BUCKET,
                store.blobBuilder(key).payload(bytes).contentLength(bytes.length).build()),
        () -> {
          try (context) {
            server.stop();
          }
        });
  }

  private static final String MOTO =
      """
      import sys
      from moto.server import ThreadedMotoServer
      server = ThreadedMotoServer(ip_address='127.0.0.1', port=0, verbose=False)
      server.start()
      print(*server.get_host_and_port(), flush=True)
      sys.stdin.read()
      """;

  /** Objects are put signed, since moto lets strangers make objects, but not replace them. */
  private static S3Server moto() throws Exception {
    String python = System.getenv().getOrDefault("FEEDLINE_PYTHON", "python3");
    Process process = start(python);
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    String line = process.isAlive() || out.ready() ? out.readLine() : null;
    assumeTrue(line != null, python + " has no moto with its server (pip install moto[server])");
    URI endpoint = URI.create("http://127.0.0.1:" + line.split(" ", -1)[1]);
    HttpRequest bucket =
        HttpRequest.newBuilder(URI.create(endpoint + "/" + StubStore.BUCKET))
            .PUT(HttpRequest.BodyPublishers.noBody())
            .build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(bucket, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("moto: " + answer.statusCode() + " " + answer.body());
    }
    return new S3Server(
        Kind.MOTO,
        endpoint,
        null,
        () -> {
          process.getOutputStream().close(); // its input: it ends by itself
          process.onExit().join();
        });
  }

  private static Process start(String python) {
    try {
      return new ProcessBuilder(python, "-c", MOTO)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException absent) {
      assumeTrue(false, "there is no " + python);
      throw new UncheckedIOException(absent);
    }
  }
}
