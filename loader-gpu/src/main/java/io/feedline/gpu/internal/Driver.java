package io.feedline.gpu.internal;

/**
 * The functions of the CUDA driver that Feedline uses: one method for each function, with the
 * function's name without its version suffix, and the same arguments in the same order. Handles,
 * device pointers and host pointers are 64-bit numbers. A value that a function returns through a
 * pointer is written to the first element of an array.
 *
 * <p>Each method returns a {@code CUresult}, 0 for success; {@link CudaCalls#check} throws an
 * exception for any other result. The functions are described in NVIDIA's "CUDA Driver API"
 * reference manual.
 *
 * <p>Thread-safe, as the driver is.
 */
interface Driver {

  /** A flag of {@link #cuStreamCreateWithPriority}: no waits for or by the default stream. */
  int STREAM_NON_BLOCKING = 1;

  /** A flag of {@link #cuEventCreate}: a waiting thread sleeps instead of spinning. */
  int EVENT_BLOCKING_SYNC = 1;

  /** A flag of {@link #cuEventCreate}: the event does not record its time. */
  int EVENT_DISABLE_TIMING = 2;

  /** A flag of {@link #cuMemHostAlloc}: the memory is page-locked for all contexts. */
  int MEMHOSTALLOC_PORTABLE = 1;

  /** The attribute of {@link #cuPointerGetAttribute} for the kind of memory. */
  int POINTER_ATTRIBUTE_MEMORY_TYPE = 2;

  /** The value of {@link #POINTER_ATTRIBUTE_MEMORY_TYPE} for page-locked host memory. */
  int MEMORYTYPE_HOST = 1;

  /** The result of {@link #cuEventElapsedTime} if an event has not happened yet. */
  int NOT_READY = 600;

  int cuInit(int flags);

  int cuDriverGetVersion(int[] version);

  int cuDeviceGetCount(int[] count);

  int cuDeviceGet(int[] device, int ordinal);

  int cuDeviceGetName(byte[] name, int length, int device);

  int cuDeviceGetPCIBusId(byte[] id, int length, int device);

  int cuDevicePrimaryCtxRetain(long[] context, int device);

  int cuDevicePrimaryCtxRelease(int device);

  int cuCtxPushCurrent(long context);

  int cuCtxPopCurrent(long[] context);

  int cuCtxGetStreamPriorityRange(int[] leastPriority, int[] greatestPriority);

  int cuMemHostAlloc(long[] pointer, long bytes, int flags);

  int cuMemFreeHost(long pointer);

  int cuMemAlloc(long[] pointer, long bytes);

  int cuMemFree(long pointer);

  int cuPointerGetAttribute(int[] value, int attribute, long pointer);

  int cuStreamCreateWithPriority(long[] stream, int flags, int priority);

  int cuStreamDestroy(long stream);

  int cuStreamSynchronize(long stream);

  int cuStreamWaitEvent(long stream, long event, int flags);

  int cuEventCreate(long[] event, int flags);

  int cuEventDestroy(long event);

  int cuEventRecord(long event, long stream);

  int cuEventSynchronize(long event);

  int cuEventElapsedTime(float[] millis, long start, long end);

  int cuMemcpyHtoDAsync(long device, long host, long bytes, long stream);

  int cuMemcpyDtoDAsync(long to, long from, long bytes, long stream);

  int cuMemcpyDtoHAsync(long host, long device, long bytes, long stream);

  int cuGetErrorName(int result, long[] text);
}
