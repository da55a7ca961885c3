package io.feedline.formats.media.provider.internal;

import io.feedline.batch.Tensor;
import io.feedline.formats.media.DamagePolicy;
import io.feedline.formats.media.internal.MediaBytes;
import io.feedline.formats.media.internal.MediaInput;
import io.feedline.formats.media.internal.MediaStream;
import io.feedline.formats.media.sound.AmplitudeToDB;
import io.feedline.formats.media.sound.AudioDataset;
import io.feedline.formats.media.sound.AudioFeatures;
import io.feedline.formats.media.sound.AudioFile;
import io.feedline.formats.media.sound.Spectrogram;
import io.feedline.formats.media.sound.Waveform;
import io.feedline.formats.store.internal.samples.PreviewFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The preview of sounds: spectrograms, with time from left to right and frequencies upwards. */
public final class SoundPreview implements PreviewFormat {

  /** The largest number of seconds of a sound that one picture shows. */
  private static final int SECONDS = 10;

  /** The range of the colors: values {@value} decibels or more below the loudest are black. */
  private static final double RANGE_DB = 80;

  private static final int BLOCK_SAMPLES = 1 << 18;

  /** The colors from the lowest value to the highest, each as red, green and blue. */
  private static final int[][] COLORS = {
    {0, 0, 0}, {60, 10, 110}, {190, 50, 80}, {250, 150, 30}, {255, 255, 210}
  };

  public SoundPreview() {}

  @Override
  public String name() {
    return "sound";
  }

  @Override
  public List<String> extensions() {
    return AudioDataset.EXTENSIONS;
  }

  @Override
  public Map<String, Object> inspect(Path file) throws IOException {
    try (AudioFile sound = AudioFile.open(file)) {
      Map<String, Object> facts = new LinkedHashMap<>();
      facts.put("codec", sound.codec());
      facts.put("sample_rate", sound.sampleRate());
      facts.put("channels", sound.channels());
      facts.put("samples", sound.samples());
      facts.put("seconds", (double) sound.samples() / sound.sampleRate());
      return facts;
    }
  }

  @Override
  public List<Picture> draw(Path file, int count) throws Exception {
    try (AudioFile sound = AudioFile.open(file)) {
      long part = Math.min(sound.samples(), (long) SECONDS * sound.sampleRate());
      int shown = (int) Math.min(count, (sound.samples() + part - 1) / part);
      List<Picture> pictures = new ArrayList<>();
      for (int i = 0; i < shown; i++) {
        long from = shown == 1 ? 0 : i * ((sound.samples() - part) / (shown - 1));
        String caption =
            String.format(
                Locale.ROOT,
                "%.1f s to %.1f s",
                (double) from / sound.sampleRate(),
                (double) (from + part) / sound.sampleRate());
        pictures.add(spectrogram(sound.waveform().crop(from, part), caption));
      }
      return pictures;
    }
  }

  private static Picture spectrogram(Waveform sound, String caption) throws Exception {
    // Frames of about 46 ms: a power of two, 2048 samples at 44.1 kHz.
    int nFft = Math.max(64, Integer.highestOneBit(Math.max(1, sound.sampleRate() / 20)));
    Waveform padded = sound.mono().pad(0, Math.max(0, nFft - sound.samples()));
    AudioFeatures decibels =
        AmplitudeToDB.of().withTopDb(RANGE_DB).apply(Spectrogram.of(nFft).apply(padded));
    Tensor values = decibels.toTensor();
    float[] levels = values.toFloatArray();
    float most = Float.NEGATIVE_INFINITY;
    for (float level : levels) {
      most = Math.max(most, level);
    }
    int width = decibels.frames();
    int height = decibels.bins();
    byte[] rgb = new byte[3 * width * height];
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        double level = 1 + (levels[(height - 1 - y) * width + x] - most) / RANGE_DB;
        color(Math.max(0, Math.min(1, level)), rgb, 3 * (y * width + x));
      }
    }
    return new Picture(rgb, width, height, caption);
  }

  private static void color(double value, byte[] rgb, int at) {
    double place = value * (COLORS.length - 1);
    int below = Math.min((int) place, COLORS.length - 2);
    for (int c = 0; c < 3; c++) {
      double from = COLORS[below][c];
      rgb[at + c] = (byte) Math.round(from + (COLORS[below + 1][c] - from) * (place - below));
    }
  }

  @Override
  public void verify(Path file) throws Exception {
    try (AudioFile sound = AudioFile.open(file, DamagePolicy.FAIL)) {
      for (long from = 0; from < sound.samples(); from += BLOCK_SAMPLES) {
        sound.waveform().crop(from, Math.min(BLOCK_SAMPLES, sound.samples() - from)).toTensor();
      }
    }
  }

  static boolean has(Path file, MediaStream.Kind kind) throws IOException {
    try (MediaBytes bytes = MediaBytes.of(file);
        MediaInput input = MediaInput.open(file.toString(), bytes)) {
      return input.streams().stream().anyMatch(each -> each.kind() == kind);
    }
  }
}
