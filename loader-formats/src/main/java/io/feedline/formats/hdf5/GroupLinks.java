package io.feedline.formats.hdf5;

import io.feedline.formats.store.FormatException;
import io.jhdf.FractalHeap;
import io.jhdf.GroupSymbolTableNode;
import io.jhdf.LocalHeap;
import io.jhdf.ObjectHeader;
import io.jhdf.SymbolTableEntry;
import io.jhdf.Utils;
import io.jhdf.btree.BTreeV2;
import io.jhdf.btree.record.LinkNameForIndexedGroupRecord;
import io.jhdf.object.message.LinkInfoMessage;
import io.jhdf.object.message.LinkMessage;
import io.jhdf.object.message.SymbolTableMessage;
import io.jhdf.storage.HdfBackingStorage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The names in a group, and where each leads. What is there is not looked at: jHDF's own groups
 * read all their members at once, so that one which jHDF cannot read (an opaque value, a virtual
 * dataset) would make all its neighbors unreadable.
 */
final class GroupLinks {

  private static final long UNDEFINED_ADDRESS = -1;

  private static final int SOFT_LINK = 2;

  /** Of a node of a tree. */
  private static final int SIGNATURE = 'T' | 'R' << 8 | 'E' << 16 | 'E' << 24;

  /**
   * Where a name leads.
   *
   * @param address of an object's header; -1 where it is a link to a path
   * @param path that a soft link leads to; null where it is none
   */
  record Target(long address, String path) {
    static Target hard(long address) {
      return new Target(address, null);
    }

    static Target soft(String path) {
      return new Target(UNDEFINED_ADDRESS, path);
    }

    /** Something in another file. */
    static final Target EXTERNAL = new Target(UNDEFINED_ADDRESS, null);
  }

  private GroupLinks() {}

  /** Whether an object's header is that of a group. */
  static boolean isGroup(ObjectHeader header) {
    return header.hasMessageOfType(SymbolTableMessage.class)
        || header.hasMessageOfType(LinkInfoMessage.class);
  }

  /**
   * The links of a group, in the order in which the file has them.
   *
   * @throws FormatException if they contradict each other; jHDF throws what else is damaged
   */
  static Map<String, Target> of(HdfBackingStorage storage, ObjectHeader header)
      throws FormatException {
    return header.hasMessageOfType(SymbolTableMessage.class)
        ? symbols(storage, header.getMessageOfType(SymbolTableMessage.class))
        : links(storage, header);
  }

  private static Map<String, Target> links(HdfBackingStorage storage, ObjectHeader header)
      throws FormatException {
    Map<String, Target> targets = new LinkedHashMap<>();
    for (LinkMessage link : messages(storage, header)) {
      put(
          targets,
          link.getLinkName(),
          switch (link.getLinkType()) {
            case HARD -> Target.hard(link.getHardLinkAddress());
            case SOFT -> Target.soft(link.getSoftLink());
            case EXTERNAL -> Target.EXTERNAL;
          });
    }
    return targets;
  }

  private static List<LinkMessage> messages(HdfBackingStorage storage, ObjectHeader header) {
    LinkInfoMessage info = header.getMessageOfType(LinkInfoMessage.class);
    if (info.getBTreeNameIndexAddress() == UNDEFINED_ADDRESS) {
      return header.getMessagesOfType(LinkMessage.class);
    }
    FractalHeap heap = new FractalHeap(storage, info.getFractalHeapAddress());
    List<LinkMessage> messages = new ArrayList<>();
    BTreeV2<LinkNameForIndexedGroupRecord> names =
        new BTreeV2<>(storage, info.getBTreeNameIndexAddress());
    for (LinkNameForIndexedGroupRecord record : names.getRecords()) {
      messages.add(LinkMessage.fromBuffer(heap.getId(record.getId()), storage.getSuperblock()));
    }
    return messages;
  }

  private static Map<String, Target> symbols(HdfBackingStorage storage, SymbolTableMessage table)
      throws FormatException {
    ByteBuffer names = new LocalHeap(storage, table.getLocalHeapAddress()).getDataBuffer();
    Map<String, Target> targets = new LinkedHashMap<>();
    new Symbols(storage, names, targets).below(table.getBTreeAddress(), -1);
    return targets;
  }

  /**
   * The entries of a group in files that h5py writes by default (III.A.1, "Version 1 B-trees", type
   * 0, and III.B). These nodes have no checksum, but the key behind a child is its last name.
   *
   * <pre>
   *   node   "TREE" | u8 type, 0 | u8 level | u16 entries | left sibling | right sibling
   *          key, the name's place in the heap | child | key | child | key ...
   * </pre>
   */
  private static final class Symbols {
    private static final int HEADER_BYTES = 8;

    private final HdfBackingStorage storage;
    private final ByteBuffer names;
    private final Map<String, Target> targets;

    Symbols(HdfBackingStorage storage, ByteBuffer names, Map<String, Target> targets) {
      this.storage = storage;
      this.names = names;
      this.targets = targets;
    }

    /**
     * Reads what is below a node.
     *
     * @param expected its level, -1 for any
     * @return its last name; empty if it has none
     */
    String below(long address, int expected) throws FormatException {
      ByteBuffer header = storage.readBufferFromAddress(address, HEADER_BYTES);
      int signature = header.getInt();
      int type = header.get();
      int level = header.get();
      int count = Short.toUnsignedInt(header.getShort());
      if (signature != SIGNATURE
          || type != 0
          || level < 0
          || (expected >= 0 && level != expected)) {
        throw new FormatException(
            "the node at %d of its index of names is damaged: type %d, level %d"
                .formatted(address, type, level));
      }
      int lengthBytes = storage.getSizeOfLengths();
      int offsetBytes = storage.getSizeOfOffsets();
      ByteBuffer body =
          storage.readBufferFromAddress(
              address + HEADER_BYTES + 2L * offsetBytes,
              count * (lengthBytes + offsetBytes) + lengthBytes);
      Utils.readBytesAsUnsignedLong(body, lengthBytes);
      String last = "";
      for (int i = 0; i < count; i++) {
        long child = Utils.readBytesAsUnsignedLong(body, offsetBytes);
        long key = Utils.readBytesAsUnsignedLong(body, lengthBytes);
        last = level == 0 ? leaf(child) : below(child, level - 1);
        String wanted = name(names, Math.toIntExact(key));
        if (!last.equals(wanted)) {
          throw new FormatException(
              "its index of names is damaged: the node at %d should end with '%s', and ends with '%s'"
                  .formatted(child, wanted, last));
        }
      }
      return last;
    }

    private String leaf(long node) throws FormatException {
      String last = "";
      for (SymbolTableEntry entry :
          new GroupSymbolTableNode(storage, node).getSymbolTableEntries()) {
        last = name(names, entry.getLinkNameOffset());
        put(
            targets,
            last,
            entry.getCacheType() == SOFT_LINK
                ? Target.soft(name(names, entry.getLinkValueOffset()))
                : Target.hard(entry.getObjectHeaderAddress()));
      }
      return last;
    }
  }

  private static String name(ByteBuffer names, int offset) {
    return Utils.readUntilNull(names.position(offset));
  }

  private static void put(Map<String, Target> targets, String name, Target target)
      throws FormatException {
    if (targets.put(name, target) != null) {
      throw new FormatException("the name '%s' comes twice in a group".formatted(name));
    }
  }
}
