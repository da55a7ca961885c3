package io.feedline.examples.shared;

import io.feedline.formats.remote.RemoteFileSystem.S3Credentials;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobApiMetadata;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStore;
import org.jclouds.blobstore.BlobStoreContext;

/**
 * A server of S3's API in this process, on a free port of this machine: s3proxy, with objects in
 * memory. It checks signatures, as S3 does. The caller closes it.
 */
public final class LocalObjectStore implements AutoCloseable {

  /** The credentials that clients need. */
  public static final S3Credentials CREDENTIALS =
      S3Credentials.of("local-identity", "local-credential");

  private final BlobStoreContext context;
  private final S3Proxy server;

  /** Starts the server. */
  public LocalObjectStore() throws IOException {
    context =
        ContextBuilder.newBuilder(new TransientNio2BlobApiMetadata())
            .credentials("unused", "unused")
            .modules(Set.of())
            .overrides(new Properties())
            .build(BlobStoreContext.class);
    try {
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
    } catch (Exception failure) {
      context.close();
      throw new IOException("s3proxy does not start", failure);
    }
  }

  /** Returns the address at which it listens. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getPort());
  }

  /** Creates a bucket with the files below a directory. A key is the prefix and the file's path. */
  public void put(String bucket, String prefix, Path directory) throws IOException {
    BlobStore store = context.getBlobStore();
    store.createContainerInLocation(null, bucket);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String key = prefix + "/" + directory.relativize(file).toString().replace('\\', '/');
        byte[] bytes = Files.readAllBytes(file);
        store.putBlob(
            bucket, store.blobBuilder(key).payload(bytes).contentLength(bytes.length).build());
      }
    }
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
