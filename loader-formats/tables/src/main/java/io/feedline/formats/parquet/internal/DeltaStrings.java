package io.feedline.formats.parquet.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesReader;
import org.apache.parquet.column.values.deltalengthbytearray.DeltaLengthByteArrayValuesReader;
import org.apache.parquet.io.ParquetDecodingException;
import org.apache.parquet.io.api.Binary;

/**
 * A reader of byte strings in the encoding DELTA_BYTE_ARRAY, which stores a suffix of each string,
 * and the length of the prefix that it shares with the string before. The reader of parquet-column
 * would allocate as much memory as the data claim: gigabytes for a page of a kilobyte.
 */
final class DeltaStrings extends ValuesReader {

  private static final long MOST_BYTES = 1L << 28;

  private final DeltaBinaryPackingValuesReader shared = new DeltaBinaryPackingValuesReader();
  private final DeltaLengthByteArrayValuesReader rests = new DeltaLengthByteArrayValuesReader();
  private byte[] last = {};
  private long total;

  @Override
  public void initFromPage(int values, ByteBufferInputStream in) throws IOException {
    shared.initFromPage(values, in);
    ByteBuffer behind = in.slice(in.available());
    PageValues.requireDeltas(behind.duplicate(), values);
    rests.initFromPage(values, ByteBufferInputStream.wrap(behind));
  }

  @Override
  public Binary readBytes() {
    int prefix = shared.readInteger();
    ByteBuffer rest = rests.readBytes().toByteBuffer();
    total += prefix + rest.remaining();
    if (prefix < 0 || prefix > last.length || total > MOST_BYTES) {
      throw new ParquetDecodingException(
          prefix < 0 || prefix > last.length
              ? "%d bytes are those of the value before, which has %d"
                  .formatted(prefix, last.length)
              : "the values of a page have more than %d bytes".formatted(MOST_BYTES));
    }
    byte[] value = Arrays.copyOf(last, prefix + rest.remaining());
    rest.get(value, prefix, rest.remaining());
    last = value;
    return Binary.fromConstantByteArray(value);
  }

  @Override
  public void skip() {
    readBytes();
  }
}
