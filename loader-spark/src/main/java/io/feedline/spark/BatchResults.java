package io.feedline.spark;

import io.feedline.batch.Batch;
import io.feedline.spark.RowReader.BatchFunction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;

final class BatchResults<R> implements Iterator<R> {

  private final RowBatches<?> batches;
  private final BatchFunction<R> function;
  private Iterator<R> results = Collections.emptyIterator();
  private boolean ended;

  BatchResults(RowBatches<?> batches, BatchFunction<R> function) {
    this.batches = batches;
    this.function = function;
  }

  @Override
  public boolean hasNext() {
    while (!results.hasNext() && !ended) {
      try (Batch batch = batches.next()) {
        if (batch == null) {
          ended = true;
        } else {
          results = function.apply(batch, batches.rowsOf(batch)).iterator();
        }
      } catch (RuntimeException e) {
        throw e;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (Exception e) {
        throw new IllegalStateException("the function of a batch failed: " + e.getMessage(), e);
      }
    }
    if (ended && !results.hasNext()) {
      batches.close();
      return false;
    }
    return true;
  }

  @Override
  public R next() {
    if (!hasNext()) {
      throw new NoSuchElementException("there are no more results");
    }
    return results.next();
  }
}
