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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobApiMetadata;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStore;
import org.jclouds.blobstore.BlobStoreContext;

/** A server of S3's API with one empty bucket. The test that opened it closes it. */
abstract class S3Server implements AutoCloseable {

  static final S3Credentials CREDENTIALS =
      S3Credentials.of("AKIATESTTESTTEST", "a-secret/that+nobody=knows");

  /** The servers that there are. */
  enum Kind {
    /** Ours. */
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
        case STUB -> new Stub();
        case S3PROXY -> new Proxy();
        case MOTO -> new Moto();
        case GOOGLE -> new Google();
        case AZURITE -> new Azurite();
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

  private S3Server(Kind kind) {
    this.kind = kind;
  }

  abstract URI endpoint();

  abstract void put(String key, byte[] bytes) throws Exception;

  @Override
  public abstract void close() throws IOException;

  /** Puts all files of a directory below a prefix. */
  void putAll(Path directory, String prefix) throws Exception {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        put(
            prefix + directory.relativize(each).toString().replace('\\', '/'),
            Files.readAllBytes(each));
      }
    }
  }

  /** The bucket; the caller closes it. */
  final ObjectFileSystem files() {
    return files(endpoint());
  }

  /** The bucket at another address, that of a proxy. */
  final ObjectFileSystem files(URI address) {
    return kind.files(address);
  }

  /** Tests whether uploads that are not completed are listed, and given up. */
  boolean listsUploads() {
    return true;
  }

  private static final class Google extends S3Server {
    private final StubGoogle stub = new StubGoogle();

    Google() throws IOException {
      super(Kind.GOOGLE);
    }

    @Override
    URI endpoint() {
      return stub.endpoint();
    }

    @Override
    void put(String key, byte[] bytes) {
      stub.put(key, bytes);
    }

    @Override
    boolean listsUploads() {
      return false;
    }

    @Override
    public void close() {
      stub.close();
    }
  }

  private static final class Azurite extends S3Server {
    private final AzuriteProcess process = AzuriteProcess.start();

    Azurite() throws Exception {
      super(Kind.AZURITE);
      process.makeContainer("bucket");
    }

    @Override
    URI endpoint() {
      return process.endpoint();
    }

    @Override
    void put(String key, byte[] bytes) throws IOException {
      try (ObjectFileSystem files = files()) {
        String unused = ObjectOutput.of(files.getPath("/" + key)).write(bytes, ObjectOutput.ANY);
      }
    }

    @Override
    boolean listsUploads() {
      return false;
    }

    @Override
    public void close() throws IOException {
      process.close();
    }
  }

  private static final class Stub extends S3Server {
    private final StubStore stub = new StubStore();

    Stub() throws IOException {
      super(Kind.STUB);
    }

    @Override
    URI endpoint() {
      return stub.endpoint();
    }

    @Override
    void put(String key, byte[] bytes) {
      stub.put(key, bytes);
    }

    @Override
    public void close() {
      stub.close();
    }
  }

  private static final class Proxy extends S3Server {
    private final BlobStoreContext context;
    private final S3Proxy server;

    Proxy() throws Exception {
      super(Kind.S3PROXY);
      context =
          ContextBuilder.newBuilder(new TransientNio2BlobApiMetadata())
              .credentials("unused", "unused")
              .modules(Set.of())
              .overrides(new Properties())
              .build(BlobStoreContext.class);
      context.getBlobStore().createContainerInLocation(null, StubStore.BUCKET);
      server =
          S3Proxy.builder()
              .blobStore(context.getBlobStore())
              .endpoint(URI.create("http://127.0.0.1:0"))
              .awsAuthentication(
                  AuthenticationType.AWS_V4,
                  CREDENTIALS.accessKeyId(),
                  CREDENTIALS.secretAccessKey())
              .build();
      server.start();
    }

    @Override
    URI endpoint() {
      return URI.create("http://127.0.0.1:" + server.getPort());
    }

    @Override
    void put(String key, byte[] bytes) {
      BlobStore store = context.getBlobStore();
      store.putBlob(
          StubStore.BUCKET,
          store.blobBuilder(key).payload(bytes).contentLength(bytes.length).build());
    }

    @Override
    public void close() throws IOException {
      try {
        server.stop();
      } catch (Exception failure) {
        throw new IOException("s3proxy does not stop", failure);
      } finally {
        context.close();
      }
    }
  }

  private static final class Moto extends S3Server {
    private static final String SCRIPT =
        """
        import sys
        from moto.server import ThreadedMotoServer
        server = ThreadedMotoServer(ip_address='127.0.0.1', port=0, verbose=False)
        server.start()
        print(*server.get_host_and_port(), flush=True)
        sys.stdin.read()
        """;

    private final Process process;
    private final URI endpoint;

    Moto() throws Exception {
      super(Kind.MOTO);
      String python = System.getenv().getOrDefault("FEEDLINE_PYTHON", "python3");
      process = start(python, SCRIPT);
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      String line = process.isAlive() || out.ready() ? out.readLine() : null;
      assumeTrue(line != null, python + " has no moto with its server (pip install moto[server])");
      endpoint = URI.create("http://127.0.0.1:" + line.split(" ", -1)[1]);
      makeBucket();
    }

    private static Process start(String python, String script) {
      try {
        return new ProcessBuilder(python, "-c", script)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
      } catch (IOException absent) {
        assumeTrue(false, "there is no " + python);
        throw new UncheckedIOException(absent);
      }
    }

    @Override
    URI endpoint() {
      return endpoint;
    }

    /** Signed, since moto lets strangers make objects, but not replace them. */
    @Override
    void put(String key, byte[] bytes) throws IOException {
      try (ObjectFileSystem files = files()) {
        String unused = ObjectOutput.of(files.getPath("/" + key)).write(bytes, ObjectOutput.ANY);
      }
    }

    private void makeBucket() throws Exception {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(endpoint + "/" + StubStore.BUCKET))
              .PUT(HttpRequest.BodyPublishers.noBody())
              .build();
      HttpResponse<String> answer =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IOException("moto: " + answer.statusCode() + " " + answer.body());
      }
    }

    @Override
    public void close() throws IOException {
      process.getOutputStream().close(); // its input: it ends by itself
      process.onExit().join();
    }
  }
}
