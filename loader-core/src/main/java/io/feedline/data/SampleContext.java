package io.feedline.data;

import io.feedline.transform.SampleRandom;
import java.util.Optional;

/**
 * The circumstances in which a sample is made: the epoch, the index and the random numbers. The
 * loader makes a context for each sample, and each dataset passes it on to its source.
 *
 * <p>Not thread-safe: only the worker that makes the sample uses the context, while it makes the
 * sample.
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
   * @param index the index in the loader's dataset; for a stream, the sample's position in it
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
   * whole stream, which all ranks share. Inside a composed dataset, too, it is the loader's index;
   * so an image that an oversampling dataset takes twice is augmented in two ways.
   */
  public long index() {
    return index;
  }

  /**
   * Returns the generator of the sample's next random transform: the first call returns the
   * generator of the first transform, and so on. The generator depends on the seed, the epoch, the
   * index, the number of earlier calls, and on the occurrence if the epoch's order may repeat an
   * index.
   */
  public SampleRandom nextRandom() {
    return new SampleRandom(seed, epoch, index, occurrence, randomTransforms++);
  }

  /**
   * Reads bytes that the sample needs, or takes the result of a read ahead: waits for a read that
   * is under way, and reads if no read has begun.
   *
   * @param reader a reader that {@link Dataset#readAhead} announced; any other is called now
   * @return the result, which other samples may share and which must not be changed
   * @throws Exception the reader's exception, also of a read ahead
   */
  public <R> R read(SampleReader<R> reader, long index) throws Exception {
    Optional<R> ahead = readAhead(reader, index);
    return ahead.isPresent() ? ahead.get() : reader.read(index);
  }

  /**
   * Returns the result of a read ahead for the sample, and waits for a read that is under way;
   * empty if no read was announced. Unlike {@link #read}, it never reads by itself: it is for
   * datasets that can use bytes in memory instead.
   *
   * @param reader the reader that {@link Dataset#readAhead} announced
   * @return the result, which other samples may share and which must not be changed
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
   * Sets the stage of the sample: failures name the stage, and statistics count its time. For
   * datasets that do more than read, such as those of {@link Dataset#map map}.
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
