package io.feedline.formats.remote.internal.cache;

import io.feedline.formats.remote.internal.s3.RemoteObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Reads in a random order that is known in advance; one thread goes through them. */
final class KnownReads implements NextUse {

  private final List<RemoteObject> reads;
  private final Map<RemoteObject, List<Integer>> positions = new HashMap<>();
  private volatile int position;

  private KnownReads(List<RemoteObject> reads) {
    this.reads = reads;
    for (int i = 0; i < reads.size(); i++) {
      positions.computeIfAbsent(reads.get(i), absent -> new ArrayList<>()).add(i);
    }
  }

  /** Returns epochs that read each object once, in a random order. */
  static KnownReads shuffled(List<RemoteObject> objects, int epochs, long seed) {
    Random random = new Random(seed);
    List<RemoteObject> reads = new ArrayList<>();
    for (int epoch = 0; epoch < epochs; epoch++) {
      List<RemoteObject> order = new ArrayList<>(objects);
      Collections.shuffle(order, random);
      reads.addAll(order);
    }
    return new KnownReads(reads);
  }

  /** Returns reads that are drawn with replacement, half of them from a tenth of the objects. */
  static KnownReads drawn(List<RemoteObject> objects, int count, long seed) {
    Random random = new Random(seed);
    List<RemoteObject> reads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int among = random.nextBoolean() ? objects.size() / 10 : objects.size();
      reads.add(objects.get(random.nextInt(among)));
    }
    return new KnownReads(reads);
  }

  int size() {
    return reads.size();
  }

  /** Goes to a read. */
  RemoteObject at(int newPosition) {
    position = newPosition;
    return reads.get(newPosition);
  }

  @Override
  public long nextUse(RemoteObject object, long line) {
    return nextUse(object, position);
  }

  private long nextUse(RemoteObject object, int after) {
    for (int each : positions.getOrDefault(object, List.of())) {
      if (each > after) {
        return each;
      }
    }
    return NEVER;
  }

  /**
   * Returns the most hits that any choice has with room for some objects of one size: Belady's MIN,
   * in which the object that is needed last leaves, be it the new one.
   */
  int mostHits(int room) {
    Set<RemoteObject> kept = new HashSet<>();
    int hits = 0;
    for (int i = 0; i < reads.size(); i++) {
      RemoteObject object = reads.get(i);
      if (kept.contains(object)) {
        hits++;
        continue;
      }
      kept.add(object);
      if (kept.size() > room) {
        RemoteObject last = null;
        for (RemoteObject each : kept) {
          if (last == null || nextUse(each, i) > nextUse(last, i)) {
            last = each;
          }
        }
        kept.remove(last);
      }
    }
    return hits;
  }
}
