package io.feedline.formats.remote.internal.s3;

import io.feedline.data.StoreException;
import io.feedline.formats.remote.RemoteFileSystem.S3Credentials;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileSystemSetting;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;

/** A signer with given credentials or those of AWS's own modules, which no other class uses. */
final class AwsSigner implements Signer {

  private final Source source;
  private S3Credentials current;
  private long changedNanos = System.nanoTime();

  /** A source of credentials. It is called for each request, and caches credentials itself. */
  private interface Source {
    S3Credentials get();

    default void forget() {}
  }

  private AwsSigner(Source source) {
    this.source = source;
  }

  static AwsSigner of(Supplier<S3Credentials> credentials) {
    return new AwsSigner(
        () -> {
          S3Credentials given = credentials.get();
          return new S3Credentials(
              given.accessKeyId().trim(), given.secretAccessKey().trim(), given.sessionToken());
        });
  }

  /** Returns a signer whose credentials AWS's default chain finds at the first request. */
  static AwsSigner byDefaultChain() {
    return new AwsSigner(
        new Source() {
          private DefaultCredentialsProvider chain;

          @Override
          public S3Credentials get() {
            if (chain == null) {
              chain = DefaultCredentialsProvider.builder().build();
            }
            AwsCredentials found = chain.resolveCredentials();
            return new S3Credentials(
                found.accessKeyId(),
                found.secretAccessKey(),
                found instanceof AwsSessionCredentials session ? session.sessionToken() : "");
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

  /** Returns the region that AWS's default chain finds; empty if it finds no region. */
  static String regionByDefaultChain() {
    try {
      return DefaultAwsRegionProviderChain.builder().build().getRegion().id();
    } catch (SdkException none) {
      return "";
    }
  }

  /** Returns a property of the selected profile in AWS's configuration files; empty if absent. */
  static String profileProperty(String name) {
    return ProfileFile.defaultProfileFile()
        .profile(ProfileFileSystemSetting.AWS_PROFILE.getStringValueOrThrow())
        .flatMap(profile -> profile.property(name))
        .orElse("");
  }

  private synchronized S3Credentials credentials() throws IOException {
    try {
      S3Credentials now = source.get();
      if (!now.equals(current)) {
        current = now;
        changedNanos = System.nanoTime();
      }
      return now;
    } catch (SdkException none) {
      // The exception has no cause, since a provider's message may contain secrets.
      throw new StoreException(
          "no AWS credentials are found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or"
              + " AWS_PROFILE; AWS_NO_SIGN_REQUEST=true reads without any ("
              + none.getClass().getSimpleName()
              + ")");
    }
  }

  @Override
  public Map<String, String> sign(
      String method, URI address, String region, Map<String, String> headers, ByteBuffer body)
      throws IOException {
    return V4Signature.of(credentials(), region, Instant.now(), method, address, headers, body);
  }

  @Override
  public boolean renew(long signedNanos) throws IOException {
    synchronized (this) {
      if (changedNanos - signedNanos > 0) {
        return true; // another request has renewed the credentials meanwhile
      }
      source.forget();
    }
    credentials();
    synchronized (this) {
      return changedNanos - signedNanos > 0;
    }
  }

  @Override
  public String toString() {
    return "AwsSigner";
  }
}
