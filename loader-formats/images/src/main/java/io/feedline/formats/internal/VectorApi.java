package io.feedline.formats.internal;

import io.feedline.internal.Circumstances;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The choice between the JDK's Vector API ({@code jdk.incubator.vector}) and plain loops; both give
 * the same bytes. The choice is made when the first image is opened, and one line of the log
 * reports it. The Vector API is used if the module is present ({@code --add-modules
 * jdk.incubator.vector}) and works, if vectors have {@value #MIN_BITS} bits or more (shorter
 * vectors gain little), if the JVM has the compiler C2 (without it each vector is an object), and
 * if the system property {@value #PROPERTY} is not {@code false}.
 *
 * <p>The classes that use the module are compiled separately from all others, so the code here
 * names them by strings. Thread-safe.
 */
public final class VectorApi {
  public static final String PROPERTY = "feedline.vector";
  private static final String MODULE = "jdk.incubator.vector";
  private static final int MIN_BITS = 256;

  private static final Logger LOG = LoggerFactory.getLogger(VectorApi.class);
  private static final VectorApi PROCESS =
      new VectorApi(
          ModuleLayer.boot().findModule(MODULE).map(VectorApi::read).isPresent(),
          System.getProperty("java.vm.info", ""),
          bits -> bits >= MIN_BITS);

  static {
    PROCESS.note();
  }

  private volatile boolean used;

  /**
   * Makes the choice. {@code compilers} is the property {@code java.vm.info}: "mixed mode, sharing"
   * if the JVM has all compilers of HotSpot.
   */
  VectorApi(boolean modulePresent, String compilers, IntPredicate wideEnough) {
    used = decide(modulePresent, compilers, wideEnough);
  }

  /**
   * Lets this module read the module of vectors. A module descriptor cannot declare that, because
   * javac with --release does not know incubator modules.
   */
  private static Module read(Module vectors) {
    return VectorApi.class.getModule().addReads(vectors);
  }

  private static boolean decide(boolean modulePresent, String compilers, IntPredicate wideEnough) {
    if ("false".equalsIgnoreCase(System.getProperty(PROPERTY))) {
      LOG.info("pixels are computed by plain kernels, since {} is false", PROPERTY);
      return false;
    }
    if (!modulePresent) {
      LOG.info(
          "pixels are computed by plain kernels; the JVM's option --add-modules {} gives faster"
              + " ones, which are worth their longer start from about 3000 images on, or 800 with"
              + " the flags in Feedline's guide, \"Memory and flags\"",
          MODULE);
      return false;
    }
    if (compilers.contains("emulated-client") || compilers.contains("interpreted mode")) {
      LOG.info(
          "pixels are computed by plain kernels: vectors need the JVM's compiler C2, and it runs"
              + " without ({})",
          compilers);
      return false;
    }
    try {
      int bits = load(MethodHandles.lookup(), IntSupplier.class, "VectorWidth").getAsInt();
      boolean wide = wideEnough.test(bits);
      LOG.info(
          "pixels are computed by {} kernels: this machine prefers vectors of {} bits",
          wide ? "vector" : "plain",
          bits);
      return wide;
    } catch (Unusable broken) {
      warn(broken);
      return false;
    }
  }

  /**
   * Returns the kernels to use from now on.
   *
   * @param lookup the caller's lookup, so that the classes of the caller's package need not be
   *     public
   * @param vector the simple name of the class in the caller's package that uses the Vector API;
   *     the class's constructor must run each of its loops once, so that a method that this JDK
   *     lacks fails here and not in the middle of an image
   */
  public static <K> K kernels(
      MethodHandles.Lookup lookup, Class<K> type, String vector, Supplier<? extends K> plain) {
    return PROCESS.choose(lookup, type, vector, plain);
  }

  /** Returns whether vector kernels compute pixels; fixed after an image is decoded and resized. */
  public static boolean inUse() {
    return PROCESS.used();
  }

  boolean used() {
    return used;
  }

  <K> K choose(
      MethodHandles.Lookup lookup, Class<K> type, String vector, Supplier<? extends K> plain) {
    if (used) {
      try {
        return load(lookup, type, vector);
      } catch (Unusable broken) {
        used = false;
        warn(broken);
        note();
      }
    }
    return plain.get();
  }

  private void note() {
    Circumstances.note("kernels", used ? "vector" : "plain");
  }

  private static void warn(Unusable broken) {
    LOG.warn(
        "pixels are computed by plain kernels: those on the Vector API of Java {} do not work",
        Runtime.version(),
        broken.getCause());
  }

  private static <K> K load(MethodHandles.Lookup lookup, Class<K> type, String simpleName)
      throws Unusable {
    String name = lookup.lookupClass().getPackageName() + "." + simpleName;
    try {
      Class<? extends K> found = lookup.findClass(name).asSubclass(type);
      return type.cast(lookup.findConstructor(found, MethodType.methodType(void.class)).invoke());
    } catch (ReflectiveOperationException | LinkageError | UnsupportedOperationException broken) {
      throw new Unusable(broken);
    } catch (RuntimeException | Error unexpected) {
      throw unexpected;
    } catch (Throwable checked) {
      throw new AssertionError(name + " declares checked exceptions", checked);
    }
  }

  /**
   * The failure of the Vector API or of a class that uses it. One cause is a JDK with another
   * version of the API than the version for which this library was compiled.
   */
  private static final class Unusable extends Exception {
    private static final long serialVersionUID = 1;

    Unusable(Throwable cause) {
      super(cause);
    }
  }
}
