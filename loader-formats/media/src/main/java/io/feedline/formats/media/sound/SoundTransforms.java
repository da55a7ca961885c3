package io.feedline.formats.media.sound;

import io.feedline.transform.Transforms;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The transforms of sounds by the names that they have in texts. */
public final class SoundTransforms implements Transforms.Library {
  private static final List<Class<?>> NAMED =
      List.of(
          AmplitudeToDB.class,
          FrequencyMasking.class,
          Gain.class,
          MFCC.class,
          MelSpectrogram.class,
          Mono.class,
          PadTo.class,
          RandomTrim.class,
          Resample.class,
          Spectrogram.class,
          TimeMasking.class,
          Trim.class);

  /** Creates the library; called by {@link java.util.ServiceLoader}. */
  public SoundTransforms() {}

  @Override
  public Map<String, Class<?>> transforms() {
    return NAMED.stream().collect(Collectors.toMap(Class::getSimpleName, Function.identity()));
  }
}
