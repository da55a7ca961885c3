package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import io.feedline.gpu.internal.PinnedMemory;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The assumptions of the copying stream about PyTorch and the driver together: a tensor is where
 * PyTorch says, the driver's copies and PyTorch's work meet in the stream that PyTorch names. On a
 * GPU or on what stands for one.
 */
@Timeout(120)
abstract class TorchAbiContract extends TorchHarness {

  private final int side;
  private final int products;

  TorchAbiContract(Device device, int side, int products) {
    super(device);
    this.side = side;
    this.products = products;
  }

  /** Waits for copies, where PyTorch's work does not. */
  abstract void settle();

  private float[] numbers(int count) {
    float[] numbers = new float[count];
    SplittableRandom random = new SplittableRandom(count);
    for (int i = 0; i < count; i++) {
      numbers[i] = random.nextInt(1024);
    }
    return numbers;
  }

  private float[] at(long address, int count) {
    try (PinnedMemory pinned = context.allocatePinned(count * Float.BYTES)) {
      computing().copyToHost(pinned.address(), address, (long) count * Float.BYTES);
      computing().synchronize();
      float[] found = new float[count];
      pinned.buffer().order(ByteOrder.nativeOrder()).asFloatBuffer().get(found);
      return found;
    }
  }

  @Test
  void shouldKnowWhereATensorLies() {
    float[] numbers = numbers(60);
    NDArray tensor = manager.create(numbers, new Shape(12, 5));
    NDArray rows = tensor.get("7:");

    assertThat(at(torch.address(tensor), 60)).isEqualTo(numbers);
    assertThat(torch.address(rows)).isEqualTo(torch.address(tensor) + 7 * 5 * Float.BYTES);
    assertThat(at(torch.address(rows), 25)).isEqualTo(rows.toFloatArray());
  }

  @Test
  void shouldWriteWhatPyTorchReadsNext() {
    float[] numbers = numbers(side * side);
    Shape shape = new Shape(side, side);
    Permutation permutation = new Permutation(manager, side);
    try (PinnedMemory pinned = context.allocatePinned(numbers.length * Float.BYTES)) {
      pinned.buffer().order(ByteOrder.nativeOrder()).asFloatBuffer().put(numbers);
      permutation.occupy(products);
      NDArray tensor = manager.create(shape, DataType.FLOAT32);

      computing().copyToDevice(torch.address(tensor), pinned.address(), 4L * numbers.length);
      settle();
      NDArray result = permutation.apply(tensor, 3);

      assertThat(result.toFloatArray()).isEqualTo(permuted(permutation, numbers, 3));
    }
  }

  @Test
  void shouldReadWhatPyTorchHasQueued() {
    float[] numbers = numbers(side * side);
    Permutation permutation = new Permutation(manager, side);
    NDArray tensor = manager.create(numbers, new Shape(side, side));

    NDArray result = permutation.apply(tensor, products);

    assertThat(at(torch.address(result), numbers.length))
        .isEqualTo(permuted(permutation, numbers, products));
  }

  private float[] permuted(Permutation permutation, float[] rows, int times) {
    float[] all = new float[rows.length];
    for (int row = 0; row < rows.length; row += side) {
      float[] one = Arrays.copyOfRange(rows, row, row + side);
      System.arraycopy(permutation.expected(one, times), 0, all, row, side);
    }
    return all;
  }
}
