package io.feedline.formats.webdataset;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.webdataset.WebDataset.WebSample;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The samples of a tar archive: consecutive entries with one key. Used by one thread at a time.
 *
 * <p>If a sample fails, its exception takes the sample's place, and the next sample can be read. If
 * the archive fails, the exception takes the place of the sample that is being read, and no sample
 * follows.
 */
final class TarSampleReader implements Closeable {

  private final TarReader tar;
  private final Path shard;
  private final Predicate<String> wanted;
  private final long maxSampleBytes;

  /** The first entry of the next sample, once the sample before it has been read. */
  private Member lookahead;

  private final Map<String, FileRange> places = new LinkedHashMap<>();

  private boolean begun;
  private long start;

  private record Member(TarReader.Entry entry, Names.KeyAndSuffix name) {}

  TarSampleReader(TarReader tar, Path shard, Predicate<String> wanted, long maxSampleBytes) {
    this.tar = tar;
    this.shard = shard;
    this.wanted = wanted;
    this.maxSampleBytes = maxSampleBytes;
  }

  @Nullable WebSample next() throws IOException {
    Member member = first();
    if (member == null) {
      tar.requireEnd();
      return null;
    }
    start = member.entry().start();
    String key = member.name().key();
    Map<String, byte[]> fields = new LinkedHashMap<>();
    places.clear();
    long left = maxSampleBytes;
    FormatException failure = null;
    do {
      String suffix = member.name().suffix();
      long at = tar.dataStart();
      // A wrong size is noticed when the data is read.
      long size = Math.min(member.entry().size(), Long.MAX_VALUE - at);
      FileRange place = new FileRange(shard, at, size);
      if (places.putIfAbsent(suffix, place) != null) {
        failure = failure == null ? repeated(member) : failure;
      } else if (failure == null && wanted.test(suffix)) {
        try {
          byte[] data = tar.data(left);
          left -= data.length;
          fields.put(suffix, data);
        } catch (FormatException broken) {
          failure = broken;
        }
      }
      member = member();
    } while (member != null && member.name().key().equals(key));
    lookahead = member;
    if (failure != null) {
      throw failure;
    }
    return new WebSample(key, shard.toString(), Collections.unmodifiableMap(fields));
  }

  /** Passes over a sample, even a failing sample; returns its key, or null at the end. */
  @Nullable String skip() throws IOException {
    Member member = first();
    if (member == null) {
      tar.requireEnd();
      return null;
    }
    start = member.entry().start();
    String key = member.name().key();
    do {
      member = member();
    } while (member != null && member.name().key().equals(key));
    lookahead = member;
    return key;
  }

  Map<String, FileRange> places() {
    return Collections.unmodifiableMap(places);
  }

  long start() {
    return start;
  }

  private Member first() throws IOException {
    boolean atStart = !begun;
    begun = true;
    Member first = atStart ? member() : lookahead;
    // If reading fails before the next sample's first entry is found, no sample follows.
    lookahead = null;
    return first;
  }

  private Member member() throws IOException {
    TarReader.Entry entry;
    while ((entry = tar.next()) != null) {
      Names.KeyAndSuffix name = entry.regular() ? Names.split(entry.name()) : null;
      if (name != null) {
        return new Member(entry, name);
      }
    }
    return null;
  }

  private FormatException repeated(Member member) {
    return FormatException.in(
        shard,
        "entry %d '%s' at offset %d: sample '%s' has a field '%s' already"
            .formatted(
                member.entry().number(),
                Names.shown(member.entry().name()),
                member.entry().start(),
                Names.shown(member.name().key()),
                Names.shown(member.name().suffix())));
  }

  @Override
  public void close() throws IOException {
    tar.close();
  }
}
