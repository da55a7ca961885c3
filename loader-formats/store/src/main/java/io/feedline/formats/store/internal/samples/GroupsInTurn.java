package io.feedline.formats.store.internal.samples;

import io.feedline.formats.store.internal.samples.TableFile.Block;
import io.feedline.formats.store.internal.samples.TableFile.Front;
import io.feedline.formats.store.internal.samples.TableFile.Wanted;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a file's blocks, group by group; {@link #mark} has the next block's group and number. */
final class GroupsInTurn implements Front {

  private final TableFile file;
  private final List<Wanted> columns;
  private final int groups;
  private int group;
  private int block;
  private @Nullable List<? extends Block> blocks;

  GroupsInTurn(TableFile file, List<Wanted> columns) throws IOException {
    this.file = file;
    this.columns = columns;
    this.groups = file.rows().length;
  }

  @Override
  public @Nullable Block next() throws IOException {
    while (group < groups) {
      if (blocks == null) {
        int first = block;
        int found = group++;
        block = 0;
        // The position moves behind the group first, so that a damaged group fails only once.
        blocks = file.blocks(found, columns);
        group = found;
        block = first;
      }
      if (block < blocks.size()) {
        return blocks.get(block++);
      }
      group++;
      block = 0;
      blocks = null;
    }
    return null;
  }

  @Override
  public List<Long> mark() {
    return List.of((long) group, (long) block);
  }

  @Override
  public void goTo(List<Long> mark) throws IOException {
    boolean known =
        mark.size() == 2
            && mark.get(0) >= 0
            && mark.get(0) <= groups
            && mark.get(1) >= 0
            && mark.get(1) <= Integer.MAX_VALUE;
    if (!known) {
      throw new IOException(
          "%s is not a position in %s, which has %d groups of rows"
              .formatted(mark, file.schema().file(), groups));
    }
    group = mark.get(0).intValue();
    block = mark.get(1).intValue();
    blocks = null;
  }

  @Override
  public void close() {}
}
