package io.feedline;

/** Names for objects that have none of their own. */
final class ClassNames {

  private ClassNames() {}

  /**
   * Returns the class's simple name; for an anonymous class or a lambda, which have none that is
   * the same in each run, the name of the class that it was written in.
   */
  static String of(Object object) {
    Class<?> type = object.getClass();
    if (type.isHidden()) {
      String name = type.getName();
      int lambda = name.indexOf("$$Lambda");
      return lambda < 0 ? "lambda" : name.substring(name.lastIndexOf('.', lambda) + 1, lambda);
    }
    String simpleName = type.getSimpleName();
    return simpleName.isEmpty() ? type.getName() : simpleName;
  }
}
