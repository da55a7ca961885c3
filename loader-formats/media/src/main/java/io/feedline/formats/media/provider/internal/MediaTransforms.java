package io.feedline.formats.media.provider.internal;

import io.feedline.formats.media.sound.AmplitudeToDB;
import io.feedline.formats.media.sound.FrequencyMasking;
import io.feedline.formats.media.sound.Gain;
import io.feedline.formats.media.sound.MFCC;
import io.feedline.formats.media.sound.MelSpectrogram;
import io.feedline.formats.media.sound.Mono;
import io.feedline.formats.media.sound.PadTo;
import io.feedline.formats.media.sound.RandomTrim;
import io.feedline.formats.media.sound.Resample;
import io.feedline.formats.media.sound.Spectrogram;
import io.feedline.formats.media.sound.TimeMasking;
import io.feedline.formats.media.sound.Trim;
import io.feedline.formats.media.video.Clip.EachFrame;
import io.feedline.formats.media.video.ClipSampler;
import io.feedline.formats.media.video.UniformTemporalSubsample;
import io.feedline.transform.Transforms;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

public final class MediaTransforms implements Transforms.Library {
  private static final List<Class<?>> NAMED =
      List.of(
          AmplitudeToDB.class,
          ClipSampler.class,
          EachFrame.class,
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
          Trim.class,
          UniformTemporalSubsample.class);

  public MediaTransforms() {}

  @Override
  public Map<String, Class<?>> transforms() {
    return NAMED.stream().collect(Collectors.toMap(Class::getSimpleName, Function.identity()));
  }
}
