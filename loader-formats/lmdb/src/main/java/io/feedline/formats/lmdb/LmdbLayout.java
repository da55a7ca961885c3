package io.feedline.formats.lmdb;

import io.feedline.internal.Counts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

enum LmdbLayout {
  /** The layout of {@link LmdbFormat#create}: encoded images with labels and keys. */
  FEEDLINE_IMAGES,

  /** The layout of {@link LmdbTensors#writer}: LZ4 frames of tuples of tensors. */
  FEEDLINE_TENSORS,

  /**
   * The layout of Efficient-PyTorch's {@code folder2lmdb.py}: the keys 0 to N-1 in decimal, {@code
   * __len__} and {@code __keys__}; values are pickles of (encoded image, label).
   */
  FOLDER2LMDB,

  /**
   * The layout of Caffe's {@code convert_imageset}: keys such as {@code 00000012_cat/7.jpg}, values
   * are {@code Datum} messages of Protocol Buffers.
   */
  CAFFE,

  /**
   * The layout of BasicSR's {@code create_lmdb.py}: a directory with {@code meta_info.txt} beside
   * data.mdb, names without extension as keys, PNG files as values.
   */
  BASICSR;

  /** The message for a reader that opens an unfinished database. */
  static final String UNFINISHED =
      "this database of Feedline is unfinished: its writer has not committed it";

  private static final int SHOWN_KEYS = 3;

  /**
   * Returns the layout of a database.
   *
   * @throws IOException if the database cannot be read, or has another layout
   */
  public static LmdbLayout detect(Path path) throws IOException {
    try (MappedDatabase database = MappedDatabase.open(path)) {
      return detect(database);
    }
  }

  static LmdbLayout detect(MappedDatabase database) throws IOException {
    return database.read(reader -> detect(database, reader));
  }

  private static LmdbLayout detect(MappedDatabase database, MappedDatabase.Reader reader)
      throws IOException {
    ByteBuffer metadata = reader.get(Metadata.key());
    if (metadata != null) {
      return parse(database, metadata).kind() == Metadata.Kind.IMAGES
          ? FEEDLINE_IMAGES
          : FEEDLINE_TENSORS;
    }
    Map<LmdbLayout, String> refused = new EnumMap<>(LmdbLayout.class);
    refused.put(FOLDER2LMDB, Folder2LmdbLayout.whyNot(reader));
    refused.put(BASICSR, BasicSrLayout.whyNot(database));
    refused.put(CAFFE, CaffeLayout.whyNot(reader));
    for (Map.Entry<LmdbLayout, String> layout : refused.entrySet()) {
      if (layout.getValue() == null) {
        return layout.getKey();
      }
    }
    if (UnfinishedDatabase.isAt(database.data())) {
      throw new IOException(database.data() + ": " + UNFINISHED);
    }
    throw new IOException(
        "%s: its layout is not known: %s, %s. It is not Feedline's: there is no key __feedline__. Not folder2lmdb's: %s. Not BasicSR's: %s. Not Caffe's: %s. LmdbDataset reads the values of any database"
            .formatted(
                database.data(),
                Counts.of(database.entries(), "key"),
                firstKeys(reader),
                refused.get(FOLDER2LMDB),
                refused.get(BASICSR),
                refused.get(CAFFE)));
  }

  private static String firstKeys(MappedDatabase.Reader reader) throws IOException {
    List<String> keys = new ArrayList<>();
    reader.forEachKey(
        key -> {
          keys.add(shown(key));
          return keys.size() < SHOWN_KEYS;
        });
    return keys.isEmpty() ? "none" : "beginning with " + String.join(", ", keys);
  }

  /** Reads the metadata; fails if they are absent, of another kind, or have a wrong count. */
  static Metadata requireMetadata(MappedDatabase database, Metadata.Kind kind) throws IOException {
    Metadata metadata =
        database.read(
            reader -> {
              ByteBuffer json = reader.get(Metadata.key());
              return json == null ? null : parse(database, json);
            });
    if (metadata == null || metadata.kind() != kind) {
      throw new IOException(
          "%s: the database holds %s, not %s"
              .formatted(
                  database.data(),
                  metadata == null ? detect(database) : metadata.kind(),
                  metadata == null ? "Feedline's " + kind : kind));
    }
    if (metadata.count() != database.entries() - 1) {
      throw new IOException(
          "%s: the metadata counts %s, the database has %d"
              .formatted(
                  database.data(), Counts.of(metadata.count(), "sample"), database.entries() - 1));
    }
    return metadata;
  }

  private static Metadata parse(MappedDatabase database, ByteBuffer json) throws IOException {
    byte[] bytes = new byte[json.remaining()];
    json.get(bytes);
    try {
      return Metadata.parse(bytes);
    } catch (IOException e) {
      throw new IOException(database.data() + ": " + e.getMessage(), e);
    }
  }

  /** Returns a key as text if it is text, or else in hexadecimal. */
  static String shown(ByteBuffer key) {
    byte[] bytes = new byte[key.remaining()];
    key.duplicate().get(bytes);
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (text.chars().noneMatch(c -> c < 0x20 || c == 0xFFFD)) {
      return text;
    }
    StringBuilder hex = new StringBuilder("0x");
    for (byte each : bytes) {
      hex.append(String.format(Locale.ROOT, "%02x", each));
    }
    return hex.toString();
  }
}
