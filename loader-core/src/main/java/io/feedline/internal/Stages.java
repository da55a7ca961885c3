package io.feedline.internal;

import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The stages to which a loader's time is charged: six of its own, then one for each name that is
 * given to {@code Dataset.map}, or for a user's class of transforms; numbered by first use.
 *
 * <p>Thread-safe; looking up a stage takes no lock.
 */
public final class Stages {
  public static final int READ = 0;
  public static final int TRANSFORM = 1;
  public static final int DECODE = 2;
  public static final int WRITE = 3;
  public static final int COLLATE = 4;
  public static final int BATCH_TRANSFORM = 5;

  public static final int OWN = 6;

  /** The largest number of stages; the time of further stages counts for {@link #TRANSFORM}. */
  private static final int MOST = 64;

  private static final String[] NAMES = {
    "reading", "transforming", "decoding", "writing", "collating", "batch transform"
  };

  /** The names of the library's classes, except the classes of its examples and benchmarks. */
  private static final Pattern OURS = Pattern.compile("io\\.feedline\\.(?!examples\\.|bench\\.)");

  private volatile String[] names = NAMES;

  /** Returns a user's name for a stage; refuses a blank name, and the name of a loader's stage. */
  public static String checked(String name) {
    if (Objects.requireNonNull(name, "stage").isBlank()) {
      throw new IllegalArgumentException("the name of a stage must not be blank");
    }
    if (isOwn(name)) {
      throw new IllegalArgumentException(
          "the loader has a stage '%s' of its own: choose another name than %s"
              .formatted(name, String.join(", ", NAMES)));
    }
    return name;
  }

  public static boolean explains(long part, long whole) {
    return explains((double) part, (double) whole);
  }

  /** Returns whether a part of a time is half of the whole or more, and so explains it. */
  public static boolean explains(double part, double whole) {
    return part >= whole / 2;
  }

  public static boolean isOwn(String name) {
    return Arrays.asList(NAMES).contains(name);
  }

  /**
   * Returns the stage to which a function is charged: its class's name if the class has a name and
   * is not this library's; null for other functions, such as lambdas.
   */
  public static @Nullable String nameOf(Object function) {
    if (function instanceof Charged charged) {
      return charged.stage();
    }
    Class<?> type = function.getClass();
    boolean ours = OURS.matcher(type.getName()).lookingAt();
    return ours || type.isHidden() || type.getSimpleName().isEmpty() ? null : type.getSimpleName();
  }

  public int number(String name) {
    int number = find(names, name);
    return number >= 0 ? number : add(name);
  }

  private synchronized int add(String name) {
    int number = find(names, name);
    if (number >= 0) {
      return number;
    }
    if (names.length == MOST) {
      return TRANSFORM;
    }
    String[] more = Arrays.copyOf(names, names.length + 1);
    more[names.length] = name;
    names = more;
    return more.length - 1;
  }

  private static int find(String[] names, String name) {
    for (int i = OWN; i < names.length; i++) {
      if (names[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  public String name(int number) {
    return names[number];
  }

  /** Returns the number of stages, which only grows. */
  public int count() {
    return names.length;
  }
}
