package io.feedline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class FromPyTorchTest {

  @Test
  void shouldRunEachIdiom(@TempDir Path temp) throws Exception {
    List<String> printed = Printed.by(FromPyTorch::main, temp.toString());

    assertThat(printed)
        .containsSubsequence(
            "class, 10: {x=FLOAT32 (2), y=FLOAT32 (2)}{}",
            "function, 10: {data=FLOAT64 (2)}{}",
            "list, 4: {}{data=[a, list]}",
            "tensors, 4: {x=FLOAT32 (2, 2), y=INT64 (2)}{}",
            "stream: {data=INT64 (3)}{}",
            "generator: {data=INT64 (3)}{}",
            "folder of 10 classes, 80: {image=FLOAT32 (2, 3, 32, 32), label=INT64 (2)}{}",
            "fake, 100: {image=FLOAT32 (2, 3, 32, 32), label=INT64 (2)}{}")
        .contains("serving: {data=FLOAT32 (1, 3, 24, 24)}", "loaded: FLOAT32 (3, 24, 24)")
        .containsSubsequence(
            "subset, 3: {image=FLOAT32 (2, 3, 30, 40), label=INT64 (2)}{}",
            "concatenation, 25: {image=FLOAT32 (2, 3, 30, 40), label=INT64 (2)}{}",
            "stack, 20: {id=INT64 (2), image.image=FLOAT32 (2, 3, 30, 40), image.label=INT64 (2)}{}",
            "zip, 20: {first.image=FLOAT32 (2, 3, 30, 40), first.label=INT64 (2),"
                + " second=INT64 (2)}{}",
            "map, 20: {data=FLOAT32 (2)}{}",
            "filter, 10: {data=INT64 (2)}{}",
            "other labels, 20: {image=FLOAT32 (2, 3, 30, 40), label=INT64 (2)}{}")
        .containsSubsequence(
            "training part, 16: {image=FLOAT32 (2, 3, 24, 24), label=INT64 (2)}{}",
            "validation part, 4: {image=FLOAT32 (2, 3, 24, 24), label=INT64 (2)}{}",
            "stratified part, 4: {image=FLOAT32 (2, 3, 30, 40), label=INT64 (2)}{}",
            "fold: 16 and 4",
            "stratified: 10, 10",
            "PyTorch's split: [19, 5, 16, 9], 4 images");
    assertThat(printed)
        .containsSubsequence(
            "options: {image=FLOAT32 (8, 3, 24, 24), label=INT64 (8)}{}",
            "  batches: 2",
            "iterated over 40 samples of 1728",
            "one: {image=FLOAT32 (1, 3, 24, 24), label=INT64 (1)}",
            "  of epoch 3",
            "a sample: {image=FLOAT32 (3, 24, 24), label=INT64 ()}{}",
            "on cpu(): (20, 3, 24, 24)",
            "step: float32(20, 3, 30, 40)(20)",
            "PyTorch's order: [1, 9, 15, 2, 11]",
            "first: [8, 2, 17, 13, 16]",
            "second: [14, 1, 15, 12, 3]")
        .containsSubsequence(
            "SequentialSampler: 20 samples",
            "RandomSampler: 20 samples",
            "RandomSampler: 100 samples",
            "SubsetRandomSampler: 3 samples",
            "WeightedRandomSampler: 100 samples",
            "WeightedRandomSampler: 20 samples",
            "TorchSampler: 20 samples",
            "DistributedSampler: 5 samples",
            "ShardedSampler: 20 samples",
            "batch sampler: 3 batches",
            "of rank 1: 2 batches",
            "of this process: 4 batches");
    assertThat(printed)
        .containsSubsequence(
            "by default: {letters=INT32 (2, 3)}{text=[one, two]}",
            "by a function: {first=INT64 (2)}{}",
            "padded: {letters=INT32 (3, 7), letters_length=INT64 (3)}{text=[padding, is, zero]}",
            "padded to a multiple: {letters=INT32 (3, 8), letters_length=INT64 (3)}"
                + "{text=[padding, is, zero]}",
            "packed: 6 sequences, 32 tokens in 4 rows of 10: 80.00% filled, 2 batches",
            "wrapped: 6 sequences, 32 tokens in 4 rows of 10: 80.00% filled",
            "split: 6 sequences, 32 tokens in 4 rows of 8: 100.00% filled",
            "by tokens: 3 batches",
            "of similar length: 3 batches",
            "composed, 20: {image=FLOAT32 (2, 3, 24, 24), label=INT64 (2)}{}",
            "mixed: {image=FLOAT32 (4, 3, 30, 40), label=FLOAT32 (4, 2)}{}");
    assertThat(printed)
        .filteredOn(line -> line.startsWith("transformed"))
        .extracting(line -> line.substring(line.indexOf('=') + 1, line.indexOf(')') + 1))
        .hasSize(15)
        .startsWith("FLOAT32 (2, 3, 24, 32)")
        .contains("UINT8 (2, 3, 30, 40)", "FLOAT32 (2, 1, 30, 40)", "FLOAT32 (2, 4, 30, 40)")
        .contains("FLOAT32 (2, 3, 24, 24)", "FLOAT16 (2, 3, 30, 40)")
        .endsWith("FLOAT32 (2, 3, 15, 20)");
    assertThat(printed)
        .filteredOn(line -> line.startsWith("randomly"))
        .extracting(line -> line.substring(line.indexOf('=') + 1, line.indexOf(')') + 1))
        .hasSize(25)
        .endsWith("FLOAT32 (2, 3, 40, 30)")
        .allMatch(line -> line.matches("FLOAT32 \\(2, 3, (24, 24|30, 40|40, 30)\\)"));
  }
}
