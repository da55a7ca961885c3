package io.feedline.data;

import io.feedline.internal.Digest;
import io.feedline.internal.Lists;
import io.feedline.internal.Named;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

final class ListDataset<T> extends Named implements Dataset<T> {

  /** The greatest length of an element's text in a description. */
  private static final int MAX_CHARS = 200;

  private final List<T> samples;

  ListDataset(List<? extends T> samples) {
    this.samples = Lists.copyOf("samples", samples);
  }

  @Override
  public long size() {
    return samples.size();
  }

  @Override
  public T get(long index) {
    return samples.get((int) Objects.checkIndex(index, size()));
  }

  @Override
  public String describe(long index) {
    String described = Dataset.super.describe(index);
    if (index < 0 || index >= samples.size() || !isText(samples.get((int) index))) {
      return described;
    }
    String text = samples.get((int) index).toString();
    return "%s, '%s'"
        .formatted(
            described, text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + "...");
  }

  @Override
  public String name() {
    return "Dataset.of(list of " + samples.size() + ")";
  }

  @Override
  public String fingerprint() {
    Digest digest = new Digest();
    for (T sample : samples) {
      if (isText(sample)) {
        sample.toString().codePoints().forEach(digest::add);
        digest.add(-1);
      }
    }
    return name() + ":" + digest;
  }

  /** Tests whether a sample's {@code toString} has its value, and is equal in every process. */
  private static boolean isText(Object sample) {
    return sample instanceof CharSequence
        || sample instanceof Number
        || sample instanceof Boolean
        || sample instanceof Enum<?>
        || sample instanceof Path;
  }
}
