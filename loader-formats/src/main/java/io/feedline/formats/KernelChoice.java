package io.feedline.formats;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fastest kernels of one kind, which may become others in the first seconds of a process; all
 * of them give the same results. See {@link VectorApi}. Thread-safe.
 *
 * @param <K> the kind
 */
public final class KernelChoice<K> {

  private static final Logger LOG = LoggerFactory.getLogger(KernelChoice.class);

  /** So often in a row vectors must win: one measurement may have been disturbed. */
  private static final int WINS = 5;

  /** Longer than any compiler takes; a processor that prefers plain loops is left alone then. */
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private volatile Current<K> current;

  /**
   * What is the fastest now.
   *
   * @param shared for those who need no scratch space
   */
  private record Current<K>(Supplier<? extends K> maker, K shared) {
    static <K> Current<K> of(Supplier<? extends K> maker) {
      return new Current<>(maker, maker.get());
    }
  }

  private KernelChoice(Supplier<? extends K> maker) {
    this.current = Current.of(maker);
  }

  static <K> KernelChoice<K> of(Supplier<? extends K> maker) {
    return new KernelChoice<>(maker);
  }

  /** Plain kernels, until vector ones are faster. */
  static <K> KernelChoice<K> whenFaster(
      String name,
      Supplier<? extends K> plain,
      Supplier<? extends K> vectors,
      Consumer<? super K> exercise) {
    KernelChoice<K> choice = new KernelChoice<>(plain);
    Thread thread =
        new Thread(
            () -> choice.exercise(name, plain.get(), vectors, exercise),
            "feedline-warm-up-" + name);
    thread.setDaemon(true);
    thread.start();
    return choice;
  }

  private void exercise(
      String name, K plain, Supplier<? extends K> vectors, Consumer<? super K> exercise) {
    try {
      K vector = vectors.get();
      long begin = System.nanoTime();
      int wins = 0;
      while (wins < WINS) {
        if (System.nanoTime() - begin > PATIENCE_NANOS) {
          LOG.info("{} of vectors stay slower than plain ones, and are not used", name);
          return;
        }
        long start = System.nanoTime();
        exercise.accept(vector);
        long between = System.nanoTime();
        exercise.accept(plain);
        wins = between - start < System.nanoTime() - between ? wins + 1 : 0;
      }
      current = Current.of(vectors);
      LOG.debug("{} of vectors are used from now on", name);
    } catch (RuntimeException | Error broken) {
      LOG.warn("{} of vectors do not work, and are not used", name, broken);
    }
  }

  /** The kernels to use now, which all share. */
  public K shared() {
    return current.shared();
  }

  /** New kernels, with scratch space of their own. */
  public K create() {
    return current.maker().get();
  }

  /** Whether {@link #create} would make others than these. */
  public boolean isOutdated(K kernels) {
    return current.shared().getClass() != kernels.getClass();
  }
}
