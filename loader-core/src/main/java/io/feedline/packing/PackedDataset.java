package io.feedline.packing;

import io.feedline.data.Dataset;
import io.feedline.data.Dataset.ReadAhead;
import io.feedline.data.SampleContext;
import io.feedline.internal.Counts;
import io.feedline.packing.TokenPacking.PackedRow;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.Sampler.Order;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * The rows that a {@link TokenPacking} has planned over a dataset of sequences. To a loader a row
 * is a sample like any other: it is shuffled, dealt to a rank and resumed. Each token comes once in
 * an epoch. If a sequence fails, an error policy leaves out the whole row.
 *
 * <p>With several {@link TokenPacking#packings}, the rows of the first packing are followed by the
 * rows of the second, and so on. An epoch over all indices then has each token several times;
 * {@link #sampler} selects one packing for each epoch.
 *
 * <p>Thread-safe; does not close the dataset of sequences.
 */
public final class PackedDataset implements Dataset<PackedRow> {

  private static final int DESCRIBED = 4;

  private final Dataset<TokenSequence> source;
  private final int[] lengths;
  private final TokenPacking packing;
  private final PackingPlan[] plans;

  private final long[] starts;

  PackedDataset(Dataset<TokenSequence> source, int[] lengths, TokenPacking packing) {
    this.source = source;
    this.lengths = lengths;
    this.packing = packing;
    checkLengths();
    this.plans = new PackingPlan[packing.packings()];
    this.starts = new long[plans.length + 1];
    Sampler sampler = RandomSampler.of(lengths.length, packing.seed());
    for (int i = 0; i < plans.length; i++) {
      Order order = packing.shuffle() ? sampler.order(i) : Order.sequential(lengths.length);
      plans[i] = PackingPlan.of(packing, lengths, order);
      starts[i + 1] = starts[i] + plans[i].rows();
    }
  }

  private void checkLengths() {
    for (int i = 0; i < lengths.length; i++) {
      if (lengths[i] < 0) {
        throw new IllegalArgumentException(
            "lengths must be 0 or more, was %d at index %d of %s"
                .formatted(lengths[i], i, source.name()));
      }
      String refusal = packing.refusal(lengths[i]).orElse(null);
      if (refusal != null) {
        throw new IllegalArgumentException(
            "the sequence at index %d of %s (%s) %s"
                .formatted(i, source.name(), source.describe(i), refusal));
      }
    }
  }

  /** Returns the packing, which has the options. */
  public TokenPacking packing() {
    return packing;
  }

  /** Returns the numbers of rows, sequences and tokens, summed over all packings. */
  public Stats stats() {
    long sequences = 0;
    long tokens = 0;
    long cut = 0;
    for (int length : lengths) {
      boolean whole = length <= packing.rowLength();
      boolean isCut = !whole && packing.overlong() == TokenPacking.Overlong.CUT;
      sequences += length == 0 ? 0 : 1;
      tokens += isCut ? packing.rowLength() : length;
      cut += isCut ? length - packing.rowLength() : 0;
    }
    return new Stats(
        sequences * plans.length,
        size(),
        tokens * plans.length,
        packing.rowLength(),
        cut * plans.length);
  }

  /**
   * Returns the indices of the sequences whose pieces lie in a row, from the front to the back.
   *
   * @param row from 0 to {@code size() - 1}
   * @throws IndexOutOfBoundsException if the row is outside that range
   */
  public long[] sequences(long row) {
    return pieces(row).stream().mapToLong(PackingPlan.Piece::sequence).toArray();
  }

  /**
   * Returns a sampler that selects, in each epoch, the rows of one packing, shuffled: the first
   * packing in epoch 0, the second in epoch 1, and so on, and the first again after the last. So
   * each token comes once an epoch. The packings, and so the epochs, differ in size by some rows.
   *
   * @param sampleSeed the seed of the order of rows; equal seeds give equal orders
   */
  public Sampler sampler(long sampleSeed) {
    return epoch -> {
      int plan = (int) (epoch % plans.length);
      Order order = RandomSampler.of(plans[plan].rows(), sampleSeed).order(epoch);
      return new Section(order, starts[plan]);
    };
  }

  private record Section(Order order, long start) implements Order {
    @Override
    public long size() {
      return order.size();
    }

    @Override
    public long indexAt(long position) {
      return start + order.indexAt(position);
    }

    @Override
    public long occurrence(long position) {
      return order.occurrence(position);
    }
  }

  private List<PackingPlan.Piece> pieces(long row) {
    Objects.checkIndex(row, size());
    int found = Arrays.binarySearch(starts, row);
    int plan = found < 0 ? -found - 2 : found;
    while (starts[plan + 1] == row) {
      plan++;
    }
    return plans[plan].pieces((int) (row - starts[plan]));
  }

  @Override
  public long size() {
    return starts[plans.length];
  }

  @Override
  public PackedRow get(long row) throws Exception {
    return get(row, new SampleContext(0, 0, row));
  }

  @Override
  public PackedRow get(long row, SampleContext context) throws Exception {
    PackedRow.Filler filler = new PackedRow.Filler(packing.rowLength());
    for (PackingPlan.Piece piece : pieces(row)) {
      filler.add(read(piece.sequence(), context), piece.from(), piece.length());
    }
    return filler.row();
  }

  private TokenSequence read(int index, SampleContext context) throws Exception {
    TokenSequence sequence;
    try {
      sequence = source.get(index, context);
    } catch (IOException e) {
      throw new IOException(place(index) + " cannot be read: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      throw new IllegalStateException(place(index) + " cannot be made: " + e.getMessage(), e);
    }
    if (sequence.size() != lengths[index]) {
      throw new IllegalStateException(
          "%s has %d tokens, but was packed as one of %d; pack with the lengths of these very sequences"
              .formatted(place(index), sequence.size(), lengths[index]));
    }
    return sequence;
  }

  private String place(int index) {
    return "the sequence at index %d of %s (%s)"
        .formatted(index, source.name(), source.describe(index));
  }

  @Override
  public void readAhead(long row, ReadAhead ahead) {
    for (PackingPlan.Piece piece : pieces(row)) {
      source.readAhead(piece.sequence(), ahead);
    }
  }

  /** Returns a text with the row and its first sequences. */
  @Override
  public String describe(long row) {
    if (row < 0 || row >= size()) {
      return Dataset.super.describe(row);
    }
    long[] sequences = sequences(row);
    StringBuilder description = new StringBuilder("row ").append(row).append(" with ");
    for (int i = 0; i < Math.min(DESCRIBED, sequences.length); i++) {
      description.append(i == 0 ? "" : ", ").append(source.describe(sequences[i]));
    }
    if (sequences.length > DESCRIBED) {
      description.append(" and ").append(sequences.length - DESCRIBED).append(" more");
    }
    return description.toString();
  }

  @Override
  public String name() {
    return source.name() + ".packed";
  }

  @Override
  public String toString() {
    return name();
  }

  @Override
  public List<String> transforms() {
    return source.transforms();
  }

  @Override
  public String fingerprint() {
    CRC32C crc = new CRC32C();
    ByteBuffer bytes = ByteBuffer.allocate(1 << 12);
    for (int length : lengths) {
      if (!bytes.hasRemaining()) {
        crc.update(bytes.flip());
        bytes.clear();
      }
      bytes.putInt(length);
    }
    crc.update(bytes.flip());
    return "%s:%s:%s(%s)"
        .formatted(packing, Long.toHexString(crc.getValue()), size(), source.fingerprint());
  }

  /**
   * The numbers of packed rows, and of the sequences and tokens in them.
   *
   * @param sequences the number of sequences in the rows
   * @param rows the number of rows
   * @param tokens the number of places that are filled
   * @param rowLength the number of places of a row
   * @param cutTokens the number of tokens left out because their sequence is longer than a row
   */
  public record Stats(long sequences, long rows, long tokens, int rowLength, long cutTokens) {

    /** Returns the share of the places that are filled, from 0 to 1; 1 if there are no rows. */
    public double fillRate() {
      return rows == 0 ? 1 : (double) tokens / rows / rowLength;
    }

    /** Returns the numbers in words, for a log. */
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s, %s in %s of %d%s%s",
          Counts.of(sequences, "sequence"),
          Counts.of(tokens, "token"),
          Counts.of(rows, "row"),
          rowLength,
          rows == 0 ? "" : String.format(Locale.ROOT, ": %.2f%% filled", 100 * fillRate()),
          cutTokens == 0 ? "" : ", " + Counts.of(cutTokens, "token") + " cut off");
    }
  }
}
