package io.feedline.internal;

/** Something that has a name, which is its text too: in errors, in logs, for a debugger. */
public abstract class Named {

  /** Returns the name. */
  public abstract String name();

  @Override
  public final String toString() {
    return name();
  }
}
