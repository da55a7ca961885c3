package io.feedline.internal;

/**
 * Work that is put off until a sample is written, and is charged to the {@link #stage} that asked
 * for it.
 */
public interface Charged {

  String stage();
}
