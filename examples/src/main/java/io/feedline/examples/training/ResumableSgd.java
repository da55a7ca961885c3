package io.feedline.examples.training;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.nn.Block;
import ai.djl.nn.Parameter;
import ai.djl.training.optimizer.Sgd;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * DJL's {@link Sgd} whose momentum is part of a checkpoint. DJL keeps the momentum in a private map
 * and passes this map to {@code withDefaultState}, which a subclass may override; {@code Adam} with
 * its two moments can be extended in the same way.
 *
 * <p>The number of updates is not saved; a learning rate that depends on it needs {@code
 * optBeginNumUpdate}.
 */
final class ResumableSgd extends Sgd {
  /** The loaded momentum by the parameter's ID, until the parameter's first update. */
  private final Map<String, NDArray> loaded = new ConcurrentHashMap<>();

  /** DJL's map of the momentum; null before the first update. */
  private volatile Map<String, Map<Device, NDArray>> momentum;

  ResumableSgd(Builder builder) {
    super(builder);
  }

  @Override
  protected NDArray withDefaultState(
      Map<String, Map<Device, NDArray>> states,
      String parameter,
      Device device,
      Function<String, NDArray> zeros) {
    momentum = states;
    return super.withDefaultState(
        states,
        parameter,
        device,
        id -> {
          NDArray last = loaded.remove(id);
          return last == null ? zeros.apply(id) : last;
        });
  }

  /**
   * Writes the momentum of a network's parameters, in DJL's format of a list of arrays. The file is
   * empty before the first update.
   *
   * @param file a file that does not exist
   */
  void save(Block network, Path file) throws IOException {
    NDList arrays = new NDList();
    Map<String, Map<Device, NDArray>> states = momentum;
    for (var entry : network.getParameters()) {
      String id = entry.getValue().getId();
      NDArray array =
          states != null && states.containsKey(id)
              ? states.get(id).values().iterator().next() // equal on all devices
              : loaded.get(id);
      if (array != null) {
        array.setName(entry.getKey());
        arrays.add(array);
      }
    }
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      if (!arrays.isEmpty()) { // DJL cannot read an empty list
        arrays.encode(out);
      }
    }
  }

  /**
   * Reads the momentum that {@link #save} has written; call this before the first update.
   *
   * @param network the saved network, or one with the same parameters
   * @param manager the owner of the arrays, on the training's device
   * @throws IOException if the file cannot be read or belongs to another network
   */
  void load(Block network, NDManager manager, Path file) throws IOException {
    if (Files.size(file) == 0) {
      return;
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      for (NDArray array : NDList.decode(manager, in)) {
        Parameter parameter = network.getParameters().get(array.getName());
        if (parameter == null) {
          throw new IOException("%s: no parameter %s".formatted(file, array.getName()));
        }
        loaded.put(parameter.getId(), array);
      }
    } catch (IllegalArgumentException e) {
      throw new IOException("%s has no momentum: %s".formatted(file, e.getMessage()), e);
    }
  }
}
