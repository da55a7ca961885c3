package io.feedline.examples.training;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Block;
import ai.djl.nn.LambdaBlock;
import ai.djl.nn.ParallelBlock;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.nn.transformer.IdEmbedding;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.translate.TranslateException;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.PaddingCollator;
import io.feedline.data.Dataset;
import io.feedline.gpu.DjlDataset;
import io.feedline.sampler.LengthBucketBatchSampler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Learns which topic a sentence is about: {@code ClassifySentences [DIR]}, where DIR keeps the
 * generated sentences. They differ in length, so each batch is padded to its longest sentence, and
 * the sentences of a batch have similar lengths. {@code tutorials/text.md} explains the program.
 */
public final class ClassifySentences {
  private static final int BATCH_SIZE = 32;
  private static final int EPOCHS = 5;

  /** A line of the file of sentences. */
  private record Sentence(String text, int topic) {

    static Sentence parse(String line) {
      String[] parts = line.split("\t", -1);
      return new Sentence(parts[1], GeneratedSentences.TOPICS.indexOf(parts[0]));
    }

    String[] words() {
      return text.split(" ");
    }
  }

  /** A sentence as the network's input. */
  private record Tokens(long[] ids, int topic) {}

  /** The words of the training sentences and their numbers; 0 is the padding, 1 an unknown word. */
  private record Vocabulary(Map<String, Long> numbers) {

    static Vocabulary of(Dataset<Sentence> sentences) throws Exception {
      Map<String, Long> numbers = new LinkedHashMap<>();
      for (long i = 0; i < sentences.size(); i++) {
        for (String word : sentences.get(i).words()) {
          numbers.putIfAbsent(word, numbers.size() + 2L);
        }
      }
      return new Vocabulary(numbers);
    }

    Tokens encode(Sentence sentence) {
      String[] words = sentence.words();
      long[] ids = new long[words.length];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = numbers.getOrDefault(words[i], 1L);
      }
      return new Tokens(ids, sentence.topic());
    }

    int size() {
      return numbers.size() + 2;
    }
  }

  private ClassifySentences() {}

  /** Trains, and prints a line for each epoch. */
  public static void main(String[] args) throws Exception {
    Path parent = Path.of(args.length == 0 ? "examples/target" : args[0]);
    Path file = new GeneratedSentences(parent, 1000, 0).make();

    List<Sentence> sentences = Files.readAllLines(file).stream().map(Sentence::parse).toList();
    int[] topics = sentences.stream().mapToInt(Sentence::topic).toArray();
    List<? extends Dataset<Sentence>> parts =
        Dataset.of(sentences).splitStratified(new double[] {0.8, 0.2}, topics, 0);
    Vocabulary vocabulary = Vocabulary.of(parts.get(0));
    Dataset<Tokens> train = parts.get(0).map(vocabulary::encode);
    Dataset<Tokens> val = parts.get(1).map(vocabulary::encode);
    System.out.printf(
        "%d sentences to train with, %d to validate with, %d words%n",
        train.size(), val.size(), vocabulary.size());

    PaddingCollator<Tokens> collator = PaddingCollator.of("ids");
    LengthBucketBatchSampler similarLengths =
        LengthBucketBatchSampler.builder(lengths(train), BATCH_SIZE).windowBatches(10).build();
    try (DataLoader<Tokens> random =
            DataLoader.builder(train)
                .batchSize(BATCH_SIZE)
                .shuffle(true)
                .collator(collator)
                .build();
        DataLoader<Tokens> trainLoader =
            DataLoader.builder(train).batchSampler(similarLengths).collator(collator).build();
        DataLoader<Tokens> valLoader =
            DataLoader.builder(val).batchSize(BATCH_SIZE).collator(collator).build()) {
      System.out.printf(
          Locale.ROOT,
          "padding: %.0f%% of random batches, %.0f%% of batches of similar lengths%n",
          100 * padding(random),
          100 * padding(trainLoader));
      train(vocabulary.size(), trainLoader, valLoader);
    }
  }

  private static int[] lengths(Dataset<Tokens> sentences) throws Exception {
    int[] lengths = new int[(int) sentences.size()];
    for (int i = 0; i < lengths.length; i++) {
      lengths[i] = sentences.get(i).ids().length;
    }
    return lengths;
  }

  /** Returns the fraction of the numbers in an epoch's batches that are padding. */
  private static double padding(DataLoader<Tokens> loader) {
    long words = 0;
    long numbers = 0;
    for (Batch batch : loader) {
      try (batch) {
        numbers += batch.tensor("ids").shape().elements();
        for (long length : batch.tensor("ids_length").toLongArray()) {
          words += length;
        }
      }
    }
    return 1 - (double) words / numbers;
  }

  private static void train(int words, DataLoader<Tokens> trainLoader, DataLoader<Tokens> valLoader)
      throws IOException, TranslateException {
    try (Model model = Model.newInstance("topics", Device.cpu())) {
      model.getNDManager().getEngine().setRandomSeed(0);
      model.setBlock(network(words, GeneratedSentences.TOPICS.size()));
      try (Trainer trainer = model.newTrainer(EpochLines.config(0.02f))) {
        trainer.initialize(new Shape(BATCH_SIZE, 10), new Shape(BATCH_SIZE));
        EasyTrain.fit(trainer, EPOCHS, batches(trainLoader), batches(valLoader));
      }
    }
  }

  private static DjlDataset batches(DataLoader<Tokens> loader) {
    return DjlDataset.builder(loader).data("ids", "ids_length").labels("topic").build();
  }

  /** Returns the network: the mean of the words' embeddings, and a linear layer. */
  private static Block network(int words, int topics) {
    Block embedding =
        new IdEmbedding.Builder().setDictionarySize(words).setEmbeddingSize(16).build();
    return new SequentialBlock()
        .add(
            new ParallelBlock(branches -> new NDList(mean(branches.get(0), branches.get(1))))
                .add(new SequentialBlock().add(input(0)).add(embedding))
                .add(input(1)))
        .add(Linear.builder().setUnits(topics).build());
  }

  private static Block input(int position) {
    return new LambdaBlock(inputs -> new NDList(inputs.get(position)), "input" + position);
  }

  /**
   * Returns the mean over the words of each sentence, without the padding.
   *
   * @param embedded (batch, longest, embedding)
   * @param lengths (batch)
   */
  private static NDArray mean(NDList embedded, NDList lengths) {
    NDArray vectors = embedded.singletonOrThrow();
    NDArray counts = lengths.singletonOrThrow().toType(DataType.FLOAT32, false).reshape(-1, 1);
    NDArray positions = vectors.getManager().arange((float) vectors.getShape().get(1));
    NDArray isWord = positions.reshape(1, -1).lt(counts).toType(DataType.FLOAT32, false);
    return vectors.mul(isWord.expandDims(2)).sum(new int[] {1}).div(counts);
  }
}
