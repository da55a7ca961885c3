package io.feedline.internal;

/** An object whose text is its name: in errors, in logs, in a debugger. */
public abstract class Named {

  public abstract String name();

  @Override
  public final String toString() {
    return name();
  }
}
