/*
 * A functional fake of the CUDA driver, libcuda.so.1, for tests on machines that have none.
 *
 *     gcc -std=c11 -O2 -Wall -Wextra -Werror -fPIC -fvisibility=hidden -shared -pthread
 *         -Wl,-soname,libcuda.so.1 -Wl,-z,nodelete -o libcuda.so.1 *.c
 *
 *     driver.c    the functions of the driver: contexts, streams, events, memory, copies
 *     engine.c    what runs behind them: a thread for each stream, and what waits for what
 *     memory.c    page-locked and device memory
 *     errors.c    the names of the results, and which of them are for ever
 *     control.c   fake_cuda_*: what a test sets, counts and breaks
 *
 * It is written after the driver API's reference manual, and no GPU was asked. Where the manual
 * leaves a choice the fake takes the one that forgives less.
 *
 * What it models
 *
 * Streams run asynchronously, each in a thread of its own, in the order of submission. The legacy
 * stream of a context (handle 0 or 1; 2, the per-thread one, is the same here) waits for what was
 * submitted to the blocking streams before, and they for it; streams made with
 * CU_STREAM_NON_BLOCKING neither wait for it nor hold it up.
 *
 * A copy between page-locked and device memory touches both when the stream gets to it, at the end
 * of the time that a test makes it last. From pageable memory the stream is synchronised, the bytes
 * are put aside, and the call returns; to pageable memory it returns when they are there.
 *
 * Freeing device memory waits for the copies that need it; freeing page-locked memory does not.
 *
 * Waiting for an event means its latest record at the time of the call, and nothing if there is
 * none. Contexts are the devices' primary ones, with reference counts; each thread has its own
 * stack of current ones.
 *
 * Handles are numbers: looked up and never followed, and never given twice. Freed memory is never
 * given again either, so whoever touches it meets a fault, and a copy that names it is refused.
 *
 * The results named in errors.c as lasting are for ever: once a call has returned one, each later
 * call does, except those for the names of errors, and pushing and popping, which only concern the
 * calling thread. What is queued then ends at once and without effect. A function that gives
 * something back (destroys, frees, releases, pops) or that waits does so even then, and also when a
 * test makes it fail: so a test can break any call, and still demand that nothing is left.
 *
 * Violations
 *
 * Some mistakes have no result in the driver: page-locked memory freed while a queued copy needs
 * it, a thread that ends with a context pushed. They are counted, and the latest is kept in words. So is the use
 * of what the fake does not model.
 *
 * What it does not model
 *
 * Kernels, modules, graphs, managed and registered memory, contexts other than primary ones, peer
 * access, callbacks, and the time that anything takes on a GPU. Device memory is ordinary memory,
 * and any address outside what was allocated here may stand for device memory as well: that is how
 * an array of a CPU engine becomes "a tensor on the device". New memory holds FRESH in each byte.
 */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef void *CUcontext;
typedef void *CUstream;
typedef void *CUevent;

enum {
  SUCCESS = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  NO_DEVICE = 100,
  INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201,
  INVALID_HANDLE = 400,
  NOT_READY = 600,
  CONTEXT_IS_DESTROYED = 709
};

enum { STREAM_NON_BLOCKING = 1 };
enum { EVENT_BLOCKING_SYNC = 1, EVENT_DISABLE_TIMING = 2, EVENT_INTERPROCESS = 4 };
enum { HOST_PORTABLE = 1, HOST_DEVICEMAP = 2, HOST_WRITECOMBINED = 4 };
enum { ATTRIBUTE_MEMORY_TYPE = 2, MEMORY_TYPE_HOST = 1, MEMORY_TYPE_DEVICE = 2 };

enum { MAX_DEVICES = 64, TEXT = 512, FRESH = 0xA5 };

/* Every function that is counted and can be made to fail. */
#define FUNCTIONS(X)             \
  X(cuInit)                      \
  X(cuDriverGetVersion)          \
  X(cuDeviceGetCount)            \
  X(cuDeviceGet)                 \
  X(cuDeviceGetName)             \
  X(cuDeviceGetPCIBusId)         \
  X(cuDevicePrimaryCtxRetain)    \
  X(cuDevicePrimaryCtxRelease)   \
  X(cuCtxPushCurrent)            \
  X(cuCtxPopCurrent)             \
  X(cuCtxGetStreamPriorityRange) \
  X(cuMemHostAlloc)              \
  X(cuMemFreeHost)               \
  X(cuMemAlloc)                  \
  X(cuMemFree)                   \
  X(cuPointerGetAttribute)       \
  X(cuStreamCreateWithPriority)  \
  X(cuStreamDestroy)             \
  X(cuStreamSynchronize)         \
  X(cuStreamWaitEvent)           \
  X(cuEventCreate)               \
  X(cuEventDestroy)              \
  X(cuEventRecord)               \
  X(cuEventQuery)                \
  X(cuEventSynchronize)          \
  X(cuEventElapsedTime)          \
  X(cuMemcpyHtoDAsync)           \
  X(cuMemcpyDtoDAsync)           \
  X(cuMemcpyDtoHAsync)

#define NUMBER_OF(name) FN_##name,
enum function { FUNCTIONS(NUMBER_OF) FUNCTION_COUNT };
#undef NUMBER_OF

/* A point in a stream: whoever waits for anything waits for one of these. Counts its holders. */
struct completion {
  int holders;
  bool done;
  int64_t nanos; /* when it was reached */
};

/* A primary context: one for each device, active while it is retained. */
struct context {
  uint64_t handle; /* a new one each time that it becomes active */
  int references;
  struct stream *legacy; /* NULL until it is first used */
};

struct dependency {
  struct dependency *next;
  struct completion *on;
};

struct operation {
  struct operation *next;
  struct dependency *after;
  struct completion *done;
  void *to;
  const void *from;
  size_t bytes;  /* 0 for what copies nothing */
  bool upload;   /* from the host to a device */
  void *staged;  /* what a copy from pageable memory was put aside in, else NULL */
  struct block *blocks[2]; /* those that a copy needs, or NULL */
  CUresult failure; /* what a test makes of it */
};

struct stream {
  struct stream *next;
  uint64_t handle; /* 0 for a legacy stream */
  struct context *context; /* NULL once that is gone */
  unsigned flags;
  int priority;
  bool closed; /* ends when it has done what was submitted */
  bool paused;
  struct operation *first;
  struct operation *last;
  struct completion *latest; /* of the last operation submitted, or NULL */
};

struct event {
  struct event *next;
  uint64_t handle;
  struct context *context;
  unsigned flags;
  struct completion *recorded; /* NULL until it is first recorded */
};

/* Page-locked or device memory. A freed block stays in the list, out of bounds for all. */
struct block {
  struct block *next;
  unsigned char *address;
  size_t bytes;
  size_t mapped; /* whole pages */
  bool host;
  unsigned flags;
  struct context *context;
  bool freed;
  int copies; /* queued ones that need it */
};

/* A failure that a test asked for: of the call, or copy, that brings the countdown to zero. */
struct trap {
  int64_t countdown; /* 0 for none */
  CUresult code;
};

/* The contexts current to a thread, the last on top. */
struct stack {
  struct stack *next;
  int depth;
  int capacity;
  uint64_t *contexts;
};

/* A test reads this struct as it lies. */
struct live {
  int references; /* to contexts */
  int pushed;     /* contexts on the threads' stacks */
  int streams;
  int events;
  int pinned;
  int device;
};

/* All there is, under the one lock. */
struct state {
  /* what a test sets */
  int devices;
  int version;
  int64_t copy_nanos;
  int64_t upload_nanos;
  int64_t legacy_nanos;
  bool legacy_paused;
  struct trap any_call;
  struct trap calls_of[FUNCTION_COUNT];
  struct trap copy;

  /* what has happened */
  bool initialized;
  CUresult lasting; /* what every call returns from now on, or SUCCESS */
  CUresult failure; /* of a copy, that no call has told of yet, or SUCCESS */
  int64_t calls;
  int64_t calls_by_name[FUNCTION_COUNT];
  int64_t copies_pageable;
  int64_t leaks;
  char leak[TEXT];
  int64_t violations;
  char violation[TEXT];

  /* what there is */
  struct live live;
  int threads;
  struct context contexts[MAX_DEVICES];
  struct stream *streams; /* also closed ones that still run */
  struct event *events;
  struct block *blocks;
  struct stack *stacks;
};

extern struct state state;

/* engine.c */
void lock(void);
void unlock(void);
void changed(void);
void await_change(void);
void await(struct completion *point);
void await_threads(void);
void break_down(CUresult code);
bool is_broken(void);
uint64_t new_handle(void);
void *allocate(size_t bytes);
void violate(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool start_stream(struct stream *stream);
void close_stream(struct stream *stream);
struct stream *find_stream(CUstream handle, struct context *context);
void submit(struct stream *stream, struct operation *operation, struct completion *after);
void hold(struct completion **place, struct completion *point);
void destroy_event(struct event *event);
void leave_context(struct context *context);

/* memory.c */
CUresult allocate_block(struct context *context, size_t bytes, bool host, unsigned flags,
                        void **address);
CUresult free_block(void *address, bool host);
void release_block(struct block *block);
void forget_block(struct block *block);
struct block *find_block(const void *address);
CUresult check_range(const void *address, size_t bytes, struct block **block);
void drop_blocks(void);

/* errors.c */
bool is_lasting(CUresult code);

/* driver.c */
void clear_stacks(void);

/* control.c */
bool trapped(struct trap *trap, CUresult *code);

#endif
