package io.feedline.batch;

import io.feedline.batch.BatchTransform.MutableBatch;
import io.feedline.internal.Composition;
import io.feedline.internal.Lists;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** A composition of batch transforms; applies one drawn part if {@code isChoice}, otherwise all. */
record ComposedBatchTransform(boolean isChoice, List<BatchTransform> parts)
    implements BatchTransform, Composition {

  static BatchTransform of(boolean isChoice, BatchTransform... transforms) {
    List<BatchTransform> parts = new ArrayList<>();
    for (BatchTransform each : Lists.copyOf("transforms", Arrays.asList(transforms))) {
      if (!isChoice && each instanceof ComposedBatchTransform all && !all.isChoice) {
        parts.addAll(all.parts);
      } else {
        parts.add(each);
      }
    }
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("there must be a transform to choose, was []");
    }
    return new ComposedBatchTransform(isChoice, List.copyOf(parts));
  }

  @Override
  public void apply(MutableBatch batch, RandomGenerator random) throws Exception {
    if (isChoice) {
      parts.get(random.nextInt(parts.size())).apply(batch, random);
      return;
    }
    for (BatchTransform part : parts) {
      part.apply(batch, random);
    }
  }

  @Override
  public String toString() {
    return isChoice ? "oneOf" + parts : parts.toString();
  }
}
