package io.feedline.formats;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this process computes pixels by the JDK's Vector API ({@code jdk.incubator.vector}) or by
 * plain loops. Both give the same bytes; the former are faster. Nothing of this need be called by
 * users of the library: they start the JVM with {@code --add-modules jdk.incubator.vector}, or not.
 *
 * <p>Decided when the first picture is opened, and told in one line of the log. Vectors are used
 * where the module is present, works, has vectors of {@value #MIN_BITS} bits or more (with shorter
 * ones there is little to gain), and the system property {@value #PROPERTY} is not {@code false}.
 *
 * <p>Vectors are slow until the JIT compiler has seen much of them: seconds, in which every one is an
 * object. So each kind of kernels begins with plain loops, while a thread of its own exercises the
 * vector ones; when they have become faster than the plain ones, they take over. Where they never
 * do, they are given up. The property's value {@value #EAGER} takes them from the first picture on.
 *
 * <p>The classes that use the module are compiled apart from all others, so they are named by
 * strings here, and touched nowhere else. Thread-safe.
 */
public final class VectorApi {
  /** The system property that switches vectors off when it is {@code false}. */
  public static final String PROPERTY = "feedline.vector";

  /** The value of {@value #PROPERTY} that does not wait until vectors are the faster ones. */
  public static final String EAGER = "eager";

  private static final String MODULE = "jdk.incubator.vector";
  private static final int MIN_BITS = 256;

  private static final Logger LOG = LoggerFactory.getLogger(VectorApi.class);
  private static final VectorApi PROCESS =
      new VectorApi(ModuleLayer.boot().findModule(MODULE).isPresent(), bits -> bits >= MIN_BITS);

  private volatile boolean used;
  private final boolean eager = EAGER.equalsIgnoreCase(System.getProperty(PROPERTY));

  VectorApi(boolean modulePresent, IntPredicate wideEnough) {
    used = decide(modulePresent, wideEnough);
  }

  private static boolean decide(boolean modulePresent, IntPredicate wideEnough) {
    if ("false".equalsIgnoreCase(System.getProperty(PROPERTY))) {
      LOG.info("pixels are computed by plain kernels, since {} is false", PROPERTY);
      return false;
    }
    if (!modulePresent) {
      LOG.info(
          "pixels are computed by plain kernels; the JVM's option --add-modules {} gives faster"
              + " ones",
          MODULE);
      return false;
    }
    try {
      int bits = load(MethodHandles.lookup(), IntSupplier.class, "VectorWidth").getAsInt();
      boolean wide = wideEnough.test(bits);
      LOG.info(
          "pixels are computed by {} kernels: this machine prefers vectors of {} bits",
          wide ? "vector (once they are compiled)" : "plain",
          bits);
      return wide;
    } catch (Unusable broken) {
      warn(broken);
      return false;
    }
  }

  /**
   * Kernels of one kind: plain ones, and vector ones where they can be used.
   *
   * @param lookup of the caller, so that its package's classes need not be public
   * @param type what both kinds of kernels are
   * @param vector the simple name of the class in the caller's package that uses the Vector API;
   *     its constructor runs each of its loops once, so that a method which this JDK lacks is
   *     missed now and not in the middle of a picture
   * @param plain makes the others
   * @param exercise does with kernels what pictures do, for a millisecond or so
   */
  public static <K> KernelChoice<K> kernels(
      MethodHandles.Lookup lookup,
      Class<K> type,
      String vector,
      Supplier<? extends K> plain,
      Consumer<? super K> exercise) {
    return PROCESS.choose(lookup, type, vector, plain, exercise);
  }

  <K> KernelChoice<K> choose(
      MethodHandles.Lookup lookup,
      Class<K> type,
      String vector,
      Supplier<? extends K> plain,
      Consumer<? super K> exercise) {
    if (used) {
      try {
        load(lookup, type, vector);
        Supplier<K> vectors = () -> loadAgain(lookup, type, vector);
        return eager
            ? KernelChoice.of(vectors)
            : KernelChoice.whenFaster(type.getSimpleName(), plain, vectors, exercise);
      } catch (Unusable broken) {
        used = false;
        warn(broken);
      }
    }
    return KernelChoice.of(plain);
  }

  private static <K> K loadAgain(MethodHandles.Lookup lookup, Class<K> type, String vector) {
    try {
      return load(lookup, type, vector);
    } catch (Unusable impossible) {
      throw new IllegalStateException(vector + " worked before", impossible);
    }
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

  /** The Vector API, or a class that uses it, is not what this library was compiled with. */
  private static final class Unusable extends Exception {
    private static final long serialVersionUID = 1;

    Unusable(Throwable cause) {
      super(cause);
    }
  }
}
