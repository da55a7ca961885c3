package io.feedline.formats.remote.internal.cache;

import io.feedline.formats.remote.DiskCache;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The entries (kept lines) of a cache, and the choice of entries to delete. Thread-safe. */
final class CacheEntries {

  /** The idle time after which an entry that this process never used is deleted before others. */
  static final long STALE_MILLIS = TimeUnit.DAYS.toMillis(1);

  /** The limit of entries that one call of {@link #refreshPassedUses} looks at. */
  private static final int LOOKED_AT = 16;

  /**
   * The divisor of a line's length: the quotient is the largest number of bytes of a line that no
   * known read may need, such as bytes between samples. Applies if no entry must be deleted to keep
   * the line.
   */
  private static final int SLACK = 11;

  /** The number of samples before the present position whose reads may still be under way. */
  private static final int UNDER_WAY = 32;

  private static final Comparator<Entry> FARTHEST_FIRST =
      Comparator.comparingLong((Entry each) -> each.nextUse)
          .reversed()
          .thenComparing(each -> each.name);

  private static final Comparator<Entry> OLDEST_FIRST =
      Comparator.comparingLong((Entry each) -> each.tick)
          .thenComparingLong(each -> each.usedMillis)
          .thenComparing(each -> each.name);

  private static final class Entry {
    private final String name;
    private long bytes;

    /** The entry's line; null if another process wrote it and this process never used it. */
    private CacheLine line;

    private long usedMillis;

    /** The number of the last use among all uses in this process; 0 if never used. */
    private long tick;

    private long nextUse = NextUse.UNKNOWN;

    Entry(String name) {
      this.name = name;
    }
  }

  record Victim(String name, long bytes) {}

  private final Map<String, Entry> byName = new HashMap<>();
  private final TreeSet<Entry> byNextUse = new TreeSet<>(FARTHEST_FIRST);
  private final TreeSet<Entry> byAge = new TreeSet<>(OLDEST_FIRST);

  /** The offset of each order of reads; positions of all orders are comparable after adding it. */
  private final IdentityHashMap<NextUse, Long> orders = new IdentityHashMap<>();

  private long ticks;

  /** The entry at which {@link #refreshPassedUses} continues; null: at the beginning. */
  private @Nullable Entry lookedTo;

  /**
   * Adds an order, or looks up its uses again. On the common scale, its present position becomes
   * equal to the farthest present position of the other orders.
   */
  synchronized void add(NextUse order) {
    long position = order.position();
    orders.put(order, Math.max(position, now()) - position);
    askAgain();
  }

  /** Returns the farthest present position of all orders, on their common scale. */
  private long now() {
    long now = 0;
    for (Map.Entry<NextUse, Long> each : orders.entrySet()) {
      now = Math.max(now, each.getKey().position() + each.getValue());
    }
    return now;
  }

  synchronized void remove(NextUse order) {
    if (orders.remove(order) != null) {
      askAgain();
    }
  }

  private void askAgain() {
    byNextUse.clear();
    for (Entry each : byName.values()) {
      each.nextUse = each.line == null ? NextUse.UNKNOWN : nextUse(each.line);
      byNextUse.add(each);
    }
  }

  private long nextUse(CacheLine line) {
    long soonest = NextUse.UNKNOWN;
    for (Map.Entry<NextUse, Long> order : orders.entrySet()) {
      long next = order.getKey().nextUse(line.object(), line.number());
      if (next != NextUse.UNKNOWN && next != NextUse.NEVER) {
        next += order.getValue();
      }
      if (next != NextUse.UNKNOWN && (soonest == NextUse.UNKNOWN || next < soonest)) {
        soonest = next;
      }
    }
    return soonest;
  }

  /** Returns how many bytes known orders will read of a line, or {@link NextUse#UNKNOWN}. */
  private long bytesSpared(CacheLine line) {
    long spared = NextUse.UNKNOWN;
    for (NextUse order : orders.keySet()) {
      long bytes = order.bytesToCome(line.object(), line.number());
      if (bytes != NextUse.UNKNOWN) {
        spared = Math.min(line.length(), Math.max(spared, 0) + Math.min(line.length(), bytes));
      }
    }
    return spared;
  }

  synchronized boolean has(String name) {
    Entry entry = byName.get(name);
    return entry != null && entry.tick > 0;
  }

  /** Notes a use; returns the milliseconds since the last known use. */
  synchronized long used(String name, CacheLine line, long bytes, long nowMillis) {
    Entry entry = byName.computeIfAbsent(name, Entry::new);
    unlink(entry);
    long before = entry.usedMillis;
    entry.bytes = bytes;
    entry.line = line;
    entry.tick = ++ticks;
    entry.usedMillis = nowMillis;
    entry.nextUse = nextUse(line);
    link(entry);
    return nowMillis - before;
  }

  synchronized void remove(String name) {
    Entry entry = byName.remove(name);
    if (entry != null) {
      unlink(entry);
    }
  }

  synchronized void found(String name, long bytes, long usedMillis) {
    Entry entry = byName.computeIfAbsent(name, Entry::new);
    unlink(entry);
    entry.bytes = bytes;
    entry.usedMillis = Math.max(entry.usedMillis, usedMillis);
    link(entry);
  }

  synchronized void retain(Set<String> names) {
    Set<String> gone = new HashSet<>(byName.keySet());
    gone.removeAll(names);
    gone.forEach(this::remove);
  }

  private void link(Entry entry) {
    byNextUse.add(entry);
    byAge.add(entry);
  }

  private void unlink(Entry entry) {
    byNextUse.remove(entry);
    byAge.remove(entry);
  }

  /**
   * Returns entries whose deletion frees {@code bytes} for a line, of which the caller reads {@code
   * asked} bytes now; empty if there are not enough entries, or if keeping the line saves fewer
   * bytes than fetching it costs. For a null line, the least recently used entries are chosen.
   */
  synchronized Optional<List<Victim>> victims(
      @Nullable CacheLine line,
      int asked,
      long bytes,
      DiskCache.Eviction eviction,
      long now,
      Predicate<String> usable) {
    List<Victim> victims = new ArrayList<>();
    long freed = 0;
    long spared =
        line == null || eviction == DiskCache.Eviction.LEAST_RECENTLY_USED
            ? NextUse.UNKNOWN
            : bytesSpared(line);
    boolean isKnown = spared != NextUse.UNKNOWN;
    long gain = isKnown ? asked + spared - line.length() : 0;
    Set<String> chosen = new HashSet<>();
    for (Entry each : byAge) {
      if (freed >= bytes || each.tick > 0 || now - each.usedMillis < STALE_MILLIS) {
        break;
      }
      if (usable.test(each.name)) {
        victims.add(new Victim(each.name, each.bytes));
        chosen.add(each.name);
        freed += each.bytes;
      }
    }
    Iterator<Entry> rest;
    if (line == null || eviction == DiskCache.Eviction.LEAST_RECENTLY_USED) {
      rest = byAge.iterator();
    } else if (eviction == DiskCache.Eviction.FARTHEST_NEXT_USE) {
      rest = fartherThan(nextUse(line), bytes).iterator();
    } else {
      rest = List.<Entry>of().iterator();
    }
    while (freed < bytes && rest.hasNext()) {
      Entry each = rest.next();
      if (!chosen.contains(each.name) && usable.test(each.name)) {
        victims.add(new Victim(each.name, each.bytes));
        freed += each.bytes;
        gain -= isKnown ? Math.max(0, bytesSpared(each.line)) : 0;
      }
    }
    boolean isWorth = !isKnown || gain >= (victims.isEmpty() ? -line.length() / SLACK : 0);
    return freed >= bytes && isWorth ? Optional.of(victims) : Optional.empty();
  }

  /** Updates the next use of entries whose noted use has passed, maybe in another process. */
  private void refreshPassedUses() {
    long passed = now() - UNDER_WAY;
    Entry at = lookedTo;
    if (at == null) {
      at = new Entry(""); // without a known next use, so it sorts behind all others
    }
    for (int i = 0; i < LOOKED_AT; i++) {
      Entry next = byNextUse.lower(at);
      if (next == null || next.nextUse >= passed) {
        lookedTo = null;
        return;
      }
      long asked = nextUse(next.line);
      if (asked == next.nextUse) {
        at = next;
      } else {
        byNextUse.remove(next);
        next.nextUse = asked;
        byNextUse.add(next);
      }
    }
    lookedTo = new Entry(at.name);
    lookedTo.nextUse = at.nextUse;
  }

  /**
   * Returns entries that are next used after a position, the farthest use first. Together they have
   * about four times {@code bytes}, or less if there are not enough entries.
   */
  private List<Entry> fartherThan(long position, long bytes) {
    List<Entry> farther = new ArrayList<>();
    if (position == NextUse.UNKNOWN || byNextUse.isEmpty()) {
      return farther;
    }
    refreshPassedUses();
    long sum = 0;
    int corrections = 0;
    Entry head = byNextUse.first();
    while (head != null && head.nextUse > position && sum < 4 * bytes) {
      long now = nextUse(head.line);
      if (now == head.nextUse || corrections == byName.size()) {
        farther.add(head);
        sum += head.bytes;
        head = byNextUse.higher(head);
      } else {
        // The noted next use has passed, or the order has changed.
        corrections++;
        byNextUse.remove(head);
        head.nextUse = now;
        byNextUse.add(head);
        farther.clear();
        sum = 0;
        head = byNextUse.first();
      }
    }
    return farther;
  }
}
