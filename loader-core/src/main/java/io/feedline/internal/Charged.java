package io.feedline.internal;

/** Deferred work of a sample; its time counts for the {@link #stage} that requested the work. */
public interface Charged {

  String stage();
}
