package io.feedline.examples.training;

import io.feedline.examples.shared.Unfinished;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import javax.sound.sampled.AudioFileFormat;
import javax.sound.sampled.AudioFormat;
import javax.sound.sampled.AudioInputStream;
import javax.sound.sampled.AudioSystem;

/**
 * Tones that rise, fall or keep their pitch, in noise: WAV files of a half to a whole second, in a
 * directory for each class.
 *
 * @param parent the directory that holds the files, or will hold them
 * @param sounds the number of sounds of each class
 * @param seed the seed of the sounds
 */
record GeneratedSounds(Path parent, int sounds, long seed) {

  /** The classes, in the order of their labels. */
  static final List<String> CLASSES = List.of("falling", "rising", "steady");

  private static final int RATE = 8000;

  /** Writes the files, unless they exist. */
  Path make() throws IOException {
    return Unfinished.directory(
        parent.resolve("sounds-" + sounds + "-seed" + seed),
        unfinished -> {
          SplittableRandom random = new SplittableRandom(seed);
          for (int label = 0; label < CLASSES.size(); label++) {
            Path directory = Files.createDirectories(unfinished.resolve(CLASSES.get(label)));
            for (int i = 0; i < sounds; i++) {
              write(
                  directory.resolve(String.format(Locale.ROOT, "%04d.wav", i)),
                  tone(label, random));
            }
          }
        });
  }

  private static short[] tone(int label, SplittableRandom random) {
    short[] samples = new short[random.nextInt(RATE / 2, RATE + 1)];
    double pitch = random.nextDouble(500, 2000);
    double change = new double[] {-1.5, 1.5, 0}[label] * random.nextDouble(0.5, 1);
    double loudness = random.nextDouble(0.1, 0.5);
    double turns = 0;
    for (int i = 0; i < samples.length; i++) {
      turns += pitch * Math.pow(2, change * i / samples.length) / RATE;
      double value = loudness * Math.sin(2 * Math.PI * turns) + 0.1 * random.nextGaussian();
      samples[i] = (short) (32_767 * Math.max(-1, Math.min(1, value)));
    }
    return samples;
  }

  private static void write(Path file, short[] samples) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(2 * samples.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asShortBuffer().put(samples);
    AudioFormat format = new AudioFormat(RATE, 16, 1, true, false);
    AudioInputStream sound =
        new AudioInputStream(new ByteArrayInputStream(bytes.array()), format, samples.length);
    AudioSystem.write(sound, AudioFileFormat.Type.WAVE, file.toFile());
  }
}
