package io.feedline.formats.hdf5;

import io.feedline.data.FormatException;
import io.jhdf.Utils;
import io.jhdf.storage.HdfBackingStorage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The index of an array's chunks, in the form that h5py writes by default: a tree of {@link
 * TreeNode}s. Keys must ascend, be possible starts of chunks, and agree with the parent's keys.
 *
 * <pre>
 *   key    u32 bytes of the chunk as stored | u32 filters left out | u64 offset by axis | u64 0
 * </pre>
 *
 * <p>The key behind the last chunk has the size 0. Not thread-safe.
 */
final class ChunkTree {

  private final HdfBackingStorage storage;
  private final long[] chunk;
  private final List<Entry> entries = new ArrayList<>();

  /** A contradiction between two nodes, which is an error if chunks are missing; or null. */
  private String doubt;

  /**
   * A chunk's place. {@code address} counts bytes from the end of the user block; bit i of {@code
   * mask} is 1 if filter i was not applied.
   */
  record Entry(long[] offset, long address, int size, int mask) {}

  /** A key of a node; the last number of {@code offset} is the place within an element, 0. */
  private record Key(int size, int mask, long[] offset) {}

  private ChunkTree(HdfBackingStorage storage, long[] chunk) {
    this.storage = storage;
    this.chunk = chunk;
  }

  /** Reads an index from the address of its root; jHDF throws for addresses outside of the file. */
  static ChunkTree read(HdfBackingStorage storage, long[] chunk, long address)
      throws FormatException {
    ChunkTree tree = new ChunkTree(storage, chunk);
    Key last = tree.node(address, -1, null);
    if (last.size() != 0) {
      tree.doubt = "the last node of its index does not end with the last chunk";
    }
    return tree;
  }

  List<Entry> entries() {
    return entries;
  }

  @Nullable String doubt() {
    return doubt;
  }

  /** Reads a node that should begin with {@code first}, and all below; returns the last key. */
  private Key node(long address, int level, @Nullable Key first) throws FormatException {
    int keyBytes = 2 * Integer.BYTES + (chunk.length + 1) * Long.BYTES;
    TreeNode node = TreeNode.read(storage, address, TreeNode.Type.CHUNKS, level, keyBytes);
    if (node.entries() == 0) {
      throw damaged(address, "it has no entries");
    }
    Key key = key(node.body());
    if (first != null && !Arrays.equals(key.offset(), first.offset())) {
      doubt = "the node at %d of its index does not begin as the one above says".formatted(address);
    }
    for (int i = 0; i < node.entries(); i++) {
      long child = Utils.readBytesAsUnsignedLong(node.body(), storage.getSizeOfOffsets());
      Key next = key(node.body());
      if (Arrays.compare(key.offset(), next.offset()) >= 0) {
        throw damaged(address, "the keys %d and %d are not in order".formatted(i, i + 1));
      }
      if (node.level() == 0) {
        add(address, key, child);
      } else {
        Key last = node(child, node.level() - 1, key);
        if (!Arrays.equals(last.offset(), next.offset())) {
          doubt = "the node at %d of its index does not end as the one above says".formatted(child);
        }
      }
      key = next;
    }
    return key;
  }

  private void add(long node, Key key, long address) throws FormatException {
    long[] offset = Arrays.copyOf(key.offset(), chunk.length);
    boolean possible = key.offset()[chunk.length] == 0 && key.size() != 0 && address >= 0;
    for (int i = 0; i < chunk.length; i++) {
      possible &= offset[i] >= 0 && offset[i] % chunk[i] == 0;
    }
    if (!possible) {
      throw damaged(
          node,
          "no chunk of %s begins at %s".formatted(Arrays.toString(chunk), Arrays.toString(offset)));
    }
    Entry last = entries.isEmpty() ? null : entries.get(entries.size() - 1);
    if (last != null && Arrays.compare(last.offset(), offset) >= 0) {
      throw damaged(node, "its chunks do not follow those of the node before");
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

  private static FormatException damaged(long node, String problem) {
    return TreeNode.Type.CHUNKS.damaged(node, problem);
  }
}
