package io.feedline.formats.lmdb;

import io.feedline.formats.store.EncodedImage;
import io.feedline.internal.Counts;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Images in the layout of BasicSR. {@code meta_info.txt} beside data.mdb lists the images in their
 * order, with a line for each image:
 *
 * <pre>
 *   0001_s001.png (480,480,3) 1
 * </pre>
 *
 * <p>The line has the file's name, the image's height, width and channels, and the level of
 * compression. The key is the name without its extension; the value is the file's content. There
 * are no labels.
 */
record BasicSrLayout(KeyList keys) implements ListedLayout {

  private static final String META_INFO = "meta_info.txt";
  private static final Pattern LINE = Pattern.compile("(.+) \\(\\d+,\\s*\\d+,\\s*\\d+\\) \\d+");

  /** Returns the reason why a database does not have this layout; null if it has. */
  static String whyNot(MappedDatabase database) throws IOException {
    return Presence.isFile(metaInfo(database))
        ? null
        : "there is no %s beside it".formatted(META_INFO);
  }

  private static Path metaInfo(MappedDatabase database) {
    return database.data().resolveSibling(META_INFO);
  }

  static BasicSrLayout of(MappedDatabase database) throws IOException {
    Path file = metaInfo(database);
    KeyList.Builder keys = new KeyList.Builder();
    int number = 0;
    for (String line : lines(file)) {
      number++;
      if (line.isBlank()) {
        continue;
      }
      if (!LINE.matcher(line.strip()).matches()) {
        throw new IOException(
            "%s, line %d: expected 'name.png (height,width,channels) level', found '%s'"
                .formatted(file, number, line));
      }
      String name = line.strip().replaceFirst(LINE.pattern(), "$1");
      int dot = name.lastIndexOf('.');
      String key = dot > name.lastIndexOf('/') + 1 ? name.substring(0, dot) : name;
      keys.add(ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8)));
    }
    BasicSrLayout images = new BasicSrLayout(keys.build());
    if (images.size() != database.entries()) {
      throw new IOException(
          "%s names %s, the database has %d"
              .formatted(file, Counts.of(images.size(), "image"), database.entries()));
    }
    return images;
  }

  private static List<String> lines(Path file) throws IOException {
    try {
      return Files.readAllLines(file);
    } catch (CharacterCodingException e) {
      throw new IOException(file + ": it should be text in UTF-8, and is not", e);
    }
  }

  @Override
  public Place locate(ByteBuffer value) {
    return new Place(value.slice(), EncodedImage.NO_LABEL);
  }

  @Override
  public EncodedImage parse(long index, ByteBuffer value) {
    byte[] encoded = new byte[value.remaining()];
    value.get(encoded);
    return new EncodedImage(key(index), encoded, EncodedImage.NO_LABEL);
  }
}
