package io.feedline.formats.hdf5;

import io.feedline.data.FormatException;
import io.jhdf.storage.HdfBackingStorage;
import java.nio.ByteBuffer;

/**
 * A node of an index of chunks or names, in the form that h5py writes by default (HDF5 File Format
 * Specification, section III.A.1, "Version 1 B-trees"). Nodes have no checksum: only their keys
 * show that a node is lost, and jHDF's own trees do not read the keys.
 *
 * <pre>
 *   "TREE" | u8 type | u8 level | u16 entries | left sibling | right sibling
 *   a key and a child's address for each entry | a key behind the last
 * </pre>
 *
 * @param body the keys and the children's addresses, from the first key on
 */
record TreeNode(int level, int entries, ByteBuffer body) {

  private static final int SIGNATURE = 'T' | 'R' << 8 | 'E' << 16 | 'E' << 24;
  private static final int HEADER_BYTES = 8;

  /** Reads a node of a level (-1: any level); jHDF throws if it lies outside of the file. */
  static TreeNode read(HdfBackingStorage storage, long address, Type type, int level, int keyBytes)
      throws FormatException {
    ByteBuffer header = storage.readBufferFromAddress(address, HEADER_BYTES);
    int signature = header.getInt();
    int found = header.get();
    int foundLevel = header.get();
    int entries = Short.toUnsignedInt(header.getShort());
    if (signature != SIGNATURE
        || found != type.number
        || foundLevel < 0
        || (level >= 0 && foundLevel != level)) {
      throw type.damaged(
          address, "type %d, level %d, %d entries".formatted(found, foundLevel, entries));
    }
    int offsetBytes = storage.getSizeOfOffsets();
    ByteBuffer body =
        storage.readBufferFromAddress(
            address + HEADER_BYTES + 2L * offsetBytes,
            entries * (keyBytes + offsetBytes) + keyBytes);
    return new TreeNode(foundLevel, entries, body);
  }

  enum Type {
    NAMES(0, "names"),
    CHUNKS(1, "chunks");

    private final int number;
    private final String words;

    Type(int number, String words) {
      this.number = number;
      this.words = words;
    }

    FormatException damaged(long node, String problem) {
      return new FormatException(
          "the node at %d of its index of %s is damaged: %s".formatted(node, words, problem));
    }
  }
}
