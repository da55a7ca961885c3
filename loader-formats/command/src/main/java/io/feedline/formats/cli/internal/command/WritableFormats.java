package io.feedline.formats.cli.internal.command;

import io.feedline.formats.store.StoreFormat;
import java.util.Iterator;

/** The names of the formats that can be written, for the help text. */
public final class WritableFormats implements Iterable<String> {

  @Override
  public Iterator<String> iterator() {
    return StoreFormat.all().stream()
        .filter(StoreFormat::isWritable)
        .map(StoreFormat::name)
        .iterator();
  }
}
