package io.feedline.gpu.internal;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.util.HashMap;
import java.util.Map;

/** The names of the codes that a {@link FakeDriver} knows, as C strings. */
final class FakeErrorNames {

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(0, "CUDA_SUCCESS"),
          Map.entry(1, "CUDA_ERROR_INVALID_VALUE"),
          Map.entry(2, "CUDA_ERROR_OUT_OF_MEMORY"),
          Map.entry(3, "CUDA_ERROR_NOT_INITIALIZED"),
          Map.entry(4, "CUDA_ERROR_DEINITIALIZED"),
          Map.entry(34, "CUDA_ERROR_STUB_LIBRARY"),
          Map.entry(46, "CUDA_ERROR_DEVICE_UNAVAILABLE"),
          Map.entry(100, "CUDA_ERROR_NO_DEVICE"),
          Map.entry(101, "CUDA_ERROR_INVALID_DEVICE"),
          Map.entry(201, "CUDA_ERROR_INVALID_CONTEXT"),
          Map.entry(214, "CUDA_ERROR_ECC_UNCORRECTABLE"),
          Map.entry(304, "CUDA_ERROR_OPERATING_SYSTEM"),
          Map.entry(400, "CUDA_ERROR_INVALID_HANDLE"),
          Map.entry(600, "CUDA_ERROR_NOT_READY"),
          Map.entry(700, "CUDA_ERROR_ILLEGAL_ADDRESS"),
          Map.entry(702, "CUDA_ERROR_LAUNCH_TIMEOUT"),
          Map.entry(709, "CUDA_ERROR_CONTEXT_IS_DESTROYED"),
          Map.entry(719, "CUDA_ERROR_LAUNCH_FAILED"),
          Map.entry(801, "CUDA_ERROR_NOT_SUPPORTED"),
          Map.entry(802, "CUDA_ERROR_SYSTEM_NOT_READY"),
          Map.entry(803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"),
          Map.entry(804, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE"),
          Map.entry(999, "CUDA_ERROR_UNKNOWN"));

  private final Map<Integer, Memory> texts = new HashMap<>();

  long address(int code) {
    String name = NAMES.get(code);
    if (name == null) {
      return 0;
    }
    return Pointer.nativeValue(
        texts.computeIfAbsent(
            code,
            c -> {
              Memory text = new Memory(name.length() + 1L);
              text.setString(0, name);
              return text;
            }));
  }
}
