package io.feedline.internal;

/**
 * Work that is deferred until a sample is written; its time counts for the {@link #stage} that
 * requested the work.
 */
public interface Charged {

  String stage();
}
