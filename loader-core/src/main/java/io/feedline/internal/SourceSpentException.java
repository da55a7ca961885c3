package io.feedline.internal;

/**
 * The failure of a second attempt to read a source that can be read only once. No error policy
 * tolerates it: otherwise an epoch would silently have no samples.
 */
public final class SourceSpentException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  public SourceSpentException(String dataset) {
    super(
        "%s can be read once, and its one epoch has been begun: for another epoch make a dataset and a loader over a new source, or declare a source that can be opened again by IterableDataset.from instead of once"
            .formatted(dataset));
  }
}
