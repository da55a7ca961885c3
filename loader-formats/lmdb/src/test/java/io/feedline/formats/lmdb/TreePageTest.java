package io.feedline.formats.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** The edges of a page, to the byte. */
class TreePageTest {

  private static final int PAGE = 512;
  private static final int LAST_PAGE = 9;
  private static final TreeSnapshot TREE = new TreeSnapshot(PAGE, 1, LAST_PAGE, 1, 0, 1, 0, 1, 2);

  private static final int BRANCH = 1;
  private static final int LEAF = 2;
  private static final int LARGE = 1;

  /** Longer than a page, so that what lies behind the page can be read. */
  private final ByteBuffer memory = ByteBuffer.allocate(2 * PAGE).order(ByteOrder.nativeOrder());

  /** Writes page 2 with one node, which begins where the free space ends. */
  private TreePage page(int kind, int node, int flags, int keyBytes, int valueBytes)
      throws IOException {
    memory.putLong(0, 2).putShort(10, (short) kind);
    bounds(18, node);
    memory.putShort(16, (short) node);
    if (node + 8 <= PAGE) {
      memory.putShort(node, (short) valueBytes).putShort(node + 2, (short) 0);
      if (ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN) {
        memory.putShort(node, (short) 0).putShort(node + 2, (short) valueBytes);
      }
      memory.putShort(node + 4, (short) flags).putShort(node + 6, (short) keyBytes);
    }
    return open(kind);
  }

  private void bounds(int lower, int upper) {
    memory.putShort(12, (short) lower).putShort(14, (short) upper);
  }

  private TreePage open(int kind) throws IOException {
    return new TreePage().open(TREE, memory, 0, 2, kind == LEAF);
  }

  @Test
  void shouldReadAKeyThatEndsWithThePageAndNoneBehindIt() throws IOException {
    assertThat(page(LEAF, 500, 0, 4, 0).node(0)).isEqualTo(500);
    assertThat(page(LEAF, 500, 0, 4, 0).key(500).remaining()).isEqualTo(4);
    for (int bytes : new int[] {5, 6, 7, 0xFFFF}) {
      TreePage page = page(LEAF, 500, 0, bytes, 0);
      assertThatThrownBy(() -> page.node(0))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("page 2", "the key of node 0 has " + bytes + " bytes");
    }
  }

  @Test
  void shouldReadANodeThatEndsWithThePageAndNoneElsewhere() throws IOException {
    assertThat(page(LEAF, 504, 0, 0, 0).node(0)).isEqualTo(504);
    TreePage behind = page(LEAF, 506, 0, 0, 0);
    assertThatThrownBy(() -> behind.node(0)).hasMessageContaining("node 0 begins at 506");
    TreePage odd = page(LEAF, 501, 0, 0, 0);
    assertThatThrownBy(() -> odd.node(0)).hasMessageContaining("node 0 begins at 501");
    page(LEAF, 500, 0, 4, 0);
    bounds(18, 502);
    TreePage free = open(LEAF);
    assertThatThrownBy(() -> free.node(0)).hasMessageContaining("node 0 begins at 500");
  }

  @Test
  void shouldReadAValueThatEndsWithThePageAndNoneBehindIt() throws IOException {
    assertThat(page(LEAF, 490, 0, 4, 10).value(490)).isEqualTo(502);
    TreePage page = page(LEAF, 490, 0, 4, 11);
    assertThatThrownBy(() -> page.value(490)).hasMessageContaining("the value at 490 has 11 bytes");
  }

  @Test
  void shouldRefuseFreeSpaceThatIsNotWithinThePage() throws IOException {
    page(LEAF, 500, 0, 4, 0);
    for (int[] each : new int[][] {{16, 500}, {19, 500}, {20, 18}, {18, PAGE + 2}}) {
      bounds(each[0], each[1]);
      assertThatThrownBy(() -> open(LEAF))
          .hasMessageContaining("free space is from %d to %d".formatted(each[0], each[1]));
    }
    bounds(18, 18);
    assertThat(open(LEAF).count()).isOne();
  }

  @Test
  void shouldFollowABranchToPagesOfTheTreeAlone() throws IOException {
    for (int child : new int[] {2, LAST_PAGE}) {
      assertThat(page(BRANCH, 500, 0, 4, child).child(500)).isEqualTo(child);
    }
    for (int child : new int[] {1, LAST_PAGE + 1}) {
      TreePage page = page(BRANCH, 500, 0, 4, child);
      assertThatThrownBy(() -> page.child(500)).hasMessageContaining("leads to page " + child);
    }
    TreePage far = page(BRANCH, 500, 1, 4, 5);
    assertThatThrownBy(() -> far.child(500))
        .hasMessageContaining("leads to page " + (5 + (1L << 32)));
  }

  @Test
  void shouldFindALargeValueWithAllItsPages() throws IOException {
    // Of 1009 bytes, which with the header are a byte more than two pages.
    TreePage page = page(LEAF, 490, LARGE, 4, 1009);
    memory.putLong(502, LAST_PAGE - 2);
    assertThat(page.overflow(490)).isEqualTo(LAST_PAGE - 2);
    memory.putLong(502, LAST_PAGE - 1);
    assertThatThrownBy(() -> page.overflow(490)).hasMessageContaining("a value of 3 pages");
    memory.putLong(502, 1);
    assertThatThrownBy(() -> page.overflow(490)).hasMessageContaining("begins at page 1");

    TreePage two = page(LEAF, 490, LARGE, 4, 1008);
    memory.putLong(502, LAST_PAGE - 1);
    assertThat(two.overflow(490)).isEqualTo(LAST_PAGE - 1);

    TreePage ends = page(LEAF, 492, LARGE, 4, 1008);
    memory.putLong(504, LAST_PAGE - 1);
    assertThat(ends.overflow(492)).isEqualTo(LAST_PAGE - 1);
    TreePage behind = page(LEAF, 494, LARGE, 4, 1008);
    memory.putLong(506, LAST_PAGE - 1);
    assertThatThrownBy(() -> behind.overflow(494)).hasMessageContaining("the node at 494");
  }
}
