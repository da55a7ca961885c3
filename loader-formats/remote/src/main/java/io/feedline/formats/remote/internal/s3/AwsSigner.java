package io.feedline.formats.remote.internal.s3;

import io.feedline.data.StoreException;
import io.feedline.formats.remote.RemoteFileSystem.S3Credentials;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileSystemSetting;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;

/** Signs with credentials that AWS's own modules find; the only class that knows them. */
final class AwsSigner implements Signer {

  private final Source source;
  private AwsCredentialsIdentity current;
  private long changedNanos = System.nanoTime();

  /** The source of credentials; it is asked for each request, so it caches them. */
  private interface Source {
    AwsCredentialsIdentity get();

    /** Clears the cached credentials. */
    default void forget() {}
  }

  private AwsSigner(Source source) {
    this.source = source;
  }

  /** Signs with the credentials that a supplier has at the time. */
  static AwsSigner of(Supplier<S3Credentials> credentials) {
    return new AwsSigner(() -> identity(credentials.get()));
  }

  /**
   * Signs with what AWS's default chain finds: environment, profile, container, instance. The
   * search happens with the first request.
   */
  static AwsSigner byDefaultChain() {
    return new AwsSigner(
        new Source() {
          private DefaultCredentialsProvider chain;

          @Override
          public AwsCredentialsIdentity get() {
            if (chain == null) {
              chain = DefaultCredentialsProvider.builder().build();
            }
            return chain.resolveCredentials();
          }

          @Override
          public void forget() {
            if (chain != null) {
              chain.close();
              chain = null;
            }
          }
        });
  }

  /** The region that AWS's default chain finds; empty if none. */
  static String regionByDefaultChain() {
    try {
      return DefaultAwsRegionProviderChain.builder().build().getRegion().id();
    } catch (SdkException none) {
      return "";
    }
  }

  /** A property of the profile that AWS's own tools would take; empty if absent. */
  static String profileProperty(String name) {
    return ProfileFile.defaultProfileFile()
        .profile(ProfileFileSystemSetting.AWS_PROFILE.getStringValueOrThrow())
        .flatMap(profile -> profile.property(name))
        .orElse("");
  }

  private static AwsCredentialsIdentity identity(S3Credentials given) {
    return given.sessionToken().isEmpty()
        ? AwsBasicCredentials.create(given.accessKeyId(), given.secretAccessKey())
        : AwsSessionCredentials.create(
            given.accessKeyId(), given.secretAccessKey(), given.sessionToken());
  }

  private synchronized AwsCredentialsIdentity credentials() throws IOException {
    try {
      AwsCredentialsIdentity now = source.get();
      if (current == null || !same(now, current)) {
        current = now;
        changedNanos = System.nanoTime();
      }
      return now;
    } catch (SdkException none) {
      // The failure is not attached as a cause, since a provider's message may contain secrets.
      throw new StoreException(
          "no AWS credentials are found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or"
              + " AWS_PROFILE; AWS_NO_SIGN_REQUEST=true reads without any ("
              + none.getClass().getSimpleName()
              + ")");
    }
  }

  private static boolean same(AwsCredentialsIdentity one, AwsCredentialsIdentity other) {
    return one.accessKeyId().equals(other.accessKeyId())
        && one.secretAccessKey().equals(other.secretAccessKey())
        && token(one).equals(token(other));
  }

  private static String token(AwsCredentialsIdentity identity) {
    return identity instanceof AwsSessionCredentials session ? session.sessionToken() : "";
  }

  @Override
  public Map<String, String> sign(
      String method, URI address, String region, Map<String, String> headers, ByteBuffer body)
      throws IOException {
    AwsCredentialsIdentity now = credentials();
    return V4Signature.of(
        new S3Credentials(now.accessKeyId(), now.secretAccessKey(), token(now)),
        region,
        Instant.now(),
        method,
        address,
        headers,
        body);
  }

  @Override
  public boolean renew(long signedNanos) throws IOException {
    synchronized (this) {
      if (changedNanos - signedNanos > 0) {
        return true; // another request has found them meanwhile
      }
      source.forget();
    }
    credentials();
    synchronized (this) {
      return changedNanos - signedNanos > 0;
    }
  }

  /** Says nothing of the credentials. */
  @Override
  public String toString() {
    return "AwsSigner";
  }
}
