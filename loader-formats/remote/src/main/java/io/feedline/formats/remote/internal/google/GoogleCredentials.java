package io.feedline.formats.remote.internal.google;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.StoreException;
import io.feedline.formats.remote.internal.http.Request;
import io.feedline.formats.remote.internal.s3.HttpObjects;
import io.feedline.formats.remote.internal.token.Tokens;
import io.feedline.internal.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** Application default credentials: from a named file, gcloud's file, or a metadata server. */
final class GoogleCredentials {

  private static final String SCOPE = "https://www.googleapis.com/auth/devstorage.read_write";
  private static final URI TOKENS = URI.create("https://oauth2.googleapis.com/token");
  private static final long JWT_SECONDS = 3600;

  private GoogleCredentials() {}

  /** Returns the tokens by variables of the environment; reads files when a token is needed. */
  static Tokens of(Map<String, String> environment) {
    String named = environment.getOrDefault("GOOGLE_APPLICATION_CREDENTIALS", "").trim();
    Path file = named.isEmpty() ? ofGcloud(environment) : Path.of(named);
    if (!named.isEmpty() || Files.exists(file)) {
      return new Tokens("the token of " + file, tokens -> byFile(file, tokens));
    }
    String host = environment.getOrDefault("GCE_METADATA_HOST", "").trim();
    URI address =
        URI.create(
            "http://"
                + (host.isEmpty() ? "metadata.google.internal" : host)
                + "/computeMetadata/v1/instance/service-accounts/default/token");
    return new Tokens(
        "Google's credentials, by the metadata server since neither GOOGLE_APPLICATION_CREDENTIALS"
            + " nor a login by gcloud is there (the option anonymous reads without any)",
        tokens ->
            new Request("GET", address, Map.of("Metadata-Flavor", "Google"), HttpObjects.NO_BODY));
  }

  private static Path ofGcloud(Map<String, String> environment) {
    String directory = environment.getOrDefault("CLOUDSDK_CONFIG", "");
    String name = "application_default_credentials.json";
    if (!directory.isEmpty()) {
      return Path.of(directory, name);
    }
    String windows = environment.getOrDefault("APPDATA", "");
    return windows.isEmpty()
        ? Path.of(environment.getOrDefault("HOME", "/nowhere"), ".config", "gcloud", name)
        : Path.of(windows, "gcloud", name);
  }

  private static Request byFile(Path file, Tokens tokens) throws IOException {
    Map<String, Object> key;
    try {
      key = Json.read(Tokens.text(file));
    } catch (IllegalArgumentException noJson) {
      // The cause is left out, since it quotes the file.
      throw new StoreException(file + ": this is no JSON, as Google's credentials are");
    }
    String type = String.valueOf(key.get("type"));
    return switch (type) {
      case "service_account" -> byKey(file, key);
      case "authorized_user" ->
          Tokens.form(
              TOKENS,
              Map.of(
                  "grant_type",
                  "refresh_token",
                  "client_id",
                  text(file, key, "client_id"),
                  "client_secret",
                  text(file, key, "client_secret"),
                  "refresh_token",
                  text(file, key, "refresh_token")));
      case "external_account" -> new FederatedCredentials(file, key).request(SCOPE, tokens);
      default ->
          throw new StoreException(
              file
                  + ": credentials of the types service_account, authorized_user and external_account"
                  + " are read; for others give a token (gcloud auth print-access-token)");
    };
  }

  static String text(Path file, Map<?, ?> key, String name) throws IOException {
    if (key.get(name) instanceof String value) {
      return value;
    }
    throw new StoreException(file + ": these credentials have no " + name);
  }

  /** Returns a request for a token of a service account, signed by the account's key (RFC 7523). */
  private static Request byKey(Path file, Map<String, Object> key) throws IOException {
    URI server = key.get("token_uri") instanceof String named ? URI.create(named) : TOKENS;
    long now = Instant.now().getEpochSecond();
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", text(file, key, "client_email"));
    claims.put("scope", SCOPE);
    claims.put("aud", server.toString());
    claims.put("iat", now);
    claims.put("exp", now + JWT_SECONDS);
    String signed =
        base64(Json.write(Map.of("alg", "RS256", "typ", "JWT")).getBytes(UTF_8))
            + "."
            + base64(Json.write(claims).getBytes(UTF_8));
    String pem = text(file, key, "private_key").replaceAll("-----[^-]+-----|\\s", "");
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(
          KeyFactory.getInstance("RSA")
              .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem))));
      signature.update(signed.getBytes(UTF_8));
      return Tokens.form(
          server,
          Map.of(
              "grant_type",
              "urn:ietf:params:oauth:grant-type:jwt-bearer",
              "assertion",
              signed + "." + base64(signature.sign())));
    } catch (GeneralSecurityException | IllegalArgumentException broken) {
      // The cause is left out, since it may quote the key.
      throw new StoreException(file + ": the private key of these credentials cannot be read");
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
