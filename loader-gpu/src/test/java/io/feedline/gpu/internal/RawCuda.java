package io.feedline.gpu.internal;

import com.sun.jna.Library;
import com.sun.jna.ptr.FloatByReference;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;

/** The driver's functions as the fake has them, for its own tests: all pointers are numbers. */
interface RawCuda extends Library {
  int cuInit(int flags);

  int cuDriverGetVersion(IntByReference version);

  int cuDeviceGetCount(IntByReference count);

  int cuDeviceGet(IntByReference device, int ordinal);

  int cuDeviceGetName(byte[] name, int length, int device);

  int cuDeviceGetPCIBusId(byte[] id, int length, int device);

  int cuDevicePrimaryCtxRetain(LongByReference context, int device);

  int cuDevicePrimaryCtxRelease_v2(int device);

  int cuCtxPushCurrent_v2(long context);

  int cuCtxPopCurrent_v2(LongByReference context);

  int cuCtxGetStreamPriorityRange(IntByReference least, IntByReference greatest);

  int cuMemHostAlloc(LongByReference address, long bytes, int flags);

  int cuMemFreeHost(long address);

  int cuMemAlloc_v2(LongByReference address, long bytes);

  int cuMemFree_v2(long address);

  int cuPointerGetAttribute(IntByReference value, int attribute, long address);

  int cuStreamCreateWithPriority(LongByReference stream, int flags, int priority);

  int cuStreamDestroy_v2(long stream);

  int cuStreamSynchronize(long stream);

  int cuStreamWaitEvent(long stream, long event, int flags);

  int cuEventCreate(LongByReference event, int flags);

  int cuEventDestroy_v2(long event);

  int cuEventRecord(long event, long stream);

  int cuEventQuery(long event);

  int cuEventSynchronize(long event);

  int cuEventElapsedTime(FloatByReference milliseconds, long from, long to);

  int cuMemcpyHtoDAsync_v2(long to, long from, long bytes, long stream);

  int cuMemcpyDtoDAsync_v2(long to, long from, long bytes, long stream);

  int cuMemcpyDtoHAsync_v2(long to, long from, long bytes, long stream);

  int cuGetErrorName(int code, PointerByReference name);

  int cuGetErrorString(int code, PointerByReference description);
}
