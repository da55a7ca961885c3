package io.feedline.formats.parquet.internal;

import io.feedline.data.FormatException;
import io.feedline.formats.parquet.internal.ColumnPages.Levels;
import io.feedline.formats.parquet.internal.ColumnPages.Page;
import io.feedline.formats.parquet.internal.ParquetFooter.Leaf;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ValuesType;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridDecoder;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type.Repetition;
import org.jspecify.annotations.Nullable;

/** The decoded values of a page. Immutable. */
final class PageValues {

  /** The byte strings; null if the column has numbers. */
  private final ByteBuffer @Nullable [] bytes;

  /** The numbers; null if the column has byte strings. */
  private final long @Nullable [] numbers;

  private PageValues(ByteBuffer[] bytes, long[] numbers) {
    this.bytes = bytes;
    this.numbers = numbers;
  }

  /** The number in {@link #numbers} that stands for a null. */
  static final long NULL = Long.MIN_VALUE;

  /** Returns a copy of a byte string; null if the value is null. */
  byte @Nullable [] bytes(int row) {
    ByteBuffer value = bytes[row];
    if (value == null) {
      return null;
    }
    byte[] copy = new byte[value.remaining()];
    value.get(value.position(), copy);
    return copy;
  }

  long number(int row) {
    return numbers[row];
  }

  static final class Decoder {

    private final Leaf leaf;
    private final ColumnDescriptor descriptor;

    /** Creates a decoder of a column that is nested in at most one list. */
    Decoder(Leaf leaf) {
      this.leaf = leaf;
      PrimitiveType type =
          new PrimitiveType(
              leaf.maxDefinition() > 0 ? Repetition.OPTIONAL : Repetition.REQUIRED,
              PrimitiveType.PrimitiveTypeName.valueOf(
                  switch (leaf.element().getType()) {
                    case BYTE_ARRAY -> "BINARY";
                    default -> leaf.element().getType().name();
                  }),
              leaf.element().getType_length(),
              leaf.name());
      this.descriptor =
          new ColumnDescriptor(
              leaf.path().toArray(String[]::new), type, leaf.maxRepetition(), leaf.maxDefinition());
    }

    @FunctionalInterface
    interface Taker {
      /** Takes a page's levels, which are null if their maximum is 0, and its non-null values. */
      void take(byte @Nullable [] repetitions, byte @Nullable [] definitions, Values values)
          throws IOException;
    }

    /** A reader of a page's values. With a dictionary, it reads their indices in the dictionary. */
    record Values(ValuesReader reader, @Nullable Dictionary dictionary) {}

    PageValues decode(Page page, byte[] stored, PageCodec codec, @Nullable Dictionary dictionary)
        throws IOException {
      boolean strings = leaf.element().getType() == org.apache.parquet.format.Type.BYTE_ARRAY;
      ByteBuffer[] bytes = strings ? new ByteBuffer[page.values()] : null;
      long[] numbers = strings ? null : new long[page.values()];
      decode(
          page,
          stored,
          codec,
          dictionary,
          (repetitions, definitions, values) -> {
            for (int i = 0; i < page.values(); i++) {
              boolean there = definitions == null || definitions[i] == leaf.maxDefinition();
              if (strings) {
                bytes[i] = there ? bytes(values.reader(), values.dictionary()) : null;
              } else {
                numbers[i] = there ? number(values.reader(), values.dictionary()) : NULL;
              }
            }
          });
      return new PageValues(bytes, numbers);
    }

    /** Decodes a page for {@code taker}; {@code dictionary} is null if the page does not use it. */
    void decode(
        Page page, byte[] stored, PageCodec codec, @Nullable Dictionary dictionary, Taker taker)
        throws IOException {
      requireChecksum(page, stored);
      try {
        Levels levels = page.levels();
        ByteBuffer repetitions = null;
        ByteBuffer definitions = null;
        ByteBuffer data;
        if (levels.apart()) {
          int before = levels.repetitionBytes() + levels.definitionBytes();
          repetitions = ByteBuffer.wrap(stored, 0, levels.repetitionBytes()).slice();
          definitions =
              ByteBuffer.wrap(stored, levels.repetitionBytes(), levels.definitionBytes()).slice();
          PageCodec used = levels.compressed() ? codec : PageCodec.NONE;
          data = unpacked(used, stored, before, page.size() - before);
        } else {
          data = unpacked(codec, stored, 0, page.size());
          repetitions = leaf.maxRepetition() > 0 ? levelsWithin(data, levels) : null;
          definitions = leaf.maxDefinition() > 0 ? levelsWithin(data, levels) : null;
        }
        byte[] repeated = levels(page.values(), repetitions, leaf.maxRepetition());
        byte[] defined = levels(page.values(), definitions, leaf.maxDefinition());
        ValuesReader reader = reader(page, data, dictionary);
        reader.initFromPage(page.values(), ByteBufferInputStream.wrap(data));
        taker.take(repeated, defined, new Values(reader, dictionary));
      } catch (IOException | RuntimeException damaged) {
        throw undecodable(page, damaged);
      }
    }

    private static FormatException undecodable(Page page, Exception damaged) {
      return damaged instanceof FormatException known
          ? known
          : new FormatException(
              "its values cannot be decoded as %s: %s".formatted(page.encoding(), damaged),
              damaged);
    }

    private static void requireChecksum(Page page, byte[] stored) throws FormatException {
      if (page.crc() != null) {
        CRC32 crc = new CRC32();
        crc.update(stored);
        if ((int) crc.getValue() != page.crc()) {
          throw new FormatException(
              "its CRC-32 is %08x, but %08x is recorded"
                  .formatted((int) crc.getValue(), page.crc()));
        }
      }
    }

    private static ByteBuffer unpacked(PageCodec codec, byte[] stored, int from, int size)
        throws IOException {
      if (stored.length - from == size && (codec == PageCodec.NONE || size == 0)) {
        return ByteBuffer.wrap(stored, from, size).slice();
      }
      try {
        return ByteBuffer.wrap(codec.decompress(stored, from, stored.length - from, size));
      } catch (OutOfMemoryError full) {
        throw new FormatException(
            "its %d bytes do not fit into the heap of %d MiB: give more with -Xmx, or write the file again with smaller row groups"
                .formatted(size, Runtime.getRuntime().maxMemory() >> 20),
            full);
      }
    }

    /** Returns the levels that precede the values, and advances {@code data} past them. */
    private ByteBuffer levelsWithin(ByteBuffer data, Levels levels) throws FormatException {
      if (levels.encoding() != org.apache.parquet.format.Encoding.RLE) {
        throw new FormatException(
            "levels encoded as %s, which is long out of use".formatted(levels.encoding()));
      }
      int length =
          data.remaining() < 4 ? -1 : data.order(ByteOrder.LITTLE_ENDIAN).getInt(data.position());
      if (length < 0 || length > data.remaining() - 4) {
        throw new FormatException(
            "levels of %d bytes in a page of %d".formatted(length, data.remaining()));
      }
      ByteBuffer found = data.slice(data.position() + 4, length);
      data.position(data.position() + 4 + length);
      return found;
    }

    /** Returns the levels of the values; null if the highest level is 0. */
    private static byte @Nullable [] levels(int values, ByteBuffer runs, int most)
        throws IOException {
      if (most == 0) {
        return null;
      }
      int width = 32 - Integer.numberOfLeadingZeros(most);
      requireRuns(runs.duplicate(), width, values);
      RunLengthBitPackingHybridDecoder decoder =
          new RunLengthBitPackingHybridDecoder(width, new ByteBufferStream(runs));
      byte[] levels = new byte[values];
      for (int i = 0; i < values; i++) {
        int level = decoder.readInt();
        if (level > most) {
          throw new FormatException(
              "value %d has the definition level %d, but the column's are at most %d"
                  .formatted(i, level, most));
        }
        levels[i] = (byte) level;
      }
      return levels;
    }

    /** Decodes the dictionary that {@code page} refers to; fails if {@code dictionary} is null. */
    Dictionary dictionary(
        Page page, PageCodec codec, @Nullable Page dictionary, byte @Nullable [] stored)
        throws FormatException {
      if (dictionary == null) {
        throw new FormatException("it refers to a dictionary that is missing");
      }
      try {
        requireChecksum(dictionary, stored);
        return dictionary(dictionary, unpacked(codec, stored, 0, dictionary.size()));
      } catch (IOException | RuntimeException damaged) {
        throw undecodable(page, damaged);
      }
    }

    private Dictionary dictionary(Page dictionary, ByteBuffer data) throws IOException {
      boolean fixed =
          leaf.element().getType() == org.apache.parquet.format.Type.FIXED_LEN_BYTE_ARRAY;
      int least = fixed ? Math.max(1, leaf.element().getType_length()) : 4;
      if (dictionary.values() < 0 || dictionary.values() > data.remaining() / least) {
        throw new FormatException(
            "a dictionary of %d values in %d bytes"
                .formatted(dictionary.values(), data.remaining()));
      }
      return Encoding.PLAIN.initDictionary(
          descriptor,
          new DictionaryPage(BytesInput.from(data), dictionary.values(), Encoding.PLAIN));
    }

    static boolean refersToDictionary(Page page) {
      return page.encoding() == org.apache.parquet.format.Encoding.PLAIN_DICTIONARY
          || page.encoding() == org.apache.parquet.format.Encoding.RLE_DICTIONARY;
    }

    private static ByteBuffer bytes(ValuesReader reader, Dictionary dictionary) {
      return dictionary == null
          ? reader.readBytes().toByteBuffer()
          : dictionary.decodeToBinary(reader.readValueDictionaryId()).toByteBuffer();
    }

    private long number(ValuesReader reader, Dictionary dictionary) throws FormatException {
      int id = dictionary == null ? 0 : reader.readValueDictionaryId();
      if (leaf.element().getType() != org.apache.parquet.format.Type.INT64) {
        int number = dictionary == null ? reader.readInteger() : dictionary.decodeToInt(id);
        return leaf.isUnsigned() ? Integer.toUnsignedLong(number) : number;
      }
      long number = dictionary == null ? reader.readLong() : dictionary.decodeToLong(id);
      if (number == NULL || (number < 0 && leaf.isUnsigned())) {
        throw new FormatException("the number %d is none of a class".formatted(number));
      }
      return number;
    }

    private ValuesReader reader(Page page, ByteBuffer data, Dictionary dictionary)
        throws FormatException {
      switch (page.encoding()) {
        case PLAIN, BYTE_STREAM_SPLIT -> {
          return Encoding.valueOf(page.encoding().name())
              .getValuesReader(descriptor, ValuesType.VALUES);
        }
        case RLE -> {
          // The runs of booleans follow a 4-byte length.
          ByteBuffer runs = data.duplicate();
          runs.position(Math.min(runs.limit(), runs.position() + 4));
          requireRuns(runs, 1, page.values());
          return Encoding.RLE.getValuesReader(descriptor, ValuesType.VALUES);
        }
        case PLAIN_DICTIONARY, RLE_DICTIONARY -> {
          int width = data.hasRemaining() ? data.get(data.position()) : 0;
          if (width < 0 || width > 32) {
            throw new FormatException("numbers in a dictionary of %d bits".formatted(width));
          }
          ByteBuffer runs = data.duplicate();
          if (runs.hasRemaining()) {
            runs.get();
          }
          requireRuns(runs, width, page.values());
          return Encoding.RLE_DICTIONARY.getDictionaryBasedValuesReader(
              descriptor, ValuesType.VALUES, dictionary);
        }
        case DELTA_BYTE_ARRAY -> {
          requireDeltas(data.duplicate(), page.values());
          return new DeltaStrings();
        }
        case DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY -> {
          requireDeltas(data.duplicate(), page.values());
          return Encoding.valueOf(page.encoding().name())
              .getValuesReader(descriptor, ValuesType.VALUES);
        }
        default ->
            throw new FormatException(
                "values encoded as %s are not supported: write the file again without column_encoding"
                    .formatted(page.encoding()));
      }
    }

    /** Checks that runs have no more values than the page: decoders allocate memory for a run. */
    private static void requireRuns(ByteBuffer runs, int width, int values) throws FormatException {
      long left = values;
      while (left > 0 && runs.hasRemaining()) {
        long header = varint(runs);
        if ((header & 1) == 1) {
          long groups = header >>> 1;
          if (groups > (left + 7) / 8) {
            throw new FormatException(
                "a run of %d groups of 8, where %d values are left".formatted(groups, left));
          }
          left -= 8 * groups;
          runs.position((int) Math.min(runs.limit(), runs.position() + groups * width));
        } else {
          left -= header >>> 1;
          runs.position(Math.min(runs.limit(), runs.position() + (width + 7) / 8));
        }
      }
    }
  }

  /** Checks the counts in a header of deltas, since decoders allocate memory for them. */
  static void requireDeltas(ByteBuffer deltas, int values) throws FormatException {
    long block = varint(deltas);
    long miniBlocks = varint(deltas);
    long total = varint(deltas);
    if (total > values || block > 1 << 16 || miniBlocks < 1 || miniBlocks > block) {
      throw new FormatException(
          "%d deltas in blocks of %d with %d parts, where there are %d values"
              .formatted(total, block, miniBlocks, values));
    }
  }

  private static long varint(ByteBuffer from) throws FormatException {
    long value = 0;
    for (int shift = 0; shift < 35 && from.hasRemaining(); shift += 7) {
      byte b = from.get();
      value |= (b & 0x7fL) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw new FormatException("a number does not end");
  }

  /** An input stream over a buffer; {@code available()} is exact, since a decoder relies on it. */
  private static final class ByteBufferStream extends ByteArrayInputStream {
    ByteBufferStream(ByteBuffer buffer) {
      super(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
    }
  }
}
