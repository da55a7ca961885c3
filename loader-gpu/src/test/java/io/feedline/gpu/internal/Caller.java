package io.feedline.gpu.internal;

import java.lang.StackWalker.StackFrame;

/** Finds who called the driver, for messages: the frame above the binding and the fake. */
final class Caller {

  private static final StackWalker STACK = StackWalker.getInstance();
  private static final String HERE = Caller.class.getPackageName() + ".";

  private Caller() {}

  static String here() {
    String place =
        STACK.walk(
            frames ->
                frames
                    .filter(Caller::outside)
                    .findFirst()
                    .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                    .orElse("an unknown place"));
    return "at %s in thread '%s'".formatted(place, Thread.currentThread().getName());
  }

  private static boolean outside(StackFrame frame) {
    String name = frame.getClassName();
    return name.startsWith(HERE)
        ? name.contains("Test")
        : !name.startsWith("java.") && !name.startsWith("jdk.");
  }
}
