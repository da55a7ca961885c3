package io.feedline.examples.training;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.LambdaBlock;
import ai.djl.nn.ParallelBlock;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.nn.transformer.IdEmbedding;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingConfig;
import ai.djl.training.listener.EpochTrainingListener;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.listener.TrainingListenerAdapter;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import ai.djl.translate.TranslateException;
import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import io.feedline.gpu.DjlDataset;
import io.feedline.packing.PackedDataset;
import io.feedline.packing.PackingCollator;
import io.feedline.packing.PackingCollator.AttentionMask;
import io.feedline.packing.PackingCollator.Labels;
import io.feedline.packing.TokenPacking;
import io.feedline.packing.TokenPacking.PackedRow;
import io.feedline.packing.TokenSequence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Learns which word comes next: {@code PackText [DIR]}, where DIR keeps the generated texts. A
 * Hugging Face tokenizer splits them into tokens, which are packed into rows of equal length, so a
 * batch has nearly no padding. {@code tutorials/text.md} explains the program.
 */
public final class PackText {
  private static final int ROW_LENGTH = 64;
  private static final int BATCH_SIZE = 8;
  private static final int EPOCHS = 6;

  private PackText() {}

  /** Trains, and prints a line for each epoch. */
  public static void main(String[] args) throws Exception {
    Path parent = Path.of(args.length == 0 ? "examples/target" : args[0]);
    GeneratedTexts generated = new GeneratedTexts(parent, 2000, 0);
    Path directory = generated.make();
    try (HuggingFaceTokenizer tokenizer =
        HuggingFaceTokenizer.builder()
            .optTokenizerPath(GeneratedTexts.tokenizer(directory))
            .optPadding(false)
            .optTruncation(false)
            .build()) {
      List<String> texts = Files.readAllLines(GeneratedTexts.texts(directory));
      Dataset<TokenSequence> tokens =
          Dataset.of(texts)
              .map("tokenize", text -> TokenSequence.of(tokenizer.encode(text).getIds()));

      PackedDataset rows =
          TokenPacking.builder(ROW_LENGTH)
              .packings(EPOCHS)
              .build()
              .pack(tokens, TokenPacking.lengths(tokens));
      System.out.printf("%d texts, %d epochs%n", texts.size(), EPOCHS);
      System.out.println(rows.stats());

      PackingCollator collator =
          PackingCollator.builder()
              .labels(Labels.NEXT)
              .attentionMask(AttentionMask.BLOCK_DIAGONAL_CAUSAL)
              .build();
      try (DataLoader<PackedRow> loader =
          DataLoader.builder(rows)
              .batchSize(BATCH_SIZE)
              .sampler(rows.sampler(0))
              .collator(collator)
              .build()) {
        train(GeneratedTexts.vocabulary().size(), loader);
      }
    }
  }

  private static void train(int words, DataLoader<PackedRow> loader)
      throws IOException, TranslateException {
    try (Model model = Model.newInstance("next-word", Device.cpu())) {
      model.getNDManager().getEngine().setRandomSeed(0);
      model.setBlock(network(words));
      try (Trainer trainer = model.newTrainer(config())) {
        trainer.initialize(
            new Shape(BATCH_SIZE, ROW_LENGTH), new Shape(BATCH_SIZE, ROW_LENGTH, ROW_LENGTH));
        DjlDataset batches =
            DjlDataset.builder(loader).data("input_ids", "attention_mask").labels("labels").build();
        EasyTrain.fit(trainer, EPOCHS, batches, null);
      }
    }
  }

  /**
   * Returns the network: each token's embedding, the mean of the embeddings that the token may
   * attend to, and two linear layers.
   */
  private static Block network(int words) {
    Block embedding =
        new IdEmbedding.Builder().setDictionarySize(words).setEmbeddingSize(32).build();
    return new SequentialBlock()
        .add(
            new ParallelBlock(branches -> new NDList(withSeen(branches.get(0), branches.get(1))))
                .add(new SequentialBlock().add(input(0)).add(embedding))
                .add(input(1)))
        .add(Linear.builder().setUnits(64).build())
        .add(Activation.reluBlock())
        .add(Linear.builder().setUnits(words).build());
  }

  private static Block input(int position) {
    return new LambdaBlock(inputs -> new NDList(inputs.get(position)), "input" + position);
  }

  /**
   * Returns a token's own embedding, followed by the mean over its document up to the token.
   *
   * @param embedded (batch, row, embedding)
   * @param seen (batch, row, row)
   */
  private static NDArray withSeen(NDList embedded, NDList seen) {
    NDArray vectors = embedded.singletonOrThrow();
    NDArray mask = seen.singletonOrThrow().toType(DataType.FLOAT32, false);
    NDArray weights = mask.div(mask.sum(new int[] {2}, true));
    return vectors.concat(weights.batchMatMul(vectors), 2);
  }

  /** The cross entropy, without the tokens whose label is negative. */
  private static final class NextTokenLoss extends Loss {
    NextTokenLoss() {
      super("NextTokenLoss");
    }

    @Override
    public NDArray evaluate(NDList labels, NDList predictions) {
      NDArray label = labels.singletonOrThrow();
      NDArray counts = label.gte(0).toType(DataType.FLOAT32, false);
      NDArray logarithms = predictions.singletonOrThrow().logSoftmax(-1);
      NDArray ofLabels = logarithms.gather(label.maximum(0).expandDims(2), 2).squeeze(2);
      return ofLabels.mul(counts).sum().neg().div(counts.sum());
    }
  }

  private static TrainingConfig config() {
    return new DefaultTrainingConfig(new NextTokenLoss())
        .optDevices(new Device[] {Device.cpu()})
        .optOptimizer(Optimizer.adam().optLearningRateTracker(Tracker.fixed(0.01f)).build())
        .addTrainingListeners(
            new EpochTrainingListener(), new EvaluatorTrainingListener(), new EpochLines());
  }

  private static final class EpochLines extends TrainingListenerAdapter {
    @Override
    public void onEpoch(Trainer trainer) {
      System.out.printf(
          Locale.ROOT,
          "epoch %d: loss %.3f%n",
          trainer.getTrainingResult().getEpoch(),
          trainer.getTrainingResult().getTrainLoss());
    }
  }
}
