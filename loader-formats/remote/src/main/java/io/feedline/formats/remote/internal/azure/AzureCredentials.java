package io.feedline.formats.remote.internal.azure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;

import io.feedline.formats.remote.internal.http.Request;
import io.feedline.formats.remote.internal.s3.HttpObjects;
import io.feedline.formats.remote.internal.s3.KeyText;
import io.feedline.formats.remote.internal.s3.V4Signature;
import io.feedline.formats.remote.internal.token.Tokens;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The credentials that sign requests to Azure: an account's key, a shared access signature, or
 * tokens of Microsoft Entra. Thread-safe.
 */
final class AzureCredentials {

  private static final String VERSION = "2021-12-02";
  private static final String SCOPE = "https://storage.azure.com/";

  /** The signed headers, in this order; the length and {@code x-ms-} headers are signed, too. */
  private static final List<String> SIGNED =
      List.of(
          "Content-MD5",
          "Content-Type",
          "Date",
          "If-Modified-Since",
          "If-Match",
          "If-None-Match",
          "If-Unmodified-Since",
          "Range");

  private final String account;
  private final byte @Nullable [] key;
  private final String sas;
  private final Tokens tokens;

  private AzureCredentials(String account, byte @Nullable [] key, String sas, Tokens tokens) {
    this.account = account;
    this.key = key;
    this.sas = sas;
    this.tokens = tokens;
  }

  static AzureCredentials ofKey(String account, String key) {
    try {
      return new AzureCredentials(account, Base64.getDecoder().decode(key.trim()), "", Tokens.NONE);
    } catch (IllegalArgumentException wrong) {
      // The cause is left out, since it quotes a character of the key.
      throw new IllegalArgumentException("the key of the Azure account is not Base64");
    }
  }

  /** Returns the credentials of a shared access signature, with or without a '?' in front. */
  static AzureCredentials ofSas(String account, String sas) {
    String query = sas.trim().replaceFirst("^\\?", "");
    if (!query.matches("[\\x21-\\x7E]*sig=[\\x21-\\x7E]*")) {
      throw new IllegalArgumentException(
          "the shared access signature must be the query of an address, with sv=...&sig=...");
    }
    return new AzureCredentials(account, null, query, Tokens.NONE);
  }

  static AzureCredentials ofTokens(String account, Tokens tokens) {
    return new AzureCredentials(account, null, "", tokens);
  }

  /** Returns the credentials of a service principal, a workload or the machine's identity. */
  static AzureCredentials byEntra(String account, Map<String, String> environment) {
    String tenant = environment.getOrDefault("AZURE_TENANT_ID", "").trim();
    String client = environment.getOrDefault("AZURE_CLIENT_ID", "").trim();
    String secret = environment.getOrDefault("AZURE_CLIENT_SECRET", "").trim();
    String file = environment.getOrDefault("AZURE_FEDERATED_TOKEN_FILE", "").trim();
    String authority =
        environment
            .getOrDefault("AZURE_AUTHORITY_HOST", "https://login.microsoftonline.com")
            .trim();
    if (!tenant.isEmpty() && !client.isEmpty() && !(secret.isEmpty() && file.isEmpty())) {
      URI server =
          URI.create(
              authority.replaceFirst("/$", "")
                  + "/"
                  + KeyText.encodedValue(tenant)
                  + "/oauth2/v2.0/token");
      return ofTokens(
          account,
          new Tokens(
              "the token of the Azure client AZURE_CLIENT_ID",
              tokens -> Tokens.form(server, form(client, secret, file))));
    }
    return ofTokens(
        account,
        new Tokens(
            "Azure's credentials, by the machine's managed identity since none of"
                + " AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN, AZURE_STORAGE_CONNECTION_STRING and"
                + " AZURE_CLIENT_SECRET is set (the option anonymous reads without any)",
            tokens -> managed(client, environment)));
  }

  private static Map<String, String> form(String client, String secret, String file)
      throws IOException {
    Map<String, String> form = new TreeMap<>();
    form.put("grant_type", "client_credentials");
    form.put("client_id", client);
    form.put("scope", SCOPE + ".default");
    if (secret.isEmpty()) {
      form.put("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
      form.put("client_assertion", Tokens.text(Path.of(file)).trim());
    } else {
      form.put("client_secret", secret);
    }
    return form;
  }

  /**
   * Returns the request for a token of the machine's identity: to the server that the environment
   * names, as in App Service, or else to the metadata server of the virtual machine.
   */
  private static Request managed(String client, Map<String, String> environment) {
    String endpoint = environment.getOrDefault("IDENTITY_ENDPOINT", "").trim();
    String header = environment.getOrDefault("IDENTITY_HEADER", "").trim();
    boolean isService = !endpoint.isEmpty() && !header.isEmpty();
    String address =
        (isService ? endpoint : "http://169.254.169.254/metadata/identity/oauth2/token")
            + "?api-version="
            + (isService ? "2019-08-01" : "2018-02-01")
            + "&resource="
            + KeyText.encodedValue(SCOPE)
            + (client.isEmpty() ? "" : "&client_id=" + KeyText.encodedValue(client));
    return new Request(
        "GET",
        URI.create(address),
        isService ? Map.of("X-IDENTITY-HEADER", header) : Map.of("Metadata", "true"),
        HttpObjects.NO_BODY);
  }

  boolean isAnonymous() {
    return key == null && sas.isEmpty() && tokens == Tokens.NONE;
  }

  boolean renew(long signedNanos) throws IOException {
    return tokens.renew(signedNanos);
  }

  Request sign(String method, URI address, Map<String, String> headers, ByteBuffer body)
      throws IOException {
    Map<String, String> all = new TreeMap<>(headers);
    all.put("x-ms-version", VERSION);
    all.put("x-ms-date", RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)));
    if (key != null) {
      all.put(
          "Authorization",
          "SharedKey " + account + ":" + signature(method, address, all, body.remaining()));
    }
    all.putAll(tokens.headers());
    URI signed =
        sas.isEmpty()
            ? address
            : URI.create(address + (address.getRawQuery() == null ? "?" : "&") + sas);
    return new Request(method, signed, all, body);
  }

  /** Returns a request's signature, see "Authorize with Shared Key" in Azure's documentation. */
  private String signature(String method, URI address, Map<String, String> headers, int bodyBytes) {
    List<String> lines = new ArrayList<>(List.of(method, "", ""));
    lines.add(bodyBytes == 0 ? "" : Integer.toString(bodyBytes));
    SIGNED.forEach(each -> lines.add(headers.getOrDefault(each, "")));
    headers.entrySet().stream()
        .filter(each -> each.getKey().toLowerCase(Locale.ROOT).startsWith("x-ms-"))
        .map(each -> each.getKey().toLowerCase(Locale.ROOT) + ":" + each.getValue().trim())
        .sorted()
        .forEach(lines::add);
    lines.add("/" + account + address.getRawPath());
    if (address.getRawQuery() != null) {
      TreeMap<String, List<String>> query = new TreeMap<>();
      for (String each : address.getRawQuery().split("&", -1)) {
        String[] pair = each.split("=", 2);
        query
            .computeIfAbsent(pair[0].toLowerCase(Locale.ROOT), name -> new ArrayList<>())
            .add(pair.length == 1 ? "" : URLDecoder.decode(pair[1], UTF_8));
      }
      query.forEach(
          (name, values) ->
              lines.add(name + ":" + values.stream().sorted().collect(Collectors.joining(","))));
    }
    return Base64.getEncoder().encodeToString(V4Signature.hmac(key, String.join("\n", lines)));
  }

  @Override
  public String toString() {
    return "AzureCredentials";
  }
}
