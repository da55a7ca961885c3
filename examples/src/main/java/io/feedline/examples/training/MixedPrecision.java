package io.feedline.examples.training;

import ai.djl.Device;
import ai.djl.MalformedModelException;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.AbstractBaseBlock;
import ai.djl.nn.Block;
import ai.djl.nn.BlockList;
import ai.djl.nn.Parameter;
import ai.djl.nn.ParameterList;
import ai.djl.training.ParameterStore;
import ai.djl.util.PairList;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * A network that computes in half precision and learns in single precision (Micikevicius et al.,
 * "Mixed Precision Training", 2018), for which DJL has no option.
 *
 * <p>The weights of convolutions and linear layers, their gradients and the optimizer's state are
 * float32; each step computes with a copy in float16. Batch normalization keeps its parameters and
 * statistics in float32. The result is float32, for the loss. The loss must be multiplied by {@link
 * #LOSS_SCALE} before the backward pass, which would otherwise lose small gradients; the gradients
 * must then be divided by it.
 *
 * <p>It saves and loads only the network, so a checkpoint fits either precision.
 */
final class MixedPrecision extends AbstractBaseBlock {

  /**
   * The factor of the loss, from NVIDIA's recipe for ResNet-50. It is fixed, because DJL has no
   * cheap way to test whether a gradient has overflowed.
   */
  static final float LOSS_SCALE = 128;

  private final Block network;

  /** Wraps a network without weights, which is to compute in float16. */
  MixedPrecision(Block network) {
    this.network = network;
  }

  @Override
  protected NDList forwardInternal(
      ParameterStore store, NDList inputs, boolean training, PairList<String, Object> params) {
    // The step's arrays belong to the batch's manager, and are closed with it.
    NDManager step = inputs.head().getManager();
    NDList halves = new NDList();
    inputs.forEach(input -> halves.add(input.toType(DataType.FLOAT16, false)));
    NDList outputs = new NDList();
    network
        .forward(new Halves(step, store), halves, training, params)
        .forEach(output -> outputs.add(converted(output, DataType.FLOAT32, step)));
    return outputs;
  }

  /**
   * Returns a copy in another type that propagates gradients. {@link NDArray#toType} cannot be
   * used: DJL's engine detaches its result.
   */
  private static NDArray converted(NDArray array, DataType type, NDManager manager) {
    return manager.zeros(array.getShape(), type).addi(array);
  }

  /** A parameter store that returns the parameters in the precision of a step's computation. */
  private static final class Halves extends ParameterStore {
    private final NDManager step;
    private final ParameterStore store;

    Halves(NDManager step, ParameterStore store) {
      super(step, false);
      this.step = step;
      this.store = store;
    }

    @Override
    public NDArray getValue(Parameter parameter, Device device, boolean training) {
      NDArray value = store.getValue(parameter, device, training);
      if (value == null) {
        return null; // an absent optional parameter
      }
      return switch (parameter.getType()) {
        case WEIGHT, BIAS -> converted(value, DataType.FLOAT16, step);
        default -> value;
      };
    }
  }

  @Override
  public BlockList getChildren() {
    return network.getChildren();
  }

  @Override
  public ParameterList getDirectParameters() {
    return network.getDirectParameters();
  }

  @Override
  public Shape[] getOutputShapes(Shape[] inputShapes) {
    return network.getOutputShapes(inputShapes);
  }

  @Override
  public void initialize(NDManager manager, DataType dataType, Shape... inputShapes) {
    network.initialize(manager, dataType, inputShapes);
  }

  @Override
  public PairList<String, Shape> describeInput() {
    return network.describeInput();
  }

  @Override
  public boolean isInitialized() {
    return network.isInitialized();
  }

  @Override
  public void saveParameters(DataOutputStream out) throws IOException {
    network.saveParameters(out);
  }

  @Override
  public void loadParameters(NDManager manager, DataInputStream in)
      throws IOException, MalformedModelException {
    network.loadParameters(manager, in);
  }
}
