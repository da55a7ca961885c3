package io.feedline.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The texts of transforms; equal transforms have equal texts in every process. */
public final class TransformText {

  private static final int MOST = 1000;

  private TransformText() {}

  /**
   * Returns the transform's {@code toString}, which contains its options; for a lambda and a class
   * without a text of its own, the name of the class.
   */
  public static String of(Object transform) {
    String text;
    try {
      text = String.valueOf(transform);
    } catch (RuntimeException mute) {
      text = transform.getClass().getName();
    }
    String steady =
        text.replaceAll("\\$\\$Lambda[^\\s,()\\[\\]]*", "'s lambda")
            .replaceAll("@[0-9a-f]+\\b", "");
    return steady.length() <= MOST ? steady : steady.substring(0, MOST) + Digest.of(steady);
  }

  public static List<String> with(Collection<String> before, Object transform) {
    List<String> all = new ArrayList<>(before);
    all.add(of(transform));
    return List.copyOf(all);
  }
}
