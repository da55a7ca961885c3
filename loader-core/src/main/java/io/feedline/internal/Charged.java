package io.feedline.internal;

/**
 * Work that is put off until a sample is written, and is charged to the stage that asked for it.
 */
public interface Charged {

  /** Returns the name of that stage. */
  String stage();
}
