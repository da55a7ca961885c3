package io.feedline.spark;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The broken images that were left out: their number, and the error messages of the first ones. Not
 * thread-safe; serializable, so that tasks can send it to the driver.
 */
final class BrokenImages implements Serializable {

  private static final long serialVersionUID = 1;

  private static final Logger LOG = LoggerFactory.getLogger(BrokenImages.class);

  private static final int LISTED = 20;

  private final ArrayList<String> first = new ArrayList<>();
  private long count;

  /** Adds a broken image; the exception's message begins with the image's key or place. */
  void add(IOException broken) {
    add(1, List.of(broken.getMessage()));
  }

  void add(BrokenImages others) {
    add(others.count, others.first);
  }

  private void add(long more, List<String> listed) {
    count += more;
    listed.stream().limit(LISTED - first.size()).forEach(first::add);
  }

  /** Logs a warning if images are broken; {@code what} is the work done without them. */
  void log(String what) {
    if (count > 0) {
      LOG.warn("{} without broken images: {}", what, this);
    }
  }

  @Override
  public String toString() {
    return "%d left out%s:%n  %s"
        .formatted(
            count,
            count > first.size() ? ", of which the first are" : "",
            String.join(System.lineSeparator() + "  ", first));
  }
}
