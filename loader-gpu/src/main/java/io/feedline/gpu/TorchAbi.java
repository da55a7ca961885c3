package io.feedline.gpu;

import ai.djl.ndarray.NDArray;
import ai.djl.pytorch.jni.LibUtils;
import ai.djl.util.NativeResource;
import com.sun.jna.FunctionMapper;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Access to two values for which DJL has no method: a tensor's address, and the stream on which
 * PyTorch computes. Calls the libraries that the engine has loaded, through their C interface for
 * compiled models (PyTorch's {@code torch/csrc/inductor/aoti_torch/c/shim.h}), which stays stable
 * from version to version.
 *
 * <p>Thread-safe.
 */
final class TorchAbi {

  private static final int RTLD_LAZY = 1;

  /** The value of {@code RTLD_LOCAL} on macOS; on Linux it is 0. */
  private static final int RTLD_LOCAL_OF_MACOS = 4;

  /** PyTorch's default stream, which DJL never changes. */
  private static final long LEGACY_STREAM = 0;

  private static TorchAbi bound;

  private final Tensors tensors;

  /** The function for streams; null if PyTorch has no CUDA or lacks the function. */
  private final Streams streams;

  private TorchAbi(Tensors tensors, Streams streams) {
    this.tensors = tensors;
    this.streams = streams;
  }

  private static final class Tensors {
    native int dataPointer(long tensor, long[] address);
  }

  private static final class Streams {
    native int currentStream(int device, long[] stream);
  }

  /**
   * @throws UnsatisfiedLinkError if the engine's libraries lack a function
   */
  static synchronized TorchAbi load() {
    if (bound == null) {
      Path directory = Path.of(LibUtils.getLibtorchPath());
      bind(Tensors.class, library(directory, "torch_cpu"), "aoti_torch_get_data_ptr");
      bound = new TorchAbi(new Tensors(), streams(library(directory, "torch_cuda")));
    }
    return bound;
  }

  private static Path library(Path directory, String name) {
    return directory.resolve(System.mapLibraryName(name));
  }

  private static void bind(Class<?> type, Path library, String function) {
    FunctionMapper names = (anyLibrary, anyMethod) -> function;
    Map<String, Object> options = new HashMap<>();
    options.put(Library.OPTION_FUNCTION_MAPPER, names);
    if (!Platform.isWindows()) {
      options.put(Library.OPTION_OPEN_FLAGS, openFlags());
    }
    Native.register(type, NativeLibrary.getInstance(library.toString(), options));
  }

  /**
   * Returns the flags of {@code dlopen} that keep a library's symbols local, as the engine's
   * loading did. By default JNA would make the symbols global, and libraries that are loaded later
   * would use PyTorch's BLAS and protobuf instead of their own. The flags lack RTLD_NOLOAD: if
   * dlopen fails with it, dlerror returns no message, and JNA 5.17 then ends the JVM.
   */
  private static int openFlags() {
    return Platform.isMac() ? RTLD_LAZY | RTLD_LOCAL_OF_MACOS : RTLD_LAZY;
  }

  private static Streams streams(Path library) {
    if (!Files.exists(library)) {
      return null;
    }
    try {
      bind(Streams.class, library, "aoti_torch_get_current_cuda_stream");
      return new Streams();
    } catch (UnsatisfiedLinkError e) {
      return null; // an older PyTorch, without the function
    }
  }

  long address(NDArray array) {
    long handle = (Long) ((NativeResource<?>) array).getHandle();
    long[] address = new long[1];
    require(tensors.dataPointer(handle, address), "aoti_torch_get_data_ptr");
    return address[0];
  }

  /** Returns the stream of a GPU on which this thread's PyTorch operations run. */
  long currentStream(int ordinal) {
    if (streams == null) {
      return LEGACY_STREAM;
    }
    long[] stream = new long[1];
    require(streams.currentStream(ordinal, stream), "aoti_torch_get_current_cuda_stream");
    return stream[0];
  }

  private static void require(int result, String function) {
    if (result != 0) {
      throw new IllegalStateException("PyTorch's %s failed with %d".formatted(function, result));
    }
  }
}
