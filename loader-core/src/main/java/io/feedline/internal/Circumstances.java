package io.feedline.internal;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The facts about a process that statistics and reports state: the version of the libraries, and
 * the choices of other modules, such as the kernels of images. Thread-safe.
 */
public final class Circumstances {

  private static final Map<String, String> CHOSEN = new ConcurrentHashMap<>();

  private Circumstances() {}

  public static void note(String name, String choice) {
    CHOSEN.put(name, choice);
  }

  public static Map<String, String> chosen() {
    return new TreeMap<>(CHOSEN);
  }

  /** Returns Feedline's version, from its module or jar; a placeholder if neither has a version. */
  public static String version() {
    return Optional.ofNullable(Circumstances.class.getModule().getDescriptor())
        .flatMap(module -> module.rawVersion())
        .or(() -> Optional.ofNullable(Circumstances.class.getPackage().getImplementationVersion()))
        .orElse("(development)");
  }
}
