package io.feedline.formats.media.sound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.feedline.data.FormatException;
import io.feedline.formats.media.DamagePolicy;
import io.feedline.formats.media.internal.MediaBytes;
import io.feedline.internal.ReadMeter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares files with what FFmpeg decodes of them; make_sounds.py made both. */
class AudioFileTest {

  static List<List<String>> files() throws IOException {
    return new String(resource("sounds.csv"), StandardCharsets.UTF_8)
        .lines()
        .map(line -> List.of(line.split(",", -1)))
        .toList();
  }

  static List<String> names() throws IOException {
    return files().stream().map(file -> file.get(0)).toList();
  }

  static byte[] resource(String name) throws IOException {
    try (InputStream in = AudioFileTest.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  static AudioFile open(String name) throws IOException {
    return AudioFile.of(name, resource(name), DamagePolicy.FAIL);
  }

  @ParameterizedTest
  @MethodSource("files")
  void shouldDecodeWhatFfmpegDecodes(List<String> file) throws Exception {
    try (AudioFile audio = open(file.get(0))) {
      assertThat(audio.sampleRate()).isEqualTo(Integer.parseInt(file.get(1)));
      assertThat(audio.channels()).isEqualTo(Integer.parseInt(file.get(2)));
      assertThat(audio.samples()).isEqualTo(Long.parseLong(file.get(3)));
      float[] values = audio.waveform().toTensor().toFloatArray();
      String[] expected = file.get(4).split(" ", -1);
      // An encoder's noise is another one in FFmpeg 5, which made the table; PCM and FLAC have
      // none.
      boolean isLossless = audio.codec().startsWith("pcm") || audio.codec().equals("flac");
      for (int i = 0; i < expected.length; i++) {
        assertThat((double) values[499 * i])
            .isCloseTo(Double.parseDouble(expected[i]), within(isLossless ? 1e-6 : 2e-4));
      }
    }
  }

  @Test
  void shouldReadARangeInSeconds() throws Exception {
    try (AudioFile flac = open("sixteen.flac")) {
      assertThat(flac.samples()).isEqualTo(40_000);
      assertThat(flac.waveform(39_000 / 16_000.0, 100 / 16_000.0).toTensor().toFloatArray())
          .isEqualTo(flac.waveform().crop(39_000, 100).toTensor().toFloatArray());
    }
    try (AudioFile wav = open("pcm16.wav")) {
      assertThat(wav.waveform(0.1, 0.2).samples()).isEqualTo(4410);
      assertThat(wav)
          .hasToString("AudioFile(pcm_s16le, Waveform(2 channels, 11025 samples, 22050 Hz))");
      assertThatThrownBy(() -> wav.waveform(0.4, 0.2))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  /** The length is known, so that the reader seeks, as it does in long files. */
  @ParameterizedTest
  @MethodSource("names")
  void shouldReadARangeWhateverWasReadBefore(String name) throws Exception {
    byte[] bytes = resource(name);
    AudioReader.Info info;
    float[] whole;
    try (AudioReader reader = reader(name, bytes, null)) {
      info = reader.info();
      whole = read(reader, 0, (int) info.samples());
    }
    // AAC's decoder makes noise, which is another one behind a seek.
    float noise = name.contains("aac") || name.equals("film.mp4") ? 4e-2f : 2e-4f;
    Random random = new Random(4);
    try (AudioReader used = reader(name, bytes, info)) {
      for (int i = 0; i < 30; i++) {
        int count = 1 + random.nextInt(1500);
        int from =
            i < 3 ? (int) info.samples() - count : random.nextInt((int) info.samples() - count);
        float[] part = read(used, from, count);
        try (AudioReader fresh = reader(name, bytes, info)) {
          assertThat(part).as("samples from %d", from).isEqualTo(read(fresh, from, count));
        }
        for (int c = 0; c < info.channels(); c++) {
          int at = (int) (c * info.samples()) + from;
          assertThat(Arrays.copyOfRange(part, c * count, (c + 1) * count))
              .as("samples from %d", from)
              .usingComparatorWithPrecision(noise)
              .containsExactly(Arrays.copyOfRange(whole, at, at + count));
        }
      }
    }
  }

  private static AudioReader reader(String name, byte[] bytes, AudioReader.Info known)
      throws IOException {
    return AudioReader.open(name, MediaBytes.of(bytes), DamagePolicy.CONCEAL, known);
  }

  private static float[] read(AudioReader reader, int from, int count) throws IOException {
    float[] samples = new float[count * reader.info().channels()];
    reader.read(from, count, FloatBuffer.wrap(samples), 0, count);
    return samples;
  }

  /** Ten minutes, of which the last second is read. */
  @Test
  void shouldNotReadWhatLiesBeforeARange(@TempDir Path directory) throws Exception {
    int samples = 600 * 8000;
    ByteBuffer wav = ByteBuffer.allocate(44 + 2 * samples).order(ByteOrder.LITTLE_ENDIAN);
    wav.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(36 + 2 * samples);
    wav.put("WAVEfmt ".getBytes(StandardCharsets.US_ASCII)).putInt(16);
    wav.putShort((short) 1).putShort((short) 1).putInt(8000).putInt(16_000);
    wav.putShort((short) 2).putShort((short) 16);
    wav.put("data".getBytes(StandardCharsets.US_ASCII)).putInt(2 * samples);
    wav.putShort(44 + 2 * (samples - 8000), (short) 16_384);
    Path path = Files.write(directory.resolve("a.wav"), wav.array());
    ReadMeter meter = new ReadMeter();
    ReadMeter before = meter.enter();
    try (AudioFile file = AudioFile.open(path, DamagePolicy.FAIL)) {
      assertThat(file.samples()).isEqualTo(samples);
      Waveform second = file.waveform().crop(samples - 8000, 8000);
      assertThat(second.toTensor().toFloatArray()).startsWith(0.5f);
      assertThat(meter.take()).isBetween(16_000L, 500_000L);
    } finally {
      ReadMeter.restore(before);
    }
  }

  @Test
  void shouldRefuseTruncatedFilesOrReadWhatIsThere() throws Exception {
    byte[] flac = resource("sixteen.flac");
    byte[] half = Arrays.copyOf(flac, flac.length / 2);
    try (AudioFile file = AudioFile.of("half.flac", half, DamagePolicy.CONCEAL)) {
      assertThat(file.waveform().crop(0, 8000).toTensor().toFloatArray()).hasSize(16_000);
      assertThatThrownBy(() -> file.waveform().toTensor())
          .isInstanceOf(FormatException.class)
          .hasMessageMatching(
              "half.flac, stream 0 \\(audio, flac\\), at 1\\.\\d+ s: the sound ends behind sample"
                  + " 18432, of the 40000 that the file claims");
    }
    byte[] wav = resource("pcm16.wav");
    byte[] part = Arrays.copyOf(wav, wav.length / 2);
    try (AudioFile file = AudioFile.of("half.wav", part, DamagePolicy.CONCEAL)) {
      assertThat(file.samples()).isEqualTo((part.length - 44) / 4);
      assertThat(file.waveform().toTensor().shape().length(1)).isEqualTo(file.samples());
    }
  }
}
