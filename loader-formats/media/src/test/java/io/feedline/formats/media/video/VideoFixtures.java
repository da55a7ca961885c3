package io.feedline.formats.media.video;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** The videos of make_fixtures.py, and their frames as PyAV decodes them. */
final class VideoFixtures {

  /** A frame as PyAV has it. */
  record Frame(double seconds, long crc) {}

  private VideoFixtures() {}

  static byte[] bytes(String name) {
    try (InputStream in = VideoFixtures.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  static Path copy(String name, Path directory) throws IOException {
    Files.createDirectories(directory);
    return Files.write(directory.resolve(name), bytes(name));
  }

  static Map<String, List<Frame>> frames() {
    Map<String, List<Frame>> frames = new LinkedHashMap<>();
    for (String line : new String(bytes("frames.csv"), StandardCharsets.UTF_8).split("\n", -1)) {
      String[] fields = line.split(",", -1);
      if (fields.length == 5) {
        frames
            .computeIfAbsent(fields[0], name -> new ArrayList<>())
            .add(new Frame(Double.parseDouble(fields[3]), Long.parseLong(fields[4], 16)));
      }
    }
    return frames;
  }

  static Stream<String> names() {
    return frames().keySet().stream();
  }

  /** The elements of a clip, in the machine's byte order. */
  static ByteBuffer write(Clip clip) throws IOException {
    ByteBuffer target =
        ByteBuffer.allocate((int) clip.shape().elements() * clip.dtype().bytes())
            .order(ByteOrder.nativeOrder());
    clip.writeTo(target);
    return target.clear();
  }

  /** Checksums of a clip's frames, as they are stored. */
  static List<Long> checksums(Clip clip) throws Exception {
    Clip pixels =
        clip.eachFrame(
            image ->
                image.toTensor(
                    io.feedline.batch.DType.UINT8,
                    io.feedline.formats.image.pixel.ImageLayout.HWC));
    byte[] all = write(pixels).array();
    int count = clip.frames().length;
    List<Long> sums = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      CRC32 crc = new CRC32();
      crc.update(all, i * (all.length / count), all.length / count);
      sums.add(crc.getValue());
    }
    return sums;
  }
}
