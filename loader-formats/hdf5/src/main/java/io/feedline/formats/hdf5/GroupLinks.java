package io.feedline.formats.hdf5;

import io.feedline.data.FormatException;
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
import org.jspecify.annotations.Nullable;

/**
 * A reader of a group's names and of their targets. jHDF's own groups read all members, and fail if
 * one of the members cannot be read.
 */
final class GroupLinks {

  private static final long UNDEFINED_ADDRESS = -1;

  private static final int SOFT_LINK = 2;

  /** The target of a name: an object header's address, or {@code path} for a soft link. */
  record Target(long address, @Nullable String path) {
    static Target hard(long address) {
      return new Target(address, null);
    }

    static Target soft(String path) {
      return new Target(UNDEFINED_ADDRESS, path);
    }

    static final Target EXTERNAL = new Target(UNDEFINED_ADDRESS, null);
  }

  private GroupLinks() {}

  static boolean isGroup(ObjectHeader header) {
    return header.hasMessageOfType(SymbolTableMessage.class)
        || header.hasMessageOfType(LinkInfoMessage.class);
  }

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

  /** A reader of a symbol table, h5py's default (HDF5 File Format Specification, section III.B). */
  private record Symbols(HdfBackingStorage storage, ByteBuffer names, Map<String, Target> targets) {

    /** Reads the names below a node and returns the last name; empty if the node has no entries. */
    String below(long address, int expected) throws FormatException {
      int keyBytes = storage.getSizeOfLengths();
      TreeNode node = TreeNode.read(storage, address, TreeNode.Type.NAMES, expected, keyBytes);
      Utils.readBytesAsUnsignedLong(node.body(), keyBytes);
      String last = "";
      for (int i = 0; i < node.entries(); i++) {
        long child = Utils.readBytesAsUnsignedLong(node.body(), storage.getSizeOfOffsets());
        long key = Utils.readBytesAsUnsignedLong(node.body(), keyBytes);
        last = node.level() == 0 ? leaf(child) : below(child, node.level() - 1);
        String wanted = name(names, Math.toIntExact(key));
        if (!last.equals(wanted)) {
          throw TreeNode.Type.NAMES.damaged(
              child, "it should end with '%s', and ends with '%s'".formatted(wanted, last));
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
