package io.feedline.formats.remote.internal.s3;

import io.feedline.formats.remote.RemoteFileSystem.S3Credentials;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The server, region and credentials for S3's API. A user's settings come first, then variables of
 * the environment that AWS's own tools read, and then the profile in AWS's configuration files.
 *
 * @param endpoint the address of a server other than AWS; null for AWS
 * @param region the region in signatures; also a part of AWS's addresses
 * @param pathStyle true: addresses have the bucket in the path; false: in the host's name
 * @param signer the signer of requests
 */
public record S3Settings(@Nullable URI endpoint, String region, boolean pathStyle, Signer signer) {

  /** The default region, which most servers other than AWS accept. */
  private static final String DEFAULT_REGION = "us-east-1";

  /** The settings of a user; a setting that the user does not give is null or false. */
  public static final class Given {
    public URI endpoint;
    public String region;
    public Boolean pathStyle;
    public boolean anonymous;
    public Supplier<S3Credentials> credentials;
  }

  public static S3Settings of(Given given, Map<String, String> environment) {
    boolean anonymous = given.anonymous || isTrue(environment, "AWS_NO_SIGN_REQUEST");
    URI endpoint = given.endpoint != null ? given.endpoint : endpoint(environment, !anonymous);
    Signer signer = signer(given, environment, anonymous);
    boolean pathStyle = given.pathStyle != null ? given.pathStyle : endpoint != null;
    return new S3Settings(
        endpoint, region(given, environment, endpoint, !anonymous), pathStyle, signer);
  }

  private static Signer signer(Given given, Map<String, String> environment, boolean anonymous) {
    if (given.credentials != null) {
      return AwsSigner.of(given.credentials);
    }
    if (anonymous) {
      return Signer.NONE;
    }
    String id = environment.getOrDefault("AWS_ACCESS_KEY_ID", "").trim();
    String secret = environment.getOrDefault("AWS_SECRET_ACCESS_KEY", "").trim();
    if (id.isEmpty() || secret.isEmpty()) {
      return AwsSigner.byDefaultChain();
    }
    S3Credentials credentials =
        new S3Credentials(id, secret, environment.getOrDefault("AWS_SESSION_TOKEN", "").trim());
    return AwsSigner.of(() -> credentials);
  }

  private static URI endpoint(Map<String, String> environment, boolean profile) {
    if (isTrue(environment, "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")) {
      return null;
    }
    for (String name : new String[] {"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"}) {
      String value = environment.getOrDefault(name, "").trim();
      if (!value.isEmpty()) {
        return endpoint(name, value);
      }
    }
    String value = profile ? AwsSigner.profileProperty("endpoint_url") : "";
    return value.isEmpty() ? null : endpoint("endpoint_url of the AWS profile", value);
  }

  /** Parses an endpoint; {@code name} says for errors where the value comes from. */
  public static URI endpoint(String name, String value) {
    URI uri;
    try {
      uri = URI.create(value.endsWith("/") ? value.substring(0, value.length() - 1) : value);
    } catch (IllegalArgumentException noUri) {
      uri = URI.create("");
    }
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    boolean http = scheme.equals("http") || scheme.equals("https");
    if (!http
        || uri.getHost() == null
        || uri.getRawUserInfo() != null
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null) {
      // The message does not contain the value, which may have a password.
      throw new IllegalArgumentException(
          name + " must be an http or https URL of a host alone, such as http://localhost:9000");
    }
    return uri;
  }

  private static String region(
      Given given, Map<String, String> environment, URI endpoint, boolean profile) {
    String region = given.region;
    for (String name : new String[] {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
      region = region != null ? region : environment.get(name);
      region = region == null || region.isBlank() ? null : region.trim();
    }
    if (region == null && endpoint == null && profile) {
      region = AwsSigner.regionByDefaultChain();
    }
    if (region == null || region.isEmpty()) {
      return DEFAULT_REGION;
    }
    if (!region.matches("[A-Za-z0-9-]{1,64}")) {
      throw new IllegalArgumentException(
          "the AWS region must be letters, digits and hyphens, such as eu-central-1, was '"
              + region
              + "'");
    }
    return region;
  }

  private static boolean isTrue(Map<String, String> environment, String name) {
    return Boolean.parseBoolean(environment.getOrDefault(name, "").trim());
  }
}
