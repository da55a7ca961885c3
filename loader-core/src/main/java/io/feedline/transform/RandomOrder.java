package io.feedline.transform;

import java.util.List;
import java.util.random.RandomGenerator;

record RandomOrder<A>(List<RandomTransform<A, A>> transforms) implements RandomTransform<A, A> {

  RandomOrder {
    if (transforms.isEmpty()) {
      throw new IllegalArgumentException("there must be a transform to apply, was " + transforms);
    }
    transforms = List.copyOf(transforms);
  }

  @Override
  public A apply(A input, RandomGenerator random) throws Exception {
    // The order of torch.randperm, for a generator whose nextInt returns PyTorch's words.
    int[] order = new int[transforms.size()];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
    for (int i = 0; i < order.length - 1; i++) {
      int chosen = i + Integer.remainderUnsigned(random.nextInt(), order.length - i);
      int swapped = order[i];
      order[i] = order[chosen];
      order[chosen] = swapped;
    }
    A result = input;
    for (int next : order) {
      RandomTransform<A, A> part = transforms.get(next);
      result = ComposedRandomTransform.apply(part, result, SampleRandom.unsplit(random));
    }
    return result;
  }

  @Override
  public String toString() {
    return "RandomOrder(%s)".formatted(transforms);
  }
}
