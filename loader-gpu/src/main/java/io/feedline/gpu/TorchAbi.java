package io.feedline.gpu;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.jni.LibUtils;
import ai.djl.util.NativeResource;
import com.sun.jna.Function;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import com.sun.jna.ptr.PointerByReference;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What DJL does not tell of its PyTorch engine: where a tensor lies, and on which stream PyTorch
 * computes. Asked of the very libraries that the engine has loaded, through the C interface that
 * they offer to compiled models (PyTorch's {@code torch/csrc/inductor/aoti_torch/c/shim.h}), which
 * is kept stable from version to version.
 *
 * <p>Thread-safe.
 */
final class TorchAbi {

  /** PyTorch computes on it unless it is told otherwise, and DJL does not tell it. */
  private static final long LEGACY_STREAM = 0;

  private final Function dataPointer;

  /** Null where the library has no such function, or there is none for CUDA. */
  private final Function currentStream;

  private TorchAbi(Function dataPointer, Function currentStream) {
    this.dataPointer = dataPointer;
    this.currentStream = currentStream;
  }

  /**
   * The interface of the engine's libraries, which are loaded already.
   *
   * @throws UnsatisfiedLinkError if they do not have it
   */
  static TorchAbi load() {
    Path directory = Path.of(LibUtils.getLibtorchPath());
    NativeLibrary torch = library(directory.resolve(fileName("torch_cpu")));
    Path cuda = directory.resolve(fileName("torch_cuda"));
    return new TorchAbi(
        torch.getFunction("aoti_torch_get_data_ptr"),
        Files.exists(cuda) ? optional(library(cuda), "aoti_torch_get_current_cuda_stream") : null);
  }

  private static NativeLibrary library(Path file) {
    return NativeLibrary.getInstance(file.toString());
  }

  private static String fileName(String name) {
    if (Platform.isWindows()) {
      return name + ".dll";
    }
    return "lib" + name + (Platform.isMac() ? ".dylib" : ".so");
  }

  private static Function optional(NativeLibrary library, String name) {
    try {
      return library.getFunction(name);
    } catch (UnsatisfiedLinkError e) {
      return null; // an older PyTorch
    }
  }

  /**
   * Where an array's elements begin, on its device.
   *
   * @param array of DJL's PyTorch engine
   */
  long address(NDArray array) {
    Object handle = ((NativeResource<?>) array).getHandle();
    PointerByReference address = new PointerByReference();
    require(dataPointer.invokeInt(new Object[] {handle, address}), dataPointer);
    return com.sun.jna.Pointer.nativeValue(address.getValue());
  }

  /** The stream of a GPU on which this thread's PyTorch operations run. */
  long currentStream(int ordinal) {
    if (currentStream == null) {
      return LEGACY_STREAM;
    }
    PointerByReference stream = new PointerByReference();
    require(currentStream.invokeInt(new Object[] {ordinal, stream}), currentStream);
    return com.sun.jna.Pointer.nativeValue(stream.getValue());
  }

  private static void require(int result, Function function) {
    if (result != 0) {
      throw new IllegalStateException(
          "PyTorch's %s failed with %d".formatted(function.getName(), result));
    }
  }
}
