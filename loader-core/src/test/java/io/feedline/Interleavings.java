package io.feedline;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs a piece of code once for each sequence of choices that it can make, depth first: a small
 * model checker in the manner of Godefroid's VeriSoft. The code must be deterministic but for its
 * choices.
 */
final class Interleavings {

  /** The code that is run again and again. */
  interface Run {
    void run(Interleavings choices) throws Exception;
  }

  /** The choices of this run so far, and how many options each had. */
  private final List<Integer> chosen = new ArrayList<>();

  private final List<Integer> options = new ArrayList<>();
  private int next;

  private Interleavings() {}

  /** Explores all runs, and gives their number. */
  static long explore(Run code) throws Exception {
    Interleavings choices = new Interleavings();
    long runs = 0;
    do {
      choices.next = 0;
      try {
        code.run(choices);
      } catch (AssertionError | Exception e) {
        throw new AssertionError("with the choices " + choices.chosen, e);
      }
      runs++;
    } while (choices.advance());
    return runs;
  }

  /** One of 0 .. count-1; each of them in some run. */
  int among(int count) {
    if (next == chosen.size()) {
      chosen.add(0);
      options.add(count);
    } else if (options.get(next) != count) {
      throw new AssertionError(
          "choice %d had %d options, now it has %d".formatted(next, options.get(next), count));
    }
    return chosen.get(next++);
  }

  private boolean advance() {
    while (!chosen.isEmpty()) {
      int last = chosen.size() - 1;
      if (chosen.get(last) + 1 < options.get(last)) {
        chosen.set(last, chosen.get(last) + 1);
        return true;
      }
      chosen.remove(last);
      options.remove(last);
    }
    return false;
  }
}
