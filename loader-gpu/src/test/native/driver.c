/* The functions of the driver; fake_cuda.h tells of the whole. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_cuda.h"

/* What a call asks of the state of things, as flags. */
enum {
  ANY_TIME = 1,   /* also before cuInit */
  IN_CONTEXT = 2, /* only where a context is current */
  REGARDLESS = 4, /* does what it is for even if it has to return an error */
  OF_THREAD = 8   /* does not reach the device, so that lasting errors do not reach it */
};

struct call {
  CUresult forced; /* by a test, or by a lasting error */
  struct context *context;
};

static pthread_key_t stack_key;
static pthread_once_t stack_key_made = PTHREAD_ONCE_INIT;

static void end_stack(void *argument) {
  struct stack *ended = argument;
  lock();
  if (ended->depth > 0) {
    state.live.pushed -= ended->depth;
    violate("a thread ended with %d contexts pushed", ended->depth);
  }
  struct stack **place = &state.stacks;
  while (*place != ended) {
    place = &(*place)->next;
  }
  *place = ended->next;
  unlock();
  free(ended->contexts);
  free(ended);
}

static void make_stack_key(void) {
  pthread_key_create(&stack_key, end_stack);
}

/* The calling thread's stack. */
static struct stack *own_stack(void) {
  pthread_once(&stack_key_made, make_stack_key);
  struct stack *own = pthread_getspecific(stack_key);
  if (own == NULL) {
    own = allocate(sizeof *own);
    own->next = state.stacks;
    state.stacks = own;
    pthread_setspecific(stack_key, own);
  }
  return own;
}

static void push(struct stack *stack, uint64_t context) {
  if (stack->depth == stack->capacity) {
    int capacity = 2 * stack->capacity + 4;
    uint64_t *larger = allocate((size_t)capacity * sizeof *larger);
    for (int i = 0; i < stack->depth; i++) {
      larger[i] = stack->contexts[i];
    }
    free(stack->contexts);
    stack->contexts = larger;
    stack->capacity = capacity;
  }
  stack->contexts[stack->depth++] = context;
  state.live.pushed++;
}

/* Takes all contexts from all threads. */
void clear_stacks(void) {
  for (struct stack *each = state.stacks; each != NULL; each = each->next) {
    state.live.pushed -= each->depth;
    each->depth = 0;
  }
}

static struct context *find_context(uint64_t handle) {
  for (int i = 0; i < MAX_DEVICES; i++) {
    if (handle != 0 && state.contexts[i].handle == handle) {
      return &state.contexts[i];
    }
  }
  return NULL;
}

static CUresult current_context(struct context **context) {
  const struct stack *own = own_stack();
  if (own->depth == 0) {
    return INVALID_CONTEXT;
  }
  *context = find_context(own->contexts[own->depth - 1]);
  return *context == NULL ? CONTEXT_IS_DESTROYED : SUCCESS;
}

/* Begins a call, and takes the lock. Tells what is in its way; REGARDLESS leaves errors to leave(). */
static CUresult enter(enum function function, unsigned flags, struct call *call) {
  lock();
  *call = (struct call){.forced = SUCCESS};
  state.calls++;
  state.calls_by_name[function]++;
  if ((flags & OF_THREAD) == 0) {
    call->forced = state.lasting;
  }
  bool any = trapped(&state.any_call, &call->forced);
  bool this = trapped(&state.calls_of[function], &call->forced);
  if ((any || this) && is_lasting(call->forced)) {
    break_down(call->forced);
  }
  if (call->forced != SUCCESS && (flags & REGARDLESS) == 0) {
    return call->forced;
  }
  if ((flags & ANY_TIME) == 0 && !state.initialized) {
    return NOT_INITIALIZED;
  }
  return (flags & IN_CONTEXT) == 0 ? SUCCESS : current_context(&call->context);
}

static CUresult leave(const struct call *call, CUresult result) {
  unlock();
  return call->forced != SUCCESS ? call->forced : result;
}

/* What a call that waits has learnt of copies that failed. */
static CUresult surface(void) {
  CUresult failure = state.failure;
  state.failure = SUCCESS;
  if (is_lasting(failure)) {
    break_down(failure);
  }
  return failure;
}

/* ---- the driver, its devices and their contexts ---- */

EXPORT CUresult cuInit(unsigned flags) {
  struct call call;
  CUresult result = enter(FN_cuInit, ANY_TIME, &call);
  if (result == SUCCESS) {
    result = flags != 0 ? INVALID_VALUE : state.devices == 0 ? NO_DEVICE : SUCCESS;
    state.initialized |= result == SUCCESS;
  }
  return leave(&call, result);
}

EXPORT CUresult cuDriverGetVersion(int *version) {
  struct call call;
  CUresult result = enter(FN_cuDriverGetVersion, ANY_TIME, &call);
  if (result == SUCCESS) {
    if (version == NULL) {
      result = INVALID_VALUE;
    } else {
      *version = state.version;
    }
  }
  return leave(&call, result);
}

EXPORT CUresult cuDeviceGetCount(int *count) {
  struct call call;
  CUresult result = enter(FN_cuDeviceGetCount, 0, &call);
  if (result == SUCCESS) {
    if (count == NULL) {
      result = INVALID_VALUE;
    } else {
      *count = state.devices;
    }
  }
  return leave(&call, result);
}

static bool is_device(CUdevice device) {
  return device >= 0 && device < state.devices;
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  struct call call;
  CUresult result = enter(FN_cuDeviceGet, 0, &call);
  if (result == SUCCESS) {
    if (device == NULL) {
      result = INVALID_VALUE;
    } else if (!is_device(ordinal)) {
      result = INVALID_DEVICE;
    } else {
      *device = ordinal;
    }
  }
  return leave(&call, result);
}

EXPORT CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  struct call call;
  CUresult result = enter(FN_cuDeviceGetName, 0, &call);
  if (result == SUCCESS) {
    if (name == NULL || length <= 0) {
      result = INVALID_VALUE;
    } else if (!is_device(device)) {
      result = INVALID_DEVICE;
    } else {
      snprintf(name, (size_t)length, "Fake CUDA device %d", device);
    }
  }
  return leave(&call, result);
}

EXPORT CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device) {
  struct call call;
  CUresult result = enter(FN_cuDeviceGetPCIBusId, 0, &call);
  if (result == SUCCESS) {
    if (id == NULL || length < 13) {
      result = INVALID_VALUE;
    } else if (!is_device(device)) {
      result = INVALID_DEVICE;
    } else {
      snprintf(id, (size_t)length, "0000:%02X:00.0", (unsigned)device + 1);
    }
  }
  return leave(&call, result);
}

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *handle, CUdevice device) {
  struct call call;
  CUresult result = enter(FN_cuDevicePrimaryCtxRetain, 0, &call);
  if (result == SUCCESS) {
    if (handle == NULL) {
      result = INVALID_VALUE;
    } else if (!is_device(device)) {
      result = INVALID_DEVICE;
    } else {
      struct context *context = &state.contexts[device];
      if (context->references++ == 0) {
        context->handle = new_handle();
      }
      state.live.references++;
      *handle = (CUcontext)(uintptr_t)context->handle;
    }
  }
  return leave(&call, result);
}

EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  struct call call;
  CUresult result = enter(FN_cuDevicePrimaryCtxRelease, REGARDLESS, &call);
  if (result == SUCCESS) {
    if (!is_device(device)) {
      result = INVALID_DEVICE;
    } else if (state.contexts[device].references == 0) {
      result = INVALID_CONTEXT;
    } else {
      state.live.references--;
      if (--state.contexts[device].references == 0) {
        leave_context(&state.contexts[device]);
      }
    }
  }
  return leave(&call, result);
}

EXPORT CUresult cuCtxPushCurrent_v2(CUcontext handle) {
  struct call call;
  CUresult result = enter(FN_cuCtxPushCurrent, OF_THREAD, &call);
  if (result == SUCCESS) {
    if (find_context((uintptr_t)handle) == NULL) {
      result = INVALID_CONTEXT;
    } else {
      push(own_stack(), (uintptr_t)handle);
    }
  }
  return leave(&call, result);
}

EXPORT CUresult cuCtxPopCurrent_v2(CUcontext *handle) {
  struct call call;
  CUresult result = enter(FN_cuCtxPopCurrent, OF_THREAD | REGARDLESS, &call);
  if (result == SUCCESS) {
    struct stack *own = own_stack();
    if (own->depth == 0) {
      result = INVALID_CONTEXT;
    } else {
      uint64_t top = own->contexts[--own->depth];
      state.live.pushed--;
      if (handle != NULL) {
        *handle = (CUcontext)(uintptr_t)top;
      }
    }
  }
  return leave(&call, result);
}

enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

EXPORT CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  struct call call;
  CUresult result = enter(FN_cuCtxGetStreamPriorityRange, IN_CONTEXT, &call);
  if (result == SUCCESS) {
    if (least != NULL) {
      *least = LEAST_PRIORITY;
    }
    if (greatest != NULL) {
      *greatest = GREATEST_PRIORITY;
    }
  }
  return leave(&call, result);
}

/* ---- memory ---- */

EXPORT CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
  struct call call;
  CUresult result = enter(FN_cuMemHostAlloc, IN_CONTEXT, &call);
  if (result == SUCCESS) {
    bool known = (flags & ~(unsigned)(HOST_PORTABLE | HOST_DEVICEMAP | HOST_WRITECOMBINED)) == 0;
    result = address == NULL || !known ? INVALID_VALUE
                                       : allocate_block(call.context, bytes, true, flags, address);
  }
  return leave(&call, result);
}

EXPORT CUresult cuMemFreeHost(void *address) {
  struct call call;
  CUresult result = enter(FN_cuMemFreeHost, IN_CONTEXT | REGARDLESS, &call);
  if (result == SUCCESS) {
    result = free_block(address, true);
  }
  return leave(&call, result);
}

EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  struct call call;
  CUresult result = enter(FN_cuMemAlloc, IN_CONTEXT, &call);
  if (result == SUCCESS) {
    void *memory;
    result = address == NULL ? INVALID_VALUE
                             : allocate_block(call.context, bytes, false, 0, &memory);
    if (result == SUCCESS) {
      *address = (uintptr_t)memory;
    }
  }
  return leave(&call, result);
}

EXPORT CUresult cuMemFree_v2(CUdeviceptr address) {
  struct call call;
  CUresult result = enter(FN_cuMemFree, IN_CONTEXT | REGARDLESS, &call);
  if (result == SUCCESS) {
    result = free_block((void *)(uintptr_t)address, false);
  }
  return leave(&call, result);
}

EXPORT CUresult cuPointerGetAttribute(void *value, int attribute, CUdeviceptr address) {
  struct call call;
  CUresult result = enter(FN_cuPointerGetAttribute, IN_CONTEXT, &call);
  if (result == SUCCESS) {
    const struct block *block = find_block((void *)(uintptr_t)address);
    if (value == NULL || block == NULL || block->freed) {
      result = INVALID_VALUE;
    } else if (attribute != ATTRIBUTE_MEMORY_TYPE) {
      violate("cuPointerGetAttribute: attribute %d is not modelled", attribute);
      result = INVALID_VALUE;
    } else {
      *(unsigned *)value = block->host ? MEMORY_TYPE_HOST : MEMORY_TYPE_DEVICE;
    }
  }
  return leave(&call, result);
}

/* ---- streams ---- */

static int clamp(int priority) {
  return priority > LEAST_PRIORITY      ? LEAST_PRIORITY
         : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY
                                        : priority;
}

EXPORT CUresult cuStreamCreateWithPriority(CUstream *handle, unsigned flags, int priority) {
  struct call call;
  CUresult result = enter(FN_cuStreamCreateWithPriority, IN_CONTEXT, &call);
  if (result == SUCCESS) {
    if (handle == NULL || (flags & ~(unsigned)STREAM_NON_BLOCKING) != 0) {
      result = INVALID_VALUE;
    } else {
      uint64_t number = new_handle();
      struct stream *stream = allocate(sizeof *stream);
      stream->handle = number;
      stream->context = call.context;
      stream->flags = flags;
      stream->priority = clamp(priority);
      if (start_stream(stream)) {
        state.live.streams++;
        *handle = (CUstream)(uintptr_t)number;
      } else {
        result = OUT_OF_MEMORY;
      }
    }
  }
  return leave(&call, result);
}

EXPORT CUresult cuStreamDestroy_v2(CUstream handle) {
  struct call call;
  CUresult result = enter(FN_cuStreamDestroy, IN_CONTEXT | REGARDLESS, &call);
  if (result == SUCCESS) {
    struct stream *stream = find_stream(handle, call.context);
    if (stream == NULL || stream->handle == 0) {
      result = INVALID_HANDLE;
    } else {
      close_stream(stream);
      state.live.streams--;
    }
  }
  return leave(&call, result);
}

EXPORT CUresult cuStreamSynchronize(CUstream handle) {
  struct call call;
  CUresult result = enter(FN_cuStreamSynchronize, IN_CONTEXT | REGARDLESS, &call);
  if (result == SUCCESS) {
    struct stream *stream = find_stream(handle, call.context);
    if (stream == NULL) {
      result = INVALID_HANDLE;
    } else {
      await(stream->latest);
      result = call.forced != SUCCESS ? call.forced : surface();
    }
  }
  return leave(&call, result);
}

/* ---- events ---- */

static struct event *find_event(CUevent handle) {
  for (struct event *each = state.events; each != NULL; each = each->next) {
    if (each->handle == (uintptr_t)handle) {
      return each;
    }
  }
  return NULL;
}

EXPORT CUresult cuStreamWaitEvent(CUstream stream_handle, CUevent event_handle, unsigned flags) {
  struct call call;
  CUresult result = enter(FN_cuStreamWaitEvent, IN_CONTEXT, &call);
  if (result == SUCCESS) {
    struct stream *stream = find_stream(stream_handle, call.context);
    struct event *event = find_event(event_handle);
    if (stream == NULL || event == NULL) {
      result = INVALID_HANDLE;
    } else if (flags != 0) {
      result = INVALID_VALUE;
    } else if (event->recorded != NULL) {
      submit(stream, allocate(sizeof(struct operation)), event->recorded);
    }
  }
  return leave(&call, result);
}

EXPORT CUresult cuEventCreate(CUevent *handle, unsigned flags) {
  struct call call;
  CUresult result = enter(FN_cuEventCreate, IN_CONTEXT, &call);
  if (result == SUCCESS) {
    unsigned known = EVENT_BLOCKING_SYNC | EVENT_DISABLE_TIMING | EVENT_INTERPROCESS;
    bool shared = (flags & EVENT_INTERPROCESS) != 0;
    if (handle == NULL || (flags & ~known) != 0
        || (shared && (flags & EVENT_DISABLE_TIMING) == 0)) {
      result = INVALID_VALUE;
    } else {
      struct event *event = allocate(sizeof *event);
      *event = (struct event){.next = state.events, .handle = new_handle(),
                              .context = call.context, .flags = flags};
      state.events = event;
      state.live.events++;
      *handle = (CUevent)(uintptr_t)event->handle;
    }
  }
  return leave(&call, result);
}

EXPORT CUresult cuEventDestroy_v2(CUevent handle) {
  struct call call;
  CUresult result = enter(FN_cuEventDestroy, IN_CONTEXT | REGARDLESS, &call);
  if (result == SUCCESS) {
    struct event *event = find_event(handle);
    if (event == NULL) {
      result = INVALID_HANDLE;
    } else {
      destroy_event(event);
    }
  }
  return leave(&call, result);
}

EXPORT CUresult cuEventRecord(CUevent event_handle, CUstream stream_handle) {
  struct call call;
  CUresult result = enter(FN_cuEventRecord, IN_CONTEXT, &call);
  if (result == SUCCESS) {
    struct event *event = find_event(event_handle);
    struct stream *stream = find_stream(stream_handle, call.context);
    if (event == NULL || stream == NULL || event->context != stream->context) {
      result = INVALID_HANDLE;
    } else {
      submit(stream, allocate(sizeof(struct operation)), NULL);
      hold(&event->recorded, stream->latest);
    }
  }
  return leave(&call, result);
}

static bool is_reached(const struct completion *point) {
  return point == NULL || point->done;
}

EXPORT CUresult cuEventQuery(CUevent handle) {
  struct call call;
  CUresult result = enter(FN_cuEventQuery, 0, &call);
  if (result == SUCCESS) {
    const struct event *event = find_event(handle);
    if (event == NULL) {
      result = INVALID_HANDLE;
    } else if (state.failure != SUCCESS) {
      result = surface();
    } else {
      result = is_reached(event->recorded) ? SUCCESS : NOT_READY;
    }
  }
  return leave(&call, result);
}

EXPORT CUresult cuEventSynchronize(CUevent handle) {
  struct call call;
  CUresult result = enter(FN_cuEventSynchronize, IN_CONTEXT | REGARDLESS, &call);
  if (result == SUCCESS) {
    const struct event *event = find_event(handle);
    if (event == NULL) {
      result = INVALID_HANDLE;
    } else {
      await(event->recorded);
      result = call.forced != SUCCESS ? call.forced : surface();
    }
  }
  return leave(&call, result);
}

static bool is_timed(const struct event *event) {
  return event != NULL && event->recorded != NULL && (event->flags & EVENT_DISABLE_TIMING) == 0;
}

EXPORT CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to) {
  struct call call;
  CUresult result = enter(FN_cuEventElapsedTime, IN_CONTEXT, &call);
  if (result == SUCCESS) {
    const struct event *first = find_event(from);
    const struct event *second = find_event(to);
    if (milliseconds == NULL) {
      result = INVALID_VALUE;
    } else if (!is_timed(first) || !is_timed(second) || first->context != second->context) {
      result = INVALID_HANDLE;
    } else if (!first->recorded->done || !second->recorded->done) {
      result = NOT_READY;
    } else {
      *milliseconds = (float)((double)(second->recorded->nanos - first->recorded->nanos) / 1e6);
    }
  }
  return leave(&call, result);
}

/* ---- copies ---- */

/* One end of a copy. */
struct end {
  void *address;
  bool device;
};

/* Queues a copy whose ends are what the function's name says; anything else is refused. */
static CUresult queue_copy(struct stream *stream, struct end to, struct end from, size_t bytes) {
  struct block *to_block;
  struct block *from_block;
  if (check_range(to.address, bytes, &to_block) != SUCCESS
      || check_range(from.address, bytes, &from_block) != SUCCESS
      || (!to.device && to_block != NULL && !to_block->host)
      || (!from.device && from_block != NULL && !from_block->host)) {
    return INVALID_VALUE;
  }
  bool staged = !from.device && from_block == NULL;
  bool awaited = !to.device && to_block == NULL;
  struct operation *copy = allocate(sizeof *copy);
  copy->to = to.address;
  copy->from = from.address;
  copy->bytes = bytes;
  copy->upload = to.device && !from.device;
  copy->blocks[0] = to_block;
  copy->blocks[1] = from_block;
  if (staged) {
    copy->staged = allocate(bytes);
    memcpy(copy->staged, from.address, bytes);
  }
  trapped(&state.copy, &copy->failure);
  state.copies_pageable += staged || awaited;
  submit(stream, copy, NULL);
  if (awaited) {
    await(stream->latest);
    return surface();
  }
  return SUCCESS;
}

static CUresult copy(enum function function, struct end to, struct end from, size_t bytes,
                     CUstream handle) {
  struct call call;
  CUresult result = enter(function, IN_CONTEXT, &call);
  if (result == SUCCESS) {
    struct stream *stream = find_stream(handle, call.context);
    if (stream != NULL && !from.device && find_block(from.address) == NULL) {
      await(stream->latest);
      stream = find_stream(handle, call.context); /* which may have ended meanwhile */
    }
    if (stream == NULL) {
      result = INVALID_HANDLE;
    } else if (bytes > 0) {
      result = to.address == NULL || from.address == NULL ? INVALID_VALUE
                                                          : queue_copy(stream, to, from, bytes);
    }
  }
  return leave(&call, result);
}

static struct end host(const void *address) {
  return (struct end){.address = (void *)(uintptr_t)address, .device = false};
}

static struct end device(CUdeviceptr address) {
  return (struct end){.address = (void *)(uintptr_t)address, .device = true};
}

EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes,
                                     CUstream stream) {
  return copy(FN_cuMemcpyHtoDAsync, device(to), host(from), bytes, stream);
}

EXPORT CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                                     CUstream stream) {
  return copy(FN_cuMemcpyDtoDAsync, device(to), device(from), bytes, stream);
}

EXPORT CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return copy(FN_cuMemcpyDtoHAsync, host(to), device(from), bytes, stream);
}
