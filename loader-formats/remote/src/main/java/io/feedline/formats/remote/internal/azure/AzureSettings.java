package io.feedline.formats.remote.internal.azure;

import io.feedline.formats.remote.internal.s3.S3Settings;
import io.feedline.formats.remote.internal.token.Tokens;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The account and credentials of Azure. A user's settings come first, then the variables of the
 * environment that Azure's command line reads.
 */
public final class AzureSettings {

  /** The connection string of the emulator Azurite, whose key is public. */
  private static final String DEVELOPMENT =
      "AccountName=devstoreaccount1;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;"
          + "BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1";

  private AzureSettings() {}

  /**
   * Returns the addressing by a user's settings; the environment replaces absent settings. {@code
   * endpoint} and {@code tokens} are null if absent; {@code given} may have {@code account}, {@code
   * account-key} and {@code sas}. Throws an {@link IllegalArgumentException} that names a missing
   * or impossible setting.
   */
  public static AzureAddressing of(
      URI root,
      @Nullable URI endpoint,
      Map<String, String> given,
      @Nullable Tokens tokens,
      Map<String, String> environment) {
    Map<String, String> parts =
        parts(environment.getOrDefault("AZURE_STORAGE_CONNECTION_STRING", "").trim());
    String configured =
        first(
            given.getOrDefault("account", ""),
            parts.getOrDefault("AccountName", ""),
            parts.getOrDefault("BlobEndpoint", "").replaceFirst("https?://([^.]*).*", "$1"),
            environment.getOrDefault("AZURE_STORAGE_ACCOUNT", ""));
    boolean isNamed = !root.getScheme().equals("az");
    String account = isNamed ? root.getHost().replaceFirst("\\..*", "") : configured;
    if (account.isEmpty()) {
      throw new IllegalArgumentException(
          "az:// needs an account: set AZURE_STORAGE_ACCOUNT or AZURE_STORAGE_CONNECTION_STRING, or"
              + " give the option account");
    }
    if (!account.matches("[a-z0-9]{3,24}")) {
      throw new IllegalArgumentException(
          "an Azure account has 3 to 24 lower case letters and digits");
    }
    URI server = endpoint;
    if (server == null && !isNamed) {
      String named = parts.getOrDefault("BlobEndpoint", "");
      server =
          S3Settings.endpoint(
              "BlobEndpoint of AZURE_STORAGE_CONNECTION_STRING",
              named.isEmpty()
                  ? parts.getOrDefault("DefaultEndpointsProtocol", "https")
                      + "://"
                      + account
                      + ".blob."
                      + parts.getOrDefault("EndpointSuffix", "core.windows.net")
                  : named);
    }
    boolean isOthers = isNamed && !account.equals(configured);
    return new AzureAddressing(
        server == null ? URI.create("https://" + root.getRawAuthority()) : server,
        !isNamed,
        isOthers && tokens == null
            ? ofOthers(account, environment)
            : credentials(account, given, tokens, parts, environment));
  }

  private static AzureCredentials ofOthers(String account, Map<String, String> environment) {
    return environment.containsKey("AZURE_CLIENT_SECRET")
            || environment.containsKey("AZURE_FEDERATED_TOKEN_FILE")
        ? AzureCredentials.byEntra(account, environment)
        : AzureCredentials.ofTokens(account, Tokens.NONE);
  }

  private static AzureCredentials credentials(
      String account,
      Map<String, String> given,
      @Nullable Tokens tokens,
      Map<String, String> parts,
      Map<String, String> environment) {
    if (tokens != null) {
      return AzureCredentials.ofTokens(account, tokens);
    }
    boolean own = given.containsKey("account-key") || given.containsKey("sas");
    String key =
        first(
            given.getOrDefault("account-key", ""),
            own ? "" : parts.getOrDefault("AccountKey", ""),
            own ? "" : environment.getOrDefault("AZURE_STORAGE_KEY", ""));
    if (!key.isEmpty()) {
      return AzureCredentials.ofKey(account, key);
    }
    String sas =
        first(
            given.getOrDefault("sas", ""),
            parts.getOrDefault("SharedAccessSignature", ""),
            environment.getOrDefault("AZURE_STORAGE_SAS_TOKEN", ""));
    return sas.isEmpty()
        ? AzureCredentials.byEntra(account, environment)
        : AzureCredentials.ofSas(account, sas);
  }

  private static Map<String, String> parts(String connection) {
    Map<String, String> parts = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    boolean development = connection.equalsIgnoreCase("UseDevelopmentStorage=true");
    for (String each : (development ? DEVELOPMENT : connection).split(";", -1)) {
      int equals = each.indexOf('=');
      if (equals > 0) {
        parts.put(each.substring(0, equals).trim(), each.substring(equals + 1).trim());
      }
    }
    return parts;
  }

  private static String first(String... values) {
    for (String each : values) {
      if (!each.isBlank()) {
        return each.trim();
      }
    }
    return "";
  }
}
