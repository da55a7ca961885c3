package io.feedline.formats.remote.internal.hub;

import io.feedline.formats.remote.internal.s3.S3Settings;
import io.feedline.formats.remote.internal.token.Tokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The hub's address and token, by the variables of the environment that {@code huggingface_hub}
 * reads.
 */
public final class HubSettings {

  private HubSettings() {}

  public static URI endpoint(Map<String, String> environment) {
    String value = environment.getOrDefault("HF_ENDPOINT", "").trim();
    return S3Settings.endpoint("HF_ENDPOINT", value.isEmpty() ? "https://huggingface.co" : value);
  }

  /**
   * Returns a supplier of the token, or of an empty text if there is no token. The file that {@code
   * hf auth login} writes is read for each request.
   */
  public static Supplier<String> token(@Nullable String given, Map<String, String> environment) {
    String value = given != null ? given : environment.getOrDefault("HF_TOKEN", "").trim();
    if (given != null || !value.isEmpty()) {
      String token = checked(value);
      return () -> token;
    }
    String disabled = environment.getOrDefault("HF_HUB_DISABLE_IMPLICIT_TOKEN", "0");
    if (disabled.equals("1") || Boolean.parseBoolean(disabled)) {
      return () -> "";
    }
    Path file = file(environment);
    return () -> read(file);
  }

  private static Path file(Map<String, String> environment) {
    String named = environment.getOrDefault("HF_TOKEN_PATH", "");
    String home = environment.getOrDefault("HF_HOME", "");
    String caches = environment.getOrDefault("XDG_CACHE_HOME", "");
    if (!named.isEmpty()) {
      return Path.of(named);
    }
    if (!home.isEmpty()) {
      return Path.of(home, "token");
    }
    return caches.isEmpty()
        ? Path.of(System.getProperty("user.home"), ".cache", "huggingface", "token")
        : Path.of(caches, "huggingface", "token");
  }

  private static String read(Path file) {
    try {
      return Files.isRegularFile(file) ? checked(Tokens.text(file).trim()) : "";
    } catch (IOException unreadable) {
      throw new UncheckedIOException("the token of the hub cannot be read", unreadable);
    }
  }

  private static String checked(String token) {
    if (!token.chars().allMatch(each -> each > ' ' && each < 127)) {
      throw new IllegalArgumentException(
          "the token of the hub has a blank, a line break or another character that none may have");
    }
    return token;
  }
}
