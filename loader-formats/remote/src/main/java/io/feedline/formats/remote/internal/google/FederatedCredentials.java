package io.feedline.formats.remote.internal.google;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.StoreException;
import io.feedline.formats.remote.internal.http.Request;
import io.feedline.formats.remote.internal.s3.HttpObjects;
import io.feedline.formats.remote.internal.token.Tokens;
import io.feedline.internal.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Google's credentials of the type {@code external_account} (AIP-4117, RFC 8693). */
final class FederatedCredentials {

  private static final String EXCHANGE = "https://sts.googleapis.com/v1/token";
  private static final String ANY_SCOPE = "https://www.googleapis.com/auth/cloud-platform";
  private static final String ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";
  private static final long DEFAULT_SECONDS = 3600;

  private final Path file;
  private final Map<?, ?> credentials;

  FederatedCredentials(Path file, Map<?, ?> credentials) {
    this.file = file;
    this.credentials = credentials;
  }

  Request request(String scope, Tokens tokens) throws IOException {
    boolean asAccount = credentials.containsKey("service_account_impersonation_url");
    Map<String, String> form = new TreeMap<>();
    form.put("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange");
    form.put("audience", text(credentials, "audience"));
    form.put("scope", asAccount ? ANY_SCOPE : scope);
    form.put("requested_token_type", ACCESS_TOKEN);
    form.put("subject_token_type", text(credentials, "subject_token_type"));
    form.put("subject_token", subject(tokens));
    URI server =
        credentials.containsKey("token_url")
            ? address(credentials, "token_url")
            : URI.create(EXCHANGE);
    Request exchange = Tokens.form(server, form);
    return asAccount ? ofAccount(scope, tokens.bearer(exchange)) : exchange;
  }

  private Request ofAccount(String scope, Map<String, String> authorization) throws IOException {
    long seconds =
        credentials.get("service_account_impersonation") instanceof Map<?, ?> options
                && options.get("token_lifetime_seconds") instanceof Long given
            ? given
            : DEFAULT_SECONDS;
    Map<String, String> headers = new TreeMap<>(authorization);
    headers.put("Content-Type", "application/json");
    headers.put("User-Agent", "feedline");
    String body = Json.write(Map.of("scope", List.of(scope), "lifetime", seconds + "s"));
    return new Request(
        "POST",
        address(credentials, "service_account_impersonation_url"),
        headers,
        ByteBuffer.wrap(body.getBytes(UTF_8)));
  }

  private String subject(Tokens tokens) throws IOException {
    Map<?, ?> source =
        credentials.get("credential_source") instanceof Map<?, ?> map ? map : Map.of();
    String content;
    if (source.containsKey("file")) {
      content = Tokens.text(Path.of(text(source, "file")));
    } else if (source.containsKey("url")) {
      Map<String, String> headers = new TreeMap<>();
      if (source.get("headers") instanceof Map<?, ?> given) {
        given.forEach((name, value) -> headers.put("" + name, "" + value));
      }
      content =
          tokens.ask(new Request("GET", address(source, "url"), headers, HttpObjects.NO_BODY));
    } else {
      throw new StoreException(
          file
              + ": of external_account the sources file and url are read, and credential_source has"
              + " neither; for others give a token (gcloud auth print-access-token)");
    }
    Map<?, ?> format = source.get("format") instanceof Map<?, ?> map ? map : Map.of();
    if (!"json".equals(format.get("type"))) {
      return content.trim();
    }
    try {
      return text(Json.read(content), text(format, "subject_token_field_name"));
    } catch (IllegalArgumentException noJson) {
      // The cause is left out, since it quotes the token.
      throw new StoreException(file + ": what credential_source leads to is no JSON");
    }
  }

  private String text(Map<?, ?> map, String name) throws IOException {
    return GoogleCredentials.text(file, map, name);
  }

  private URI address(Map<?, ?> map, String name) throws IOException {
    try {
      URI address = URI.create(text(map, name));
      if (address.getHost() != null && String.valueOf(address.getScheme()).matches("https?")) {
        return address;
      }
    } catch (IllegalArgumentException noUri) {
      // The cause is left out, since it quotes the address.
    }
    throw new StoreException(file + ": " + name + " of these credentials is no http address");
  }
}
