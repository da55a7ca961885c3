package io.feedline.sampler;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The words of one PyTorch generator, from any position on. The stream remembers its state at the
 * positions used last, so that consecutive epochs do not replay the generator from its seed.
 * Thread-safe.
 */
final class TorchStream {

  /** The largest number of states kept, of 2.5 KB each. */
  private static final int REMEMBERED = 8;

  private final TorchRandom origin;
  private final Map<Long, TorchRandom> states = new LinkedHashMap<>();

  TorchStream(TorchRandom generator) {
    this.origin = generator.copy();
  }

  /** Returns a new generator at this position, for the caller alone. */
  TorchRandom at(long position) {
    TorchRandom generator = nearest(position);
    generator.skip(position - positionOf(generator));
    remember(generator);
    return generator;
  }

  /** Keeps a copy of the state of a generator that {@link #at} gave. */
  synchronized void remember(TorchRandom generator) {
    long position = positionOf(generator);
    states.remove(position);
    states.put(position, generator.copy());
    if (states.size() > REMEMBERED) {
      Iterator<Long> eldest = states.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
  }

  private synchronized TorchRandom nearest(long position) {
    TorchRandom best = origin;
    for (TorchRandom state : states.values()) {
      if (positionOf(state) <= position && positionOf(state) > positionOf(best)) {
        best = state;
      }
    }
    return best.copy();
  }

  private long positionOf(TorchRandom generator) {
    return generator.words() - origin.words();
  }
}
