package io.feedline.formats.media.sound;

import io.feedline.formats.media.DamagePolicy;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.bytedeco.javacpp.Pointer;

/**
 * A program that damages sound files in many ways and reads each; run by {@link AudioMutantsTest}
 * in a process of its own. It prints a line for each file, and fails where a mutant ends in
 * something else than samples or an {@link IOException} that names the file.
 */
final class AudioMutants {
  private AudioMutants() {}

  public static void main(String[] arguments) throws Exception {
    int mutants = Integer.parseInt(arguments[0]);
    if (arguments.length > 1) {
      AudioFileTest.openAll(400);
      long before = Pointer.physicalBytes();
      AudioFileTest.openAll(Integer.parseInt(arguments[1]));
      System.out.println(Pointer.physicalBytes() - before);
      return;
    }
    for (String name : AudioFileTest.names()) {
      byte[] file = AudioFileTest.resource(name);
      int refused = 0;
      for (int seed = 0; seed < mutants; seed++) {
        refused += isRefused(name, mutant(file, new Random(seed)), seed) ? 1 : 0;
      }
      System.out.printf("%s %d of %d refused%n", name, refused, mutants);
    }
  }

  private static byte[] mutant(byte[] file, Random random) {
    byte[] mutant = file.clone();
    int kind = random.nextInt(8);
    if (kind == 0) {
      return Arrays.copyOf(mutant, random.nextInt(mutant.length));
    }
    // Headers are short, so half of the changes are there.
    int reach = kind < 4 ? Math.min(200, mutant.length) : mutant.length;
    if (kind == 1) {
      int from = random.nextInt(reach);
      int end = Math.min(mutant.length, from + 1 + random.nextInt(600));
      Arrays.fill(mutant, from, end, (byte) (random.nextBoolean() ? 0xFF : 0));
      return mutant;
    }
    for (int change = random.nextInt(20); change >= 0; change--) {
      mutant[random.nextInt(reach)] = (byte) random.nextInt();
    }
    return mutant;
  }

  private static boolean isRefused(String name, byte[] mutant, int seed) throws Exception {
    DamagePolicy policy = seed % 2 == 0 ? DamagePolicy.CONCEAL : DamagePolicy.FAIL;
    try (AudioFile file = AudioFile.of(name, mutant, policy)) {
      long samples = file.samples();
      file.waveform().crop(samples / 2, Math.min(samples - samples / 2, 4096)).toTensor();
      file.waveform().crop(0, Math.min(samples, 1 << 20)).toTensor();
      return false;
    } catch (IOException refused) {
      if (!String.valueOf(refused.getMessage()).contains(name)) {
        throw new IllegalStateException(name + ", seed " + seed, refused);
      }
      return true;
    } catch (RuntimeException | Error unexpected) {
      throw new IllegalStateException(name + ", seed " + seed, unexpected);
    }
  }
}
