package io.feedline.formats.hdf5;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.files.PartCache;
import io.feedline.internal.Counts;
import io.jhdf.AbstractNode;
import io.jhdf.ObjectHeader;
import io.jhdf.api.Dataset;
import io.jhdf.api.dataset.ChunkedDataset;
import io.jhdf.api.dataset.ContiguousDataset;
import io.jhdf.dataset.CompactDataset;
import io.jhdf.dataset.chunked.Chunk;
import io.jhdf.dataset.chunked.ChunkedDatasetV4;
import io.jhdf.object.datatype.ArrayDataType;
import io.jhdf.object.datatype.DataType;
import io.jhdf.object.datatype.EnumDataType;
import io.jhdf.object.datatype.FixedPoint;
import io.jhdf.object.datatype.FloatingPoint;
import io.jhdf.object.datatype.VariableLength;
import io.jhdf.object.message.DataLayoutMessage.ChunkedDataLayoutMessage;
import io.jhdf.object.message.DataLayoutMessage.ContiguousDataLayoutMessage;
import io.jhdf.object.message.FillValueMessage;
import io.jhdf.object.message.FilterPipelineMessage;
import io.jhdf.object.message.FilterPipelineMessage.FilterInfo;
import io.jhdf.object.message.Message;
import io.jhdf.storage.HdfBackingStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** An array of a file, whose shape, type and layout jHDF has read; {@code path} is for errors. */
record JhdfArray(
    OpenFile file,
    HdfBackingStorage storage,
    PartCache<byte[]> cache,
    String path,
    long address,
    Dataset dataset) {

  private static final long UNDEFINED_ADDRESS = -1;

  /** The maximum length that jHDF returns for an axis that may grow without limit. */
  private static final long UNLIMITED = -1;

  /** The allocation time in a fill value message: space is allocated when an array is created. */
  private static final int ALLOCATED_EARLY = 1;

  private FormatException failed(String problem) {
    return new FormatException(path + problem);
  }

  private <M extends Message> Optional<M> message(Class<M> type) {
    ObjectHeader header = ((AbstractNode) dataset).getHeader();
    return header.hasMessageOfType(type)
        ? Optional.of(header.getMessageOfType(type))
        : Optional.empty();
  }

  StoredBytes bytes() throws IOException {
    if (!(dataset.getDataType() instanceof VariableLength type)
        || !(type.getParent() instanceof FixedPoint parent)
        || parent.getSize() != 1) {
      throw failed(
          " has elements of %s; byte strings of any length (vlen uint8) are expected"
              .formatted(words(dataset.getDataType())));
    }
    long[] lengths = lengths();
    if (lengths.length != 1) {
      throw failed(" has the shape %s; one axis is expected".formatted(Shape.of(lengths)));
    }
    GlobalHeap heap =
        new GlobalHeap(
            file,
            storage.getUserBlockSize(),
            storage.getSizeOfOffsets(),
            storage.getSizeOfLengths());
    Rows rows = rows(lengths, new long[0], heap.referenceBytes(), false);
    return new StoredBytes(path, lengths[0], rows, heap);
  }

  StoredArray numbers(boolean oneRow) throws IOException {
    DataType type = dataset.getDataType();
    long[] within = new long[0];
    if (type instanceof ArrayDataType array) {
      within = longs(lengthsWithin(array));
      type = array.getBaseType();
    }
    ElementType element = elementType(type);
    long[] lengths = lengths();
    if (dataset.getSize() == 0 && Arrays.stream(lengths).noneMatch(length -> length == 0)) {
      // h5py writes this for h5py.Empty.
      throw failed(" has no elements and no shape (a null dataspace)");
    }
    if (lengths.length == 0 && !oneRow) {
      throw failed(" is a scalar; the first axis must be that of the samples");
    }
    long[] all = concat(lengths, within);
    Shape shape = Shape.of(oneRow ? all : Arrays.copyOfRange(all, 1, all.length));
    if (shape.elements() > Integer.MAX_VALUE / Long.BYTES) {
      throw failed(" has samples of shape %s, which are too large".formatted(shape));
    }
    Rows rows = rows(lengths, within, element.bytes(), oneRow);
    return new StoredArray(path, oneRow ? 1 : lengths[0], shape, element, rows);
  }

  /**
   * Returns the lengths of the axes of an element of array type. In version 2 of the type, jHDF
   * expects a permutation index behind each length, but all indexes follow all lengths.
   */
  private int[] lengthsWithin(ArrayDataType array) throws IOException {
    int[] lengths = array.getArrayTypeDimensions().clone();
    if (array.getVersion() == 2) {
      ByteBuffer type = ObjectKind.datatype(file, storage.getUserBlockSize() + address);
      if (type == null || type.limit() < 12 + 4 * lengths.length) {
        throw failed(
            " has elements of array type, described elsewhere, which is not read: give it a type of its own, or libver='v110'");
      }
      Arrays.setAll(lengths, i -> type.getInt(12 + 4 * i));
    }
    long bytes = product(array.getBaseType().getSize(), longs(lengths));
    if (bytes != array.getSize() || bytes == 0) {
      throw failed(
          " has elements of the shape %s, which are not %d bytes"
              .formatted(Arrays.toString(lengths), array.getSize()));
    }
    return lengths;
  }

  private long[] lengths() throws FormatException {
    long[] lengths = dataset.getDimensionsAsLong();
    long[] most = dataset.getMaxSize();
    for (int i = 0; i < lengths.length; i++) {
      if (most[i] != UNLIMITED && lengths[i] > most[i]) {
        throw failed(
            " has the shape %s, and may have at most %s: its shape is damaged"
                .formatted(Arrays.toString(lengths), Arrays.toString(most)));
      }
    }
    return lengths;
  }

  private static long[] longs(int[] values) {
    return Arrays.stream(values).asLongStream().toArray();
  }

  private static long[] concat(long[] lengths, long... more) {
    return LongStream.concat(Arrays.stream(lengths), Arrays.stream(more)).toArray();
  }

  private Rows rows(long[] lengths, long[] within, int elementBytes, boolean oneRow)
      throws IOException {
    byte[] fill = fillValue(elementBytes);
    long bytes = Math.multiplyExact(Shape.of(concat(lengths, within)).elements(), elementBytes);
    if (dataset instanceof ContiguousDataset contiguous) {
      return contiguousRows(contiguous.getDataAddress(), bytes, fill);
    }
    if (dataset instanceof CompactDataset compact) {
      ByteBuffer data = compact.getDataBuffer();
      if (data.remaining() != bytes) {
        throw failed(" has %d bytes, where %d are expected".formatted(data.remaining(), bytes));
      }
      byte[] copy = new byte[(int) bytes];
      data.get(copy);
      return new Rows.Compact(copy);
    }
    if (dataset instanceof ChunkedDataset chunked) {
      return chunkedRows(longs(chunked.getChunkDimensions()), lengths, within, fill, oneRow);
    }
    throw failed(" is stored as %s, which is not supported".formatted(dataset.getDataLayout()));
  }

  private Rows contiguousRows(long address, long bytes, byte[] fill) throws IOException {
    if (address == UNDEFINED_ADDRESS) {
      return new Rows.Unwritten(fill);
    }
    long start = address + storage.getUserBlockSize();
    if (address < 0 || bytes > file.length() - start) {
      throw failed(
          " has %d bytes from offset %d, but the file ends at %d"
              .formatted(bytes, start, file.length()));
    }
    // A layout message has the size since version 3; before, 32 bits of the size or no size.
    long stored =
        message(ContiguousDataLayoutMessage.class)
            .map(ContiguousDataLayoutMessage::getSize)
            .orElse(0L);
    if (stored > 0 && stored != bytes) {
      throw failed(
          " has %d bytes by its shape and type, but %d are stored".formatted(bytes, stored));
    }
    return new Rows.Contiguous(file, start);
  }

  private Rows chunkedRows(long[] chunk, long[] lengths, long[] within, byte[] fill, boolean oneRow)
      throws IOException {
    if (chunk.length != lengths.length || Arrays.stream(chunk).anyMatch(length -> length < 1)) {
      throw failed(
          " has chunks of %s in an array of %s"
              .formatted(Arrays.toString(chunk), Shape.of(lengths)));
    }
    long chunkBytes = product(fill.length, concat(chunk, within));
    if (chunkBytes > Integer.MAX_VALUE - 64) {
      throw failed(" has chunks of %d bytes, which are too large".formatted(chunkBytes));
    }
    long[] counts = new long[lengths.length];
    Arrays.setAll(counts, i -> ChunkedRows.count(lengths[i], chunk[i]));
    long grid = product(1, counts);
    Chunks chunks =
        new Chunks(
            file,
            (int) chunkBytes,
            filters(fill.length),
            grid,
            found(chunk, lengths, counts, grid));
    long[] first = oneRow ? new long[] {1} : new long[0];
    long[] allLengths = concat(concat(first, lengths), within);
    long[] allChunk = concat(concat(first, chunk), within);
    return new ChunkedRows(
        chunks, cache, fill, allLengths, Arrays.stream(allChunk).mapToInt(n -> (int) n).toArray());
  }

  private static long product(long unit, long[] lengths) {
    return Arrays.stream(lengths).reduce(unit, Math::multiplyExact);
  }

  private List<Chunks.Found> found(long[] chunk, long[] lengths, long[] counts, long grid)
      throws IOException {
    List<ChunkTree.Entry> entries = new ArrayList<>();
    String doubt = null;
    if (dataset instanceof ChunkedDatasetV4 indexed) {
      for (Chunk each : new IndexedV4(storage, indexed).chunks()) {
        entries.add(
            new ChunkTree.Entry(
                each.getChunkOffset(), each.getAddress(), each.getSize(), mask(each)));
      }
    } else {
      long address = message(ChunkedDataLayoutMessage.class).orElseThrow().getBTreeAddress();
      if (address != UNDEFINED_ADDRESS) {
        ChunkTree tree = tree(chunk, address);
        entries = tree.entries();
        doubt = tree.doubt();
      }
    }
    List<Chunks.Found> found = new ArrayList<>();
    for (ChunkTree.Entry each : entries) {
      if (each.address() != UNDEFINED_ADDRESS) {
        found.add(found(each, chunk, lengths, counts));
      }
    }
    if (found.size() < grid) {
      requireAbsent(grid - found.size(), doubt);
    }
    requireApart(found);
    return found;
  }

  private ChunkTree tree(long[] chunk, long address) throws FormatException {
    try {
      return ChunkTree.read(storage, chunk, address);
    } catch (FormatException damaged) {
      throw damaged.at(path);
    }
  }

  /** Returns a chunk with its number; fails outside of the array: HDF5 deletes such chunks. */
  private Chunks.Found found(ChunkTree.Entry each, long[] chunk, long[] lengths, long[] counts)
      throws FormatException {
    long number = 0;
    for (int i = 0; i < chunk.length; i++) {
      long place = each.offset()[i] / chunk[i];
      if (place < 0 || place >= counts[i] || each.offset()[i] % chunk[i] != 0) {
        throw failed(
            " has a chunk at %s, which is not a place for chunks of %s in an array of %s: its index or its shape is damaged"
                .formatted(
                    Arrays.toString(each.offset()),
                    Arrays.toString(chunk),
                    Arrays.toString(lengths)));
      }
      number = number * counts[i] + place;
    }
    long address = each.address() + storage.getUserBlockSize();
    return new Chunks.Found(number, address, each.size(), each.mask());
  }

  /** Fails if the missing chunks were lost: all were allocated early, or {@code doubt} says so. */
  private void requireAbsent(long missing, String doubt) throws FormatException {
    boolean early =
        message(FillValueMessage.class)
            .filter(fill -> fill.getSpaceAllocationTime() == ALLOCATED_EARLY)
            .isPresent();
    if (early || doubt != null) {
      throw failed(
          " lacks %s: %s"
              .formatted(
                  Counts.of(missing, "chunk"),
                  doubt != null ? doubt : "all were allocated when it was made"));
    }
  }

  /** Fails if two chunks share bytes of the file. */
  private void requireApart(List<Chunks.Found> found) throws FormatException {
    List<Chunks.Found> sorted = new ArrayList<>(found);
    sorted.sort(Comparator.comparingLong(Chunks.Found::address));
    for (int i = 1; i < sorted.size(); i++) {
      Chunks.Found one = sorted.get(i - 1);
      Chunks.Found other = sorted.get(i);
      if (one.address() + Integer.toUnsignedLong(one.size()) > other.address()) {
        throw failed(
            ": the chunks %d and %d share bytes of the file at offset %d: its index is damaged"
                .formatted(one.number(), other.number(), other.address()));
      }
    }
  }

  private static int mask(Chunk chunk) {
    BitSet mask = chunk.getFilterMask();
    return mask == null || mask.isEmpty() ? 0 : (int) mask.toLongArray()[0];
  }

  /** A subclass that makes jHDF's protected look-up of chunks accessible. */
  private static final class IndexedV4 extends ChunkedDatasetV4 {
    IndexedV4(HdfBackingStorage storage, ChunkedDatasetV4 node) {
      super(storage, node.getAddress(), node.getName(), node.getParent(), node.getHeader());
    }

    Collection<Chunk> chunks() {
      return getChunkLookup().values();
    }
  }

  private List<ChunkFilter> filters(int elementBytes) throws FormatException {
    List<ChunkFilter> filters = new ArrayList<>();
    for (FilterInfo info :
        message(FilterPipelineMessage.class)
            .map(FilterPipelineMessage::getFilters)
            .orElse(List.of())) {
      ChunkFilter filter = ChunkFilter.of(info.getId(), info.getData(), elementBytes);
      if (filter == null) {
        throw failed(
            " is stored with filter %d (%s), which is not supported; gzip, shuffle, fletcher32 and lzf are"
                .formatted(info.getId(), filterName(info)));
      }
      filters.add(filter);
    }
    if (filters.stream().filter(filter -> !filter.keepsLength()).count() > 1) {
      throw failed(" is compressed twice, by %s, which is not supported".formatted(filters));
    }
    return filters;
  }

  private static String filterName(FilterPipelineMessage.FilterInfo info) {
    return switch (info.getId()) {
      case 4 -> "szip";
      case 5 -> "nbit";
      case 6 -> "scaleoffset";
      case 32_001 -> "blosc";
      case 32_004 -> "lz4";
      case 32_008 -> "bitshuffle";
      case 32_015 -> "zstd";
      default ->
          info.getName() == null || info.getName().isBlank() ? "unknown" : info.getName().strip();
    };
  }

  private byte[] fillValue(int elementBytes) {
    byte[] fill = new byte[elementBytes];
    message(FillValueMessage.class)
        .filter(FillValueMessage::isFillValueDefined)
        .map(FillValueMessage::getFillValue)
        .filter(value -> value.capacity() >= elementBytes)
        .ifPresent(value -> value.duplicate().rewind().get(fill));
    return fill;
  }

  private ElementType elementType(DataType type) throws FormatException {
    if (type instanceof FixedPoint number
        && number.getBitOffset() == 0
        && number.getBitPrecision() == number.getSize() * Byte.SIZE
        && Integer.bitCount(number.getSize()) == 1
        && number.getSize() <= Long.BYTES) {
      return ElementType.integer(number.getSize(), number.getByteOrder(), number.isSigned());
    }
    if (type instanceof FloatingPoint number) {
      DType dtype = floatType(number);
      if (dtype != null) {
        return ElementType.same(dtype, number.getByteOrder(), true, false);
      }
    }
    if (type instanceof EnumDataType values && values.getBaseType() instanceof FixedPoint base) {
      ElementType number = elementType(base);
      Map<Integer, String> names = values.getEnumMapping();
      boolean bool =
          base.getSize() == 1
              && names.size() == 2
              && Objects.equals(names.get(0), "FALSE")
              && Objects.equals(names.get(1), "TRUE");
      return bool ? ElementType.same(DType.BOOL, number.order(), true, false) : number;
    }
    throw failed(" has elements of %s, which no tensor can have".formatted(words(type)));
  }

  /** Returns the dtype of an IEEE 754 format or of bfloat16; null for any other format. */
  private static @Nullable DType floatType(FloatingPoint number) {
    int exponent = number.getExponentSize();
    int mantissa = number.getMantissaSize();
    boolean usual =
        number.getExponentBias() == (1 << (exponent - 1)) - 1
            && number.getMantissaLocation() == 0
            && number.getExponentLocation() == mantissa
            && number.getSignLocation() == number.getSize() * Byte.SIZE - 1;
    if (!usual) {
      return null;
    }
    return switch (number.getSize()) {
      case 2 ->
          exponent == 5 && mantissa == 10
              ? DType.FLOAT16
              : exponent == 8 && mantissa == 7 ? DType.BFLOAT16 : null;
      case 4 -> exponent == 8 && mantissa == 23 ? DType.FLOAT32 : null;
      case 8 -> exponent == 11 && mantissa == 52 ? DType.FLOAT64 : null;
      default -> null;
    };
  }

  private static String words(DataType type) {
    return "%s of %d bytes".formatted(type.getClass().getSimpleName(), type.getSize());
  }
}
