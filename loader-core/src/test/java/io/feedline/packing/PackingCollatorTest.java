package io.feedline.packing;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.Refusals.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import io.feedline.packing.PackingCollator.AttentionMask;
import io.feedline.packing.PackingCollator.Labels;
import io.feedline.packing.TokenPacking.PackedRow;
import java.util.List;
import org.junit.jupiter.api.Test;

class PackingCollatorTest {

  private static PackedRow row(int rowLength, TokenSequence... sequences) {
    PackedRow.Filler filler = new PackedRow.Filler(rowLength);
    for (TokenSequence sequence : sequences) {
      filler.add(sequence, 0, sequence.size());
    }
    return filler.row();
  }

  /** Two rows of six places: documents of 2 and 3 tokens, and one of 6. */
  private static final List<PackedRow> ROWS =
      List.of(
          row(6, TokenSequence.of(11, 12), TokenSequence.of(21, 22, 23)),
          row(6, TokenSequence.of(31, 32, 33, 34, 35, 36)));

  private static Batch batch(PackingCollator.Builder collator, List<PackedRow> rows) {
    try (DataLoader<PackedRow> loader =
        DataLoader.builder(Dataset.of(rows))
            .batchSize(rows.size())
            .numWorkers(0)
            .collator(collator.build())
            .build()) {
      return loader.iterator().next();
    }
  }

  private static void assertTensor(Batch batch, String name, long... expected) {
    assertThat(batch.tensor(name).toLongArray()).as(name).containsExactly(expected);
  }

  @Test
  void shouldGiveIdsPositionsSegmentsAndLabels() {
    try (Batch batch = batch(PackingCollator.builder(), ROWS)) {
      assertThat(batch.tensors().keySet())
          .containsExactly("input_ids", "position_ids", "segment_ids", "labels");
      assertThat(batch.tensor("input_ids").shape()).isEqualTo(Shape.of(2, 6));
      assertTensor(batch, "input_ids", 11, 12, 21, 22, 23, 0, 31, 32, 33, 34, 35, 36);
      assertTensor(batch, "position_ids", 0, 1, 0, 1, 2, 0, 0, 1, 2, 3, 4, 5);
      assertTensor(batch, "segment_ids", 1, 1, 2, 2, 2, 0, 1, 1, 1, 1, 1, 1);
      assertTensor(batch, "labels", -100, 12, -100, 22, 23, -100, -100, 32, 33, 34, 35, 36);
    }
  }

  @Test
  void shouldGiveTheNextTokenAsLabel() {
    PackingCollator.Builder next = PackingCollator.builder().labels(Labels.NEXT);
    try (Batch batch = batch(next, ROWS)) {
      assertTensor(batch, "labels", 12, -100, 22, 23, -100, -100, 32, 33, 34, 35, 36, -100);
    }
    try (Batch batch = batch(next.ignoreBoundaries(false), ROWS)) {
      assertTensor(batch, "labels", 12, 21, 22, 23, -100, -100, 32, 33, 34, 35, 36, -100);
    }
    try (Batch batch = batch(next.labels(Labels.NONE).cuSeqlens(true), ROWS)) {
      assertThat(batch.tensors().keySet()).doesNotContain("labels");
      assertThat(batch.tensor("cu_seqlens").toIntArray()).containsExactly(0, 2, 5, 6, 12);
      assertThat(batch.tensor("max_seqlen").toIntArray()).containsExactly(6);
    }
  }

  @Test
  void shouldKeepLabelsOfTheSequencesOwn() {
    TokenSequence labeled = TokenSequence.of(new int[] {3, 4, 5}, new int[] {-7, -7, 5});
    List<PackedRow> rows = List.of(row(6, TokenSequence.of(1, 2), labeled));
    PackingCollator.Builder collator =
        PackingCollator.builder().ignoreIndex(-7).ignoreBoundaries(false);
    try (Batch batch = batch(collator, rows)) {
      assertTensor(batch, "labels", 1, 2, -7, -7, 5, -7);
    }
    try (Batch batch = batch(collator.labels(Labels.NEXT), rows)) {
      assertTensor(batch, "labels", 2, -7, -7, 5, -7, -7);
    }
  }

  @Test
  void shouldTakeARowAsOneDocument() {
    try (Batch batch =
        batch(PackingCollator.builder().documentBoundaries(false).cuSeqlens(true), ROWS)) {
      assertTensor(batch, "position_ids", 0, 1, 2, 3, 4, 0, 0, 1, 2, 3, 4, 5);
      assertTensor(batch, "segment_ids", 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1);
      assertTensor(batch, "labels", -100, 12, 21, 22, 23, -100, -100, 32, 33, 34, 35, 36);
      assertThat(batch.tensor("cu_seqlens").toIntArray()).containsExactly(0, 5, 6, 12);
    }
  }

  @Test
  void shouldGiveAMaskThatKeepsDocumentsApart() {
    List<PackedRow> rows = List.of(row(4, TokenSequence.of(1, 2), TokenSequence.of(3)));
    PackingCollator.Builder collator = PackingCollator.builder();
    try (Batch batch = batch(collator.attentionMask(AttentionMask.BLOCK_DIAGONAL), rows)) {
      assertThat(batch.tensor("attention_mask").dtype()).isEqualTo(DType.BOOL);
      assertThat(batch.tensor("attention_mask").shape()).isEqualTo(Shape.of(1, 4, 4));
      assertMask(batch, "1100 1100 0010 0001");
    }
    try (Batch batch = batch(collator.attentionMask(AttentionMask.BLOCK_DIAGONAL_CAUSAL), rows)) {
      assertMask(batch, "1000 1100 0010 0001");
    }
  }

  private static void assertMask(Batch batch, String expected) {
    StringBuilder found = new StringBuilder();
    for (int i = 0; i < 16; i++) {
      found.append(i > 0 && i % 4 == 0 ? " " : "");
      found.append(batch.tensor("attention_mask").bytes().get(i));
    }
    assertThat(found).hasToString(expected);
  }

  @Test
  void shouldGiveThirtyTwoBitsAndOtherPadding() {
    try (Batch batch =
        batch(PackingCollator.builder().dtype(DType.INT32).padId(9).ignoreIndex(-1), ROWS)) {
      for (String name : batch.tensors().keySet()) {
        assertThat(batch.tensor(name).dtype()).as(name).isEqualTo(DType.INT32);
      }
      assertThat(batch.tensor("input_ids").toIntArray())
          .containsExactly(11, 12, 21, 22, 23, 9, 31, 32, 33, 34, 35, 36);
      assertThat(batch.tensor("labels").toIntArray()).startsWith(-1, 12, -1);
    }
    assertRefused(() -> PackingCollator.builder().dtype(DType.FLOAT32), "FLOAT32");
  }

  @Test
  void shouldTellHowFullTheRowsWere() {
    PackingCollator collator = PackingCollator.of();
    assertThat(collator.fillRate()).isEqualTo(1);
    try (DataLoader<PackedRow> loader =
        DataLoader.builder(Dataset.of(ROWS)).numWorkers(0).collator(collator).build()) {
      loader.forEach(Batch::close);
    }
    assertThat(collator.fillRate()).isEqualTo(11 / 12.0);
  }

  @Test
  void shouldRefuseRowsLabelsAndIdsThatDoNotFit() {
    List<PackedRow> rows = List.of(ROWS.get(0), row(7, TokenSequence.of(1)));
    assertThrown(
        LoaderException.class,
        () -> batch(PackingCollator.builder(), rows),
        "row 1 of the batch",
        "7 places",
        "row 0 for 6");
    assertRefused(() -> TokenSequence.of(new int[2], new int[3]), "3 labels", "2 ids");
    assertRefused(() -> TokenSequence.of(new long[] {1, 1L << 40}), "1099511627776", "position 1");
    assertThat(TokenSequence.of(new long[] {1, 2})).isEqualTo(TokenSequence.of(1, 2));
  }
}
