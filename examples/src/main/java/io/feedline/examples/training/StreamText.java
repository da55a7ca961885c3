package io.feedline.examples.training;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import com.github.luben.zstd.ZstdOutputStream;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.LoaderState;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset.StoppingRule;
import io.feedline.data.IterableDataset;
import io.feedline.examples.shared.LocalObjectStore;
import io.feedline.formats.remote.RemoteFileSystem;
import io.feedline.formats.text.JsonLines;
import io.feedline.packing.PackingCollator;
import io.feedline.packing.TokenPacking;
import io.feedline.packing.TokenPacking.PackedRow;
import io.feedline.packing.TokenSequence;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Streams texts out of compressed JSON lines in a bucket, mixed by weights, tokenized and packed
 * into rows of one length: {@code StreamText [DIR]}, where DIR keeps the generated files. A loader
 * stops in the middle of the epoch, and another loader continues from there.
 */
public final class StreamText {
  private static final int ROW_LENGTH = 64;
  private static final int BATCHES_BEFORE = 5;

  private StreamText() {}

  /**
   * A line of a JSON lines file.
   *
   * @param text the words
   * @param words the number of words
   */
  private record Document(String text, int words) {}

  /** Reads an epoch in two parts, and prints the content of each. */
  public static void main(String[] args) throws Exception {
    Path parent = Path.of(args.length == 0 ? "examples/target" : args[0]);
    Path directory = new GeneratedTexts(parent, 2000, 0).make();
    Path packed = Files.createDirectories(directory.resolve("packed"));
    compress(directory, packed, "up");
    compress(directory, packed, "down");

    try (LocalObjectStore server = new LocalObjectStore();
        HuggingFaceTokenizer tokenizer =
            HuggingFaceTokenizer.builder()
                .optTokenizerPath(GeneratedTexts.tokenizer(directory))
                .optPadding(false)
                .optTruncation(false)
                .build()) {
      server.put("texts", "train", packed);
      // With AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_ACCESS_KEY_ID, ... in the environment this would
      // be Path.of(URI.create("s3://texts/train")).
      try (FileSystem store =
          RemoteFileSystem.s3("texts")
              .endpoint(server.endpoint())
              .credentials(() -> LocalObjectStore.CREDENTIALS)
              .build()) {
        read(store.getPath("train"), tokenizer);
      }
    }
  }

  private static void read(Path bucket, HuggingFaceTokenizer tokenizer) throws IOException {
    // All files that end with .jsonl, .jsonl.gz or .jsonl.zst; each file is a shard.
    IterableDataset<Document> rising =
        IterableDataset.lines(bucket.resolve("up.jsonl.zst"))
            .map(JsonLines.records(Document.class));
    IterableDataset<Document> falling =
        IterableDataset.lines(bucket.resolve("down.jsonl.zst"))
            .map(JsonLines.records(Document.class));
    IterableDataset<TokenSequence> tokens =
        IterableDataset.mix(
                List.of(rising, falling), new double[] {3, 1}, 0, StoppingRule.FIRST_EXHAUSTED)
            .filter(document -> document.words() > 2)
            .map(
                "tokenize",
                document -> TokenSequence.of(tokenizer.encode(document.text()).getIds()));
    IterableDataset<PackedRow> rows = TokenPacking.builder(ROW_LENGTH).build().pack(tokens);

    LoaderState state;
    try (DataLoader<PackedRow> loader = loader(rows)) {
      System.out.printf("before: %d rows%n", rows(loader.iterator(), BATCHES_BEFORE));
      state = LoaderState.fromJson(loader.state().toJson());
    }
    try (DataLoader<PackedRow> loader = loader(rows)) {
      loader.resume(state);
      System.out.printf("resumed: %d rows%n", rows(loader.iterator(), Integer.MAX_VALUE));
    }
  }

  private static DataLoader<PackedRow> loader(IterableDataset<PackedRow> rows) {
    return DataLoader.builder(rows)
        .batchSize(8)
        .collator(PackingCollator.builder().build())
        .build();
  }

  private static int rows(BatchIterator batches, int most) {
    int rows = 0;
    for (int taken = 0; taken < most && batches.hasNext(); taken++) {
      try (Batch batch = batches.next()) {
        rows += batch.size();
      }
    }
    return rows;
  }

  /** Writes the texts that begin with a word as compressed JSON lines. */
  private static void compress(Path directory, Path target, String first) throws IOException {
    Path file = target.resolve(first + ".jsonl.zst");
    try (BufferedWriter out =
        new BufferedWriter(
            new OutputStreamWriter(
                new ZstdOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8))) {
      for (String text : Files.readAllLines(GeneratedTexts.texts(directory))) {
        if (text.startsWith(first)) {
          int words = 1 + (int) text.chars().filter(letter -> letter == ' ').count();
          out.write("{\"text\": \"" + text + "\", \"words\": " + words + "}\n");
        }
      }
    }
  }
}
