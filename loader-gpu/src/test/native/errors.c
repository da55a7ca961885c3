/*
 * The results of the driver's functions: names, descriptions, and which of them last. After the
 * reference manual's list of CUresult.
 */
#include "fake_cuda.h"

struct error {
  CUresult code;
  bool lasting; /* "any further CUDA work will return the same error" */
  const char *name;
  const char *description;
};

static const struct error errors[] = {
    {0, false, "CUDA_SUCCESS", "no error"},
    {1, false, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, false, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, false, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {4, true, "CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
    {34, false, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
    {35, false, "CUDA_ERROR_INSUFFICIENT_DRIVER",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {46, false, "CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable"},
    {100, false, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, false, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {200, false, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {201, false, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {214, true, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"},
    {220, true, "CUDA_ERROR_NVLINK_UNCORRECTABLE",
     "uncorrectable NVLink error detected during the execution"},
    {226, true, "CUDA_ERROR_CONTAINED", "the GPU has contained an exception"},
    {304, false, "CUDA_ERROR_OPERATING_SYSTEM", "OS call failed or operation not supported on this OS"},
    {400, false, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {600, false, "CUDA_ERROR_NOT_READY", "device not ready"},
    {700, true, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {701, false, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {702, true, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"},
    {709, false, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
    {710, true, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {714, true, "CUDA_ERROR_HARDWARE_STACK_ERROR", "hardware stack error"},
    {715, true, "CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered"},
    {716, true, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {717, true, "CUDA_ERROR_INVALID_ADDRESS_SPACE",
     "operation not supported on global/shared address space"},
    {718, true, "CUDA_ERROR_INVALID_PC", "invalid program counter"},
    {719, true, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {721, true, "CUDA_ERROR_TENSOR_MEMORY_LEAK", "a kernel ended without freeing its tensor memory"},
    {800, false, "CUDA_ERROR_NOT_PERMITTED", "operation not permitted"},
    {801, false, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {802, false, "CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized"},
    {803, false, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
     "system has unsupported display driver / cuda driver combination"},
    {804, false, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE",
     "forward compatibility was attempted on non supported HW"},
    {999, true, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

static const struct error *find(CUresult code) {
  for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
    if (errors[i].code == code) {
      return &errors[i];
    }
  }
  return NULL;
}

bool is_lasting(CUresult code) {
  const struct error *error = find(code);
  return error != NULL && error->lasting;
}

EXPORT CUresult cuGetErrorName(CUresult code, const char **name) {
  const struct error *error = find(code);
  if (name == NULL) {
    return INVALID_VALUE;
  }
  *name = error == NULL ? NULL : error->name;
  return error == NULL ? INVALID_VALUE : SUCCESS;
}

EXPORT CUresult cuGetErrorString(CUresult code, const char **description) {
  const struct error *error = find(code);
  if (description == NULL) {
    return INVALID_VALUE;
  }
  *description = error == NULL ? NULL : error->description;
  return error == NULL ? INVALID_VALUE : SUCCESS;
}
