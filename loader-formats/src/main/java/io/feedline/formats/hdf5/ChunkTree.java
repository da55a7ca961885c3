package io.feedline.formats.hdf5;

import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.internal.OpenFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The index of an array's chunks in files that h5py writes by default (HDF5 File Format
 * Specification, III.A.1, "Version 1 B-trees", type 1). These nodes have no checksum, so what they
 * say is compared: keys ascend, begin where chunks can, and those of a node are its parent's.
 *
 * <pre>
 *   node   "TREE" | u8 type, 1 | u8 level | u16 entries | left sibling | right sibling
 *          a key and a child's address for each entry | a key behind the last
 *   key    u32 bytes of the chunk as stored | u32 filters left out | u64 offset by axis | u64 0
 * </pre>
 *
 * <p>The key behind the last chunk of all has no bytes. Belongs to one thread.
 */
final class ChunkTree {

  private static final int SIGNATURE = 'T' | 'R' << 8 | 'E' << 16 | 'E' << 24;
  private static final int HEADER_BYTES = 8;
  private static final int CHUNKS = 1;

  private final OpenFile file;
  private final long base;
  private final int offsetBytes;
  private final int[] chunk;
  private final List<Entry> entries = new ArrayList<>();

  /** What contradicts another part, but says nothing where no chunk is missing. */
  private String doubt;

  /**
   * A chunk.
   *
   * @param offset of its first element, by axis
   * @param address in the file, without its user block
   * @param size as it is stored
   * @param mask a bit for each filter that was left out
   */
  record Entry(long[] offset, long address, int size, int mask) {}

  /** A key with its offsets, the one within elements too. */
  private record Key(int size, int mask, long[] offset) {}

  private ChunkTree(OpenFile file, long base, int offsetBytes, int[] chunk) {
    this.file = file;
    this.base = base;
    this.offsetBytes = offsetBytes;
    this.chunk = chunk;
  }

  /**
   * Reads an index.
   *
   * @param base what addresses count from
   * @param offsetBytes what an address takes, 4 or 8
   * @param chunk the lengths of a chunk
   * @param address of the root
   * @throws FormatException if it is damaged
   */
  static ChunkTree read(OpenFile file, long base, int offsetBytes, int[] chunk, long address)
      throws IOException {
    ChunkTree tree = new ChunkTree(file, base, offsetBytes, chunk);
    Key last = tree.node(address, -1, null);
    if (last.size() != 0) {
      tree.doubt = "the last node of its index does not end with the last chunk";
    }
    return tree;
  }

  List<Entry> entries() {
    return entries;
  }

  /** Why chunks may be missing that were there; null if there is no reason. */
  String doubt() {
    return doubt;
  }

  /**
   * Reads what is below a node.
   *
   * @param level that it should have, -1 for any
   * @param first the key that it should begin with; null for any
   * @return its last key
   */
  private Key node(long address, int level, Key first) throws IOException {
    ByteBuffer header = bytes(address, HEADER_BYTES);
    int signature = header.getInt();
    int type = header.get();
    int found = header.get();
    int count = Short.toUnsignedInt(header.getShort());
    if (signature != SIGNATURE
        || type != CHUNKS
        || found < 0
        || (level >= 0 && found != level)
        || count == 0) {
      throw failed(address, "level %d, %d entries".formatted(found, count));
    }
    int keyBytes = 2 * Integer.BYTES + (chunk.length + 1) * Long.BYTES;
    long start = address + HEADER_BYTES + 2L * offsetBytes;
    ByteBuffer body = bytes(start, count * (keyBytes + offsetBytes) + keyBytes);
    Key key = key(body);
    if (first != null && !Arrays.equals(key.offset(), first.offset())) {
      doubt = "the node at %d of its index does not begin as the one above says".formatted(address);
    }
    for (int i = 0; i < count; i++) {
      long child =
          offsetBytes == Integer.BYTES ? Integer.toUnsignedLong(body.getInt()) : body.getLong();
      Key next = key(body);
      if (Arrays.compare(key.offset(), next.offset()) >= 0) {
        throw failed(address, "the keys %d and %d are not in order".formatted(i, i + 1));
      }
      if (found == 0) {
        add(address, key, child);
      } else {
        Key last = node(child, found - 1, key);
        if (!Arrays.equals(last.offset(), next.offset())) {
          doubt = "the node at %d of its index does not end as the one above says".formatted(child);
        }
      }
      key = next;
    }
    return key;
  }

  private void add(long node, Key key, long address) throws IOException {
    long[] offset = Arrays.copyOf(key.offset(), chunk.length);
    boolean possible = key.offset()[chunk.length] == 0 && key.size() != 0 && address >= 0;
    for (int i = 0; i < chunk.length; i++) {
      possible &= offset[i] >= 0 && offset[i] % chunk[i] == 0;
    }
    if (!possible) {
      throw failed(
          node,
          "no chunk of %s begins at %s".formatted(Arrays.toString(chunk), Arrays.toString(offset)));
    }
    Entry last = entries.isEmpty() ? null : entries.get(entries.size() - 1);
    if (last != null && Arrays.compare(last.offset(), offset) >= 0) {
      throw failed(node, "its chunks do not follow those of the node before");
    }
    entries.add(new Entry(offset, address, key.size(), key.mask()));
  }

  private Key key(ByteBuffer in) {
    int size = in.getInt();
    int mask = in.getInt();
    long[] offset = new long[chunk.length + 1];
    for (int i = 0; i < offset.length; i++) {
      offset[i] = in.getLong();
    }
    return new Key(size, mask, offset);
  }

  private ByteBuffer bytes(long address, int count) throws IOException {
    if (address < 0 || address > file.length() - base - count) {
      throw failed(address, "it is not within the file of %d bytes".formatted(file.length()));
    }
    ByteBuffer bytes = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    file.read(base + address, bytes);
    return bytes.flip();
  }

  private static FormatException failed(long address, String problem) {
    return new FormatException(
        "the node at %d of its index of chunks is damaged: %s".formatted(address, problem));
  }
}
