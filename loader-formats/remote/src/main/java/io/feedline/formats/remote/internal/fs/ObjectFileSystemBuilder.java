package io.feedline.formats.remote.internal.fs;

import io.feedline.formats.remote.RemoteFileSystem;
import io.feedline.formats.remote.RemoteFileSystem.S3Credentials;
import io.feedline.formats.remote.internal.azure.AzureAddressing;
import io.feedline.formats.remote.internal.azure.AzureSettings;
import io.feedline.formats.remote.internal.google.GoogleAddressing;
import io.feedline.formats.remote.internal.http.RequestPolicy;
import io.feedline.formats.remote.internal.http.Requests;
import io.feedline.formats.remote.internal.hub.HubAddressing;
import io.feedline.formats.remote.internal.hub.HubSettings;
import io.feedline.formats.remote.internal.s3.Addressing;
import io.feedline.formats.remote.internal.s3.HttpObjects;
import io.feedline.formats.remote.internal.s3.PlainAddressing;
import io.feedline.formats.remote.internal.s3.S3Addressing;
import io.feedline.formats.remote.internal.s3.S3Settings;
import io.feedline.formats.remote.internal.token.Tokens;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A builder with the options that users name, and other methods for tests. Not thread-safe. */
final class ObjectFileSystemBuilder {
  private final ObjectFileSystemProvider provider;
  private final URI root;
  private final S3Settings.Given given = new S3Settings.Given();
  private final Map<String, String> azure = new TreeMap<>();
  private @Nullable String token;
  private RequestPolicy policy = RequestPolicy.DEFAULT;
  private long mostListed;
  private int partBytes = PartUpload.PART_BYTES;
  private Map<String, String> environment = System.getenv();
  private LongSupplier clock = System::nanoTime;
  private Runnable closed = () -> {};

  ObjectFileSystemBuilder(URI root) {
    this.provider = ObjectFileSystemProvider.of(root);
    this.root = root;
  }

  ObjectFileSystemBuilder options(Map<String, ?> options) {
    new TreeMap<String, Object>(options).forEach(this::option);
    return this;
  }

  private void option(String name, Object value) {
    String text = name.equals("credentials") ? "" : String.valueOf(value);
    switch (name) {
      case "endpoint" -> given("endpoint", "s3", "gs", "az", "hf").endpoint = endpoint(value, text);
      case "region" -> given("region", "s3").region = text;
      case "path-style" -> given("pathStyle", "s3").pathStyle = Boolean.parseBoolean(text);
      case "anonymous" -> {
        if (Boolean.parseBoolean(text)) {
          given("anonymous", "s3", "gs", "az", "hf").anonymous = true;
        }
      }
      case "credentials" -> given("credentials", "s3").credentials = credentials(value);
      case "connections" -> policy = policy.withConnections(connections(text));
      case "listed-objects" -> mostListed = objects(text);
      case "token" -> {
        given("token", "gs", "az", "hf");
        token = text;
      }
      case "account", "account-key", "sas" -> {
        given(name, "az");
        azure.put(name, text);
      }
      default ->
          throw new IllegalArgumentException(
              "there is no option '%s'; known are account, account-key, anonymous, connections, credentials, endpoint, listed-objects, path-style, region, sas, shared, token"
                  .formatted(name));
    }
  }

  static int connections(String text) {
    int connections = text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : 0;
    if (connections < 1) {
      throw new IllegalArgumentException("connections must be 1 or more, was " + text);
    }
    return connections;
  }

  private static long objects(String text) {
    long objects = Long.parseLong(text);
    if (objects < 1) {
      throw new IllegalArgumentException("listed-objects must be 1 or more, was " + objects);
    }
    return objects;
  }

  private S3Settings.Given given(String option, String... schemes) {
    if (!List.of(schemes).contains(provider.getScheme())) {
      throw new IllegalArgumentException(
          option + " is an option of " + String.join(" and ", schemes) + " only");
    }
    return given;
  }

  /** Parses an endpoint; {@link RemoteFileSystem.Builder#endpoint} passes a URI as value. */
  private static URI endpoint(Object value, String text) {
    return S3Settings.endpoint(value instanceof URI ? "the endpoint" : "the option endpoint", text);
  }

  private static Supplier<S3Credentials> credentials(Object value) {
    if (value instanceof S3Credentials given) {
      return () -> given;
    }
    if (value instanceof Supplier<?> source) {
      return () -> (S3Credentials) source.get();
    }
    // The message does not contain the value, which may be a secret.
    throw new IllegalArgumentException("the option credentials must be S3Credentials");
  }

  ObjectFileSystemBuilder policy(RequestPolicy newPolicy) {
    policy = newPolicy;
    return this;
  }

  /** Sets the length of a part of an upload in bytes; real servers require 5 MiB or more. */
  ObjectFileSystemBuilder partBytes(int bytes) {
    partBytes = bytes;
    return this;
  }

  ObjectFileSystemBuilder environment(Map<String, String> variables) {
    environment = variables;
    return this;
  }

  ObjectFileSystemBuilder clock(LongSupplier nanos) {
    clock = nanos;
    return this;
  }

  ObjectFileSystemBuilder whenClosed(Runnable action) {
    closed = action;
    return this;
  }

  private Addressing addressing(Requests requests) {
    return switch (provider.getScheme()) {
      case "s3" -> new S3Addressing(S3Settings.of(given, environment));
      case "hf" ->
          new HubAddressing(
              given.endpoint == null ? HubSettings.endpoint(environment) : given.endpoint,
              HubSettings.token(given.anonymous ? "" : token, environment),
              requests);
      case "gs" -> GoogleAddressing.of(given.endpoint, tokens(), environment);
      case "az" -> azure();
      default ->
          String.valueOf(root.getHost()).endsWith(".blob.core.windows.net")
              ? azure()
              : new PlainAddressing();
    };
  }

  private AzureAddressing azure() {
    return AzureSettings.of(root, given.endpoint, azure, tokens(), environment);
  }

  /** Returns the tokens that options set; null if the environment's credentials apply. */
  private @Nullable Tokens tokens() {
    return given.anonymous ? Tokens.NONE : token == null ? null : Tokens.of(token);
  }

  /** Builds the file system, which the caller closes. No request is sent yet. */
  ObjectFileSystem build() {
    Requests requests = new Requests(policy);
    HttpObjects objects = new HttpObjects(addressing(requests), requests, mostListed);
    Runnable ended = closed;
    return new ObjectFileSystem(
        provider,
        root,
        objects,
        objects,
        partBytes,
        clock,
        () -> {
          ended.run();
          objects.close();
        });
  }
}
