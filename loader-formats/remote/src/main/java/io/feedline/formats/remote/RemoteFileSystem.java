package io.feedline.formats.remote;

import io.feedline.data.StoreException;
import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.spi.FileSystemProvider;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/**
 * The objects of an S3 bucket, or the files of an HTTP server, as a file system for reading:
 *
 * <pre>{@code
 * ImageDataset images = ImageDataset.open(Path.of(URI.create("s3://bucket/train")));
 * }</pre>
 *
 * <p>The settings come from the variables of the environment that the store's own tools read, for
 * S3 {@code AWS_REGION}, {@code AWS_ENDPOINT_URL_S3} and others. Further URIs are {@code
 * gs://bucket/train} of Google, {@code az://container/train} of Azure and {@code
 * hf://datasets/OWNER/NAME@REVISION} of the Hugging Face hub. An {@code https} URI with a query,
 * such as a signed URI, is the path of a single file. A builder makes a file system of S3 with
 * other settings:
 *
 * <pre>{@code
 * FileSystem store =
 *     RemoteFileSystem.s3("bucket").endpoint(URI.create("http://localhost:9000")).build();
 * ImageDataset images = ImageDataset.open(store.getPath("train"));
 * }</pre>
 *
 * <p>A directory is the part of a key up to a slash. The first request for a directory lists all
 * objects below it, and the listing is kept for 30 s. The size and version (ETag) of an object are
 * kept too, and the object is read only in that version: reading a replaced object throws {@link
 * ObjectChangedException}. Keys that are no paths (with empty names, {@code .}, {@code ..} or NUL)
 * are left out, with a warning. HTTP servers have no listings, so programs name the files. The
 * methods of {@link java.nio.file.Files} write nothing; {@link
 * io.feedline.formats.store.StoreFormat#create} writes image stores to object stores. An unfinished
 * store is not listed.
 *
 * <p>Thread-safe. A file system of {@link Path#of(URI)} stays open as long as the process. The
 * caller of {@link Builder#build} closes the file system, when no dataset reads from it anymore.
 * Closing it twice is allowed; reading afterwards throws {@link ClosedFileSystemException}.
 */
public final class RemoteFileSystem {

  private RemoteFileSystem() {}

  /** Returns a builder for the file system of an S3 bucket with this name. */
  public static Builder s3(String bucket) {
    if (!bucket.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,254}")) {
      throw new IllegalArgumentException(
          "the bucket must be letters, digits, '.', '-' and '_', was '" + bucket + "'");
    }
    return new Builder("s3", URI.create("s3://" + bucket + "/"));
  }

  /** Returns a builder for the file system of a server such as {@code https://example.org}. */
  public static Builder http(URI host) {
    return new Builder("https".equalsIgnoreCase(host.getScheme()) ? "https" : "http", host);
  }

  /** Returns whether a class is a provider of these file systems. */
  static boolean isMadeBy(Class<?> provider) {
    return provider.getPackageName().startsWith(RemoteFileSystem.class.getPackageName() + ".");
  }

  /** Returns this library's provider of a scheme; another library may also have a provider. */
  private static FileSystemProvider provider(String scheme) {
    return ServiceLoader.load(FileSystemProvider.class, RemoteFileSystem.class.getClassLoader())
        .stream()
        .filter(each -> isMadeBy(each.type()))
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.getScheme().equals(scheme))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no provider of "
                        + scheme
                        + " is registered: META-INF/services/java.nio.file.spi.FileSystemProvider"
                        + " of io.feedline:loader-remote is missing, which a fat jar must merge"));
  }

  /** The options; the defaults come from the environment, as in AWS's tools. Not thread-safe. */
  public static final class Builder {
    private final String scheme;
    private final URI root;

    /** The provider's options; {@code shared} is false: a bucket may have several file systems. */
    private final Map<String, Object> options = new HashMap<>(Map.of("shared", false));

    private Builder(String scheme, URI root) {
      this.scheme = scheme;
      this.root = root;
    }

    private Builder option(String name, Object value) {
      options.put(name, Objects.requireNonNull(value, name));
      return this;
    }

    /**
     * Sets the server of S3's API, the http or https URL of a host such as {@code
     * http://localhost:9000}; by default {@code AWS_ENDPOINT_URL_S3}, {@code AWS_ENDPOINT_URL}, the
     * endpoint of the AWS profile, or else AWS itself.
     */
    public Builder endpoint(URI endpoint) {
      return option("endpoint", endpoint);
    }

    /** Sets the region; by default {@code AWS_REGION}, the AWS profile's region, or us-east-1. */
    public Builder region(String region) {
      return option("region", region);
    }

    /**
     * Sets whether the bucket is in the path of addresses, as in {@code
     * http://localhost:9000/bucket}, or in the host's name. By default true if an endpoint is set.
     */
    public Builder pathStyle(boolean pathStyle) {
      return option("path-style", pathStyle);
    }

    /** Makes requests without credentials; the default if {@code AWS_NO_SIGN_REQUEST} is true. */
    public Builder anonymous() {
      return option("anonymous", true);
    }

    /**
     * Sets the credentials; by default {@code AWS_ACCESS_KEY_ID}, {@code AWS_SECRET_ACCESS_KEY} and
     * {@code AWS_SESSION_TOKEN}, or the credentials of AWS's default chain.
     *
     * @param credentials called for each request, by several threads; returns new credentials
     *     before the old ones expire
     */
    public Builder credentials(Supplier<S3Credentials> credentials) {
      return option("credentials", credentials);
    }

    /** Sets how many requests are in flight at most, 1 or more; 64 by default. */
    public Builder connections(int connections) {
      return option("connections", connections);
    }

    /**
     * Sets how many objects may lie below a listed directory, 1 or more. A longer listing fails
     * with an {@link IOException}. By default the listing may take a quarter of the heap.
     */
    public Builder listedObjects(long objects) {
      return option("listed-objects", objects);
    }

    /**
     * Builds the file system, which the caller closes. No request is sent yet.
     *
     * @throws IllegalArgumentException if the host, an option or a variable of the environment has
     *     an impossible value, or an option of S3 is set for another server
     */
    public FileSystem build() {
      try {
        return provider(scheme).newFileSystem(root, options);
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }
  }

  /**
   * The credentials of an S3 account. {@link #toString} does not contain them.
   *
   * @param accessKeyId the name of the key
   * @param secretAccessKey the key that signs requests
   * @param sessionToken the token of temporary credentials; empty for permanent credentials
   */
  public record S3Credentials(String accessKeyId, String secretAccessKey, String sessionToken) {

    /** Throws an exception if a key is blank, or a credential has a control character. */
    public S3Credentials {
      if (accessKeyId.isBlank() || secretAccessKey.isBlank()) {
        throw new IllegalArgumentException("the access key's id and its secret must not be blank");
      }
      Objects.requireNonNull(sessionToken, "sessionToken");
      if ((accessKeyId + secretAccessKey + sessionToken)
          .chars()
          .anyMatch(Character::isISOControl)) {
        throw new IllegalArgumentException(
            "a credential has a line break or another control character, which none may have; read"
                + " from a file, it may end with one");
      }
    }

    /** Returns permanent credentials, which have no session token. */
    public static S3Credentials of(String accessKeyId, String secretAccessKey) {
      return new S3Credentials(accessKeyId, secretAccessKey, "");
    }

    /** Returns a text without the credentials. */
    @Override
    public String toString() {
      return "S3Credentials(...)";
    }
  }

  /** The failure to read an object that was replaced since its size and version were first read. */
  public static final class ObjectChangedException extends StoreException {

    @Serial private static final long serialVersionUID = 1;

    /** Creates the failure for an object; {@code how} says in the message what shows the change. */
    public ObjectChangedException(URI uri, String how) {
      super(
          "%s: the object has changed since it was looked at (%s); open the dataset anew"
              .formatted(uri, how));
    }
  }
}
