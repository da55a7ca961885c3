package io.feedline.formats.store.internal.staging;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.UUID;

final class WriterName {

  private WriterName() {}

  /** Returns a name that is unique among the processes of this machine, and new at each call. */
  static String onThisMachine() {
    return name("");
  }

  /** Returns a name that is unique among the processes of all machines, and new at each call. */
  static String anywhere() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException unnamed) {
      host = "a machine without a name";
    }
    return name(" on " + host);
  }

  private static String name(String where) {
    return String.format(
        Locale.ROOT,
        "process %d of %s%s since %s, %s",
        ProcessHandle.current().pid(),
        System.getProperty("user.name"),
        where,
        Instant.now().truncatedTo(ChronoUnit.SECONDS),
        UUID.randomUUID());
  }

  static String words(Object output, String name) {
    return "%s is being written by another writer: %s"
        .formatted(output, name.replaceFirst(", [^,]*$", ""));
  }
}
