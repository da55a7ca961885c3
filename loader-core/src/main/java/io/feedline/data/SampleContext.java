package io.feedline.data;

import io.feedline.transform.SampleRandom;
import java.util.Optional;

/**
 * The circumstances of a sample while it is made: in which epoch, from which index, and with which
 * randomness. The loader makes one for each sample and hands it down a chain of datasets.
 *
 * <p>Not thread-safe: it belongs to the one worker that makes the sample, for as long as it does.
 */
public class SampleContext {

  private final long seed;
  private final long epoch;
  private final long index;
  private final long occurrence;
  private int randomTransforms;
  private LoaderException.Stage stage = LoaderException.Stage.READ;

  /** Creates the context of a sample that occurs once in its epoch. */
  public SampleContext(long seed, long epoch, long index) {
    this(seed, epoch, index, 0);
  }

  /**
   * Creates the context of one sample.
   *
   * @param seed the loader's seed
   * @param epoch counted from 0
   * @param index in the loader's dataset; for a stream, the sample's position in it
   * @param occurrence the number of this occurrence of the index in the epoch, see {@link
   *     io.feedline.sampler.Sampler.Order#occurrence}
   */
  public SampleContext(long seed, long epoch, long index, long occurrence) {
    this.seed = seed;
    this.epoch = epoch;
    this.index = index;
    this.occurrence = occurrence;
  }

  /** Returns the epoch that the sample is made for, counted from 0. */
  public long epoch() {
    return epoch;
  }

  /**
   * Returns the index of the sample in the loader's dataset; for a stream, its position in the
   * whole stream, which all ranks share. Inside a composed dataset it stays the loader's index, so
   * that the same image taken twice by an oversampling dataset is augmented in two ways.
   */
  public long index() {
    return index;
  }

  /**
   * Returns the generator of the sample's next random transform: the first call returns the
   * generator of the first transform, and so on. A function of (seed, epoch, index, how many came
   * before), and of the occurrence where the epoch's order may repeat an index.
   */
  public SampleRandom nextRandom() {
    return new SampleRandom(seed, epoch, index, occurrence, randomTransforms++);
  }

  /**
   * Reads bytes that the sample needs, or takes the result of a read ahead: waits for a read that
   * is under way, and reads if no read has begun.
   *
   * @param reader the announced reader of {@link Dataset#readAhead}; any other reader is read now
   * @return shared with other samples perhaps, and not to be changed
   * @throws Exception the reader's exception, also of a read ahead
   */
  public <R> R read(SampleReader<R> reader, long index) throws Exception {
    Optional<R> ahead = readAhead(reader, index);
    return ahead.isPresent() ? ahead.get() : reader.read(index);
  }

  /**
   * Returns the result of a read ahead for the sample, and waits for a read that is under way;
   * empty if no read was announced. For datasets that would not {@link #read} then, since they have
   * the bytes in memory.
   *
   * @param reader the announced reader of {@link Dataset#readAhead}
   * @return shared with other samples perhaps, and not to be changed
   * @throws Exception the reader's exception
   */
  public <R> Optional<R> readAhead(SampleReader<R> reader, long index) throws Exception {
    return Optional.empty();
  }

  int randomTransforms() {
    return randomTransforms;
  }

  /** Returns the present stage of the sample, for the message of a failure. */
  public LoaderException.Stage stage() {
    return stage;
  }

  /**
   * Sets the stage of the sample, which a failure names and for which time is counted. For datasets
   * that do more than read, as {@link Dataset#map map} does.
   */
  public void enter(LoaderException.Stage stage) {
    this.stage = stage;
  }

  /**
   * Enters a stage that the user has named, until the next stage is entered: a part of {@link
   * LoaderException.Stage#TRANSFORM} with a time of its own.
   *
   * @param transform the stage's name in {@link Dataset#map(String,
   *     io.feedline.transform.Transform)}
   */
  public void enter(String transform) {
    enter(LoaderException.Stage.TRANSFORM);
  }
}
