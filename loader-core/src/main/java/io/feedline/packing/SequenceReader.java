package io.feedline.packing;

import io.feedline.data.IterableDataset;
import io.feedline.data.SampleContext;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.internal.Cancellation;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A reader and maker of the sequences of one shard. Used by one thread at a time. */
final class SequenceReader implements Closeable {

  /** The bits of a context's index that have the sequence's number, below the shard's number. */
  private static final int SEQUENCE_BITS = 40;

  private final IterableDataset<TokenSequence> source;
  private final int shard;
  private final long epoch;
  private final TokenPacking packing;
  private final SampleStream<TokenSequence> stream;
  private long read;

  SequenceReader(IterableDataset<TokenSequence> source, int shard, long epoch, TokenPacking packing)
      throws Exception {
    this.source = source;
    this.shard = shard;
    this.epoch = epoch;
    this.packing = packing;
    this.stream =
        Objects.requireNonNull(source.open(shard, epoch), "the dataset opened nothing: null");
  }

  long read() {
    return read;
  }

  long seed() {
    return packing.seed() + 31 * (31 * epoch + shard);
  }

  /** Returns the next sequence; null at the end. May be called again after a failed sequence. */
  @Nullable TokenSequence next() throws SequenceException, InterruptedException {
    Cancellation.check();
    TokenSequence sequence;
    try {
      PendingSample<TokenSequence> pending = stream.next();
      if (pending == null) {
        return null;
      }
      sequence =
          pending.get(
              new SampleContext(packing.seed(), epoch, (long) shard << SEQUENCE_BITS | read));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new SequenceException(
          "%s cannot be read: %s".formatted(source.describe(shard, read++), e.getMessage()), e);
    }
    String refusal = packing.refusal(sequence.size()).orElse(null);
    if (refusal != null) {
      throw new SequenceException(source.describe(shard, read++) + " " + refusal, null);
    }
    read++;
    return sequence;
  }

  static final class SequenceException extends IOException {
    private static final long serialVersionUID = 1;

    SequenceException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  List<Long> mark() {
    return stream.mark();
  }

  void goTo(long sequences, List<Long> mark) throws Exception {
    stream.goTo(sequences, mark);
    read = sequences;
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
