/*
 * What runs behind the driver's functions; fake_cuda.h tells of the whole.
 *
 * One lock guards everything, and one condition is signalled whenever anything changes: there are
 * few threads, and none of them is in a hurry. Only the copying itself, and the time that it is
 * told to last, are outside the lock.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fake_cuda.h"

struct state state;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

void lock(void) {
  pthread_mutex_lock(&mutex);
}

void unlock(void) {
  pthread_mutex_unlock(&mutex);
}

void changed(void) {
  pthread_cond_broadcast(&condition);
}

void await_change(void) {
  pthread_cond_wait(&condition, &mutex);
}

void *allocate(size_t bytes) {
  void *memory = calloc(1, bytes);
  if (memory == NULL) {
    fprintf(stderr, "fake_cuda: no memory for %zu bytes\n", bytes);
    abort();
  }
  return memory;
}

uint64_t new_handle(void) {
  static uint64_t last = 0xFA4E00000000;
  return last += 16;
}

void violate(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(state.violation, sizeof state.violation, format, arguments);
  va_end(arguments);
  state.violations++;
}

/* From now on all calls return this code, and what is queued ends at once. */
void break_down(CUresult code) {
  state.lasting = code;
  changed();
}

bool is_broken(void) {
  return state.lasting != SUCCESS || is_lasting(state.failure);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void last_for(int64_t nanos) {
  struct timespec rest = {.tv_sec = nanos / 1000000000, .tv_nsec = nanos % 1000000000};
  while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
  }
}

/* Puts a point into a place, which holds it from then on in place of what it held. */
void hold(struct completion **place, struct completion *point) {
  struct completion *old = *place;
  if (point != NULL) {
    point->holders++;
  }
  *place = point;
  if (old != NULL && --old->holders == 0) {
    free(old);
  }
}

void await(struct completion *point) {
  struct completion *held = NULL;
  hold(&held, point);
  while (held != NULL && !held->done) {
    await_change();
  }
  hold(&held, NULL);
}

void await_threads(void) {
  while (state.threads > 0) {
    await_change();
  }
}

/* Has the stream's next operation nothing left to wait for? */
static bool may_start(const struct stream *stream, const struct operation *operation) {
  if (is_broken()) {
    return true;
  }
  if (stream->paused || (stream->handle == 0 && state.legacy_paused)) {
    return false;
  }
  for (const struct dependency *each = operation->after; each != NULL; each = each->next) {
    if (!each->on->done) {
      return false;
    }
  }
  return true;
}

static int64_t duration(const struct stream *stream, const struct operation *operation) {
  if (is_broken()) {
    return 0;
  }
  int64_t nanos = stream->handle == 0 ? state.legacy_nanos : 0;
  if (operation->bytes > 0) {
    nanos += state.copy_nanos + (operation->upload ? state.upload_nanos : 0);
  }
  return nanos;
}

/* Takes as long as it is told to, then touches the bytes, all at once and at the end. */
static void execute(const struct stream *stream, const struct operation *operation) {
  bool copies = operation->bytes > 0;
  int64_t nanos = duration(stream, operation);
  unlock();
  if (nanos > 0) {
    last_for(nanos);
  }
  lock();
  if (!copies) {
    return;
  }
  if (operation->failure != SUCCESS && state.failure == SUCCESS) {
    state.failure = operation->failure;
    changed();
  }
  if (operation->failure == SUCCESS && !is_broken()) {
    unlock();
    memcpy(operation->to, operation->staged != NULL ? operation->staged : operation->from,
           operation->bytes);
    lock();
  }
}

static void free_operation(struct operation *operation) {
  while (operation->after != NULL) {
    struct dependency *first = operation->after;
    operation->after = first->next;
    hold(&first->on, NULL);
    free(first);
  }
  for (int i = 0; i < 2; i++) {
    if (operation->blocks[i] != NULL) {
      release_block(operation->blocks[i]);
    }
  }
  hold(&operation->done, NULL);
  free(operation->staged);
  free(operation);
}

static void unlink_stream(struct stream *stream) {
  struct stream **place = &state.streams;
  while (*place != stream) {
    place = &(*place)->next;
  }
  *place = stream->next;
}

static void *run(void *argument) {
  struct stream *stream = argument;
  lock();
  while (stream->first != NULL || !stream->closed) {
    struct operation *operation = stream->first;
    if (operation == NULL || !may_start(stream, operation)) {
      await_change();
      continue;
    }
    execute(stream, operation);
    stream->first = operation->next;
    operation->done->done = true;
    operation->done->nanos = now();
    free_operation(operation);
    changed();
  }
  unlink_stream(stream);
  hold(&stream->latest, NULL);
  free(stream);
  state.threads--;
  changed();
  unlock();
  return NULL;
}

/* Starts a stream's thread, which frees the stream in the end. Or frees it and says no. */
bool start_stream(struct stream *stream) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  bool started = pthread_create(&thread, &attributes, run, stream) == 0;
  pthread_attr_destroy(&attributes);
  if (started) {
    stream->next = state.streams;
    state.streams = stream;
    state.threads++;
  } else {
    free(stream);
  }
  return started;
}

void close_stream(struct stream *stream) {
  stream->closed = true;
  changed();
}

static struct stream *legacy_stream(struct context *context) {
  if (context->legacy == NULL) {
    struct stream *stream = allocate(sizeof *stream);
    stream->context = context;
    context->legacy = start_stream(stream) ? stream : NULL;
  }
  return context->legacy;
}

/* The stream of a handle, the context's own for the reserved ones; NULL for none. */
struct stream *find_stream(CUstream handle, struct context *context) {
  uint64_t wanted = (uint64_t)(uintptr_t)handle;
  if (wanted <= 2) {
    return legacy_stream(context);
  }
  for (struct stream *each = state.streams; each != NULL; each = each->next) {
    if (each->handle == wanted && !each->closed) {
      return each;
    }
  }
  return NULL;
}

static void depend(struct operation *operation, struct completion *point) {
  if (point == NULL || point->done) {
    return;
  }
  struct dependency *dependency = allocate(sizeof *dependency);
  hold(&dependency->on, point);
  dependency->next = operation->after;
  operation->after = dependency;
}

/* The legacy stream waits for the blocking ones of its context, and they for it. */
static void depend_on_neighbours(struct operation *operation, const struct stream *stream) {
  if (stream->handle == 0) {
    for (struct stream *each = state.streams; each != NULL; each = each->next) {
      if (each->handle != 0 && each->context == stream->context
          && (each->flags & STREAM_NON_BLOCKING) == 0) {
        depend(operation, each->latest);
      }
    }
  } else if ((stream->flags & STREAM_NON_BLOCKING) == 0 && stream->context->legacy != NULL) {
    depend(operation, stream->context->legacy->latest);
  }
}

/*
 * Appends an operation to a stream, which frees it when it is done.
 *
 * after: what it waits for beside what its stream's order demands, or NULL
 */
void submit(struct stream *stream, struct operation *operation, struct completion *after) {
  hold(&operation->done, allocate(sizeof *operation->done));
  depend(operation, after);
  depend_on_neighbours(operation, stream);
  hold(&stream->latest, operation->done);
  if (stream->first == NULL) {
    stream->first = operation;
  } else {
    stream->last->next = operation;
  }
  stream->last = operation;
  for (int i = 0; i < 2; i++) {
    if (operation->blocks[i] != NULL) {
      operation->blocks[i]->copies++;
    }
  }
  changed();
}

void destroy_event(struct event *event) {
  struct event **place = &state.events;
  while (*place != event) {
    place = &(*place)->next;
  }
  *place = event->next;
  hold(&event->recorded, NULL);
  free(event);
  state.live.events--;
}

/* Ends what belongs to a context that nobody retains any more, and counts it as leaked. */
void leave_context(struct context *context) {
  int streams = 0;
  int events = 0;
  int blocks = 0;
  for (struct stream *each = state.streams; each != NULL; each = each->next) {
    if (each->context == context) {
      if (each->handle != 0 && !each->closed) {
        streams++;
        state.live.streams--;
      }
      each->context = NULL;
      each->closed = true;
    }
  }
  for (struct event *each = state.events, *next; each != NULL; each = next) {
    next = each->next;
    if (each->context == context) {
      events++;
      destroy_event(each);
    }
  }
  for (struct block *each = state.blocks; each != NULL; each = each->next) {
    if (each->context == context && !each->freed) {
      blocks++;
      forget_block(each);
    }
  }
  if (streams + events + blocks > 0) {
    state.leaks += streams + events + blocks;
    snprintf(state.leak, sizeof state.leak,
             "the context of device %d was released with %d streams, %d events and %d blocks of"
             " memory",
             (int)(context - state.contexts), streams, events, blocks);
  }
  context->handle = 0;
  context->legacy = NULL;
  changed();
}
