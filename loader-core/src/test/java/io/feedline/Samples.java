package io.feedline;

import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.HostAllocator.HostMemory;
import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.LoaderException;
import io.feedline.data.SampleStream;
import io.feedline.sampler.BatchSampler.BatchOrder;
import io.feedline.sampler.Sampler.Order;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongToIntFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Datasets, transforms and orders in a line. */
public final class Samples {

  private Samples() {}

  public interface IndexAction {
    void on(long index) throws Exception;
  }

  public interface SampleAction<T> {
    void on(T sample) throws Exception;
  }

  interface IndexAt {
    long indexAt(long batch, int row);
  }

  /** The numbers from 0 on, each made after an action. */
  public static Dataset<Long> numbers(long size, IndexAction action) {
    return Dataset.of(
        size,
        index -> {
          action.on(index);
          return index;
        });
  }

  /** Probes, each made after an action. */
  static Dataset<Probe> probes(long size, IndexAction action) {
    return Dataset.of(
        size,
        index -> {
          action.on(index);
          return Probes.probe(index);
        });
  }

  /** Gives each sample as it is, after an action. */
  public static <T> Transform<T, T> after(SampleAction<T> action) {
    return sample -> {
      action.on(sample);
      return sample;
    };
  }

  /** A dataset whose descriptions are others. */
  public static <T> Dataset<T> described(Dataset<T> dataset, LongFunction<String> description) {
    return new Dataset<>() {
      @Override
      public long size() {
        return dataset.size();
      }

      @Override
      public T get(long index) throws Exception {
        return dataset.get(index);
      }

      @Override
      public String describe(long index) {
        return description.apply(index);
      }

      @Override
      public String name() {
        return "described";
      }
    };
  }

  /** A loader of batches of a size, made by a number of workers. */
  static <T> DataLoaderBuilder<T> loader(Dataset<T> dataset, int batchSize, int workers) {
    return DataLoader.builder(dataset).batchSize(batchSize).numWorkers(workers);
  }

  static <T> DataLoaderBuilder<T> loader(IterableDataset<T> dataset, int batchSize, int workers) {
    return DataLoader.builder(dataset).batchSize(batchSize).numWorkers(workers);
  }

  /** Consecutive numbers in shards, whose sizes are declared or not. */
  static IterableDataset<Long> shards(boolean declared, int... sizes) {
    return shards(declared ? sizes : null, sizes);
  }

  /** Consecutive numbers in shards that hold as many as they declare, or fewer. */
  static IterableDataset<Long> shards(int @Nullable [] declared, int... sizes) {
    return new IterableDataset<>() {
      @Override
      public int shards() {
        return sizes.length;
      }

      @Override
      public OptionalLong shardSize(int shard) {
        return declared == null ? OptionalLong.empty() : OptionalLong.of(declared[shard]);
      }

      @Override
      public SampleStream<Long> open(int shard, long epoch) {
        long first = Arrays.stream(sizes, 0, shard).sum();
        return SampleStream.of(LongStream.range(first, first + sizes[shard]).iterator());
      }
    };
  }

  /** A stream of consecutive numbers that declares how many they are, rightly or not. */
  static IterableDataset<Long> declaring(long declared, long delivered) {
    return new IterableDataset<>() {
      @Override
      public SampleStream<Long> open(int shard, long epoch) {
        return SampleStream.of(LongStream.range(0, delivered).iterator());
      }

      @Override
      public OptionalLong size() {
        return OptionalLong.of(declared);
      }
    };
  }

  /** A tensor that writes itself. */
  static TensorSource source(DType dtype, Supplier<Shape> shape, SampleAction<ByteBuffer> writer) {
    return new TensorSource() {
      @Override
      public DType dtype() {
        return dtype;
      }

      @Override
      public Shape shape() {
        return shape.get();
      }

      @Override
      public void writeTo(ByteBuffer target) throws Exception {
        writer.on(target);
      }
    };
  }

  public static void failIf(boolean broken, String message) throws IOException {
    if (broken) {
      throw new IOException(message);
    }
  }

  /** Throws an exception that is made in any case. */
  static void failIf(boolean broken, Throwable failure) throws Exception {
    if (broken && failure instanceof Error error) {
      throw error;
    }
    if (broken) {
      throw (Exception) failure;
    }
  }

  static HostMemory memory(Supplier<ByteBuffer> buffer, Runnable close) {
    return new HostMemory() {
      @Override
      public ByteBuffer buffer() {
        return buffer.get();
      }

      @Override
      public void close() {
        close.run();
      }
    };
  }

  static Order order(long size, LongUnaryOperator indices) {
    return new Order() {
      @Override
      public long size() {
        return size;
      }

      @Override
      public long indexAt(long position) {
        return indices.applyAsLong(position);
      }
    };
  }

  static BatchOrder batches(long batches, LongToIntFunction sizes, IndexAt indices) {
    return new BatchOrder() {
      @Override
      public long batches() {
        return batches;
      }

      @Override
      public int batchSize(long batch) {
        return sizes.applyAsInt(batch);
      }

      @Override
      public long indexAt(long batch, int row) {
        return indices.indexAt(batch, row);
      }
    };
  }

  /** The elements that a rank has where they are dealt one by one. */
  static <T> List<T> dealt(List<T> all, int rank, int ranks) {
    return IntStream.range(0, all.size())
        .filter(i -> i % ranks == rank)
        .mapToObj(all::get)
        .toList();
  }

  static List<Long> upTo(long end) {
    return LongStream.range(0, end).boxed().toList();
  }

  /** The numbers of the first tensor of the batches to come. */
  public static List<Long> rest(Iterator<Batch> batches) {
    return next(batches, Integer.MAX_VALUE);
  }

  /** The numbers of the first tensor of up to that many batches. */
  static List<Long> next(Iterator<Batch> batches, int count) {
    List<Long> numbers = new ArrayList<>();
    Probes.each(batches, count, batch -> batch.tensor(0).toLongArray())
        .forEach(found -> LongStream.of(found).forEach(numbers::add));
    return numbers;
  }

  /** Takes and closes batches. */
  static void take(BatchIterator batches, int count) {
    for (int taken = 0; taken < count; taken++) {
      batches.next().close();
    }
  }

  /** The state of a loader that has delivered some batches; closes the loader. */
  public static <T> LoaderState stateAfter(DataLoader<T> loader, int batches) {
    try (loader) {
      take(loader.iterator(), batches);
      return loader.state();
    }
  }

  /** The words for each batch of an epoch, or for its failure. */
  public static List<String> story(
      DataLoader<?> loader,
      Function<Batch, String> batches,
      Function<LoaderException, String> failures) {
    List<String> story = new ArrayList<>();
    BatchIterator iterator = loader.iterator();
    while (iterator.hasNext()) {
      try (Batch batch = iterator.next()) {
        story.add(batches.apply(batch));
      } catch (LoaderException e) {
        story.add(failures.apply(e));
      }
    }
    return story;
  }
}
