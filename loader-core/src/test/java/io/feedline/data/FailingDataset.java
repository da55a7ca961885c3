package io.feedline.data;

/**
 * Numbers, of which 5 cannot be had.
 *
 * @param failure thrown at index 5
 * @param description of every sample, may be null
 */
public record FailingDataset(long size, Exception failure, String description)
    implements Dataset<Long> {

  @Override
  public Long get(long index) throws Exception {
    if (index == 5) {
      throw failure;
    }
    return index;
  }

  @Override
  public String describe(long index) {
    return description;
  }
}
