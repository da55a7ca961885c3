/*
 * What a test sets, counts and breaks: functions that no driver has; fake_cuda.h tells of the
 * whole. All of them may be called by any thread at any time, and none is counted as a call.
 */
#include <stdio.h>
#include <string.h>

#include "fake_cuda.h"

#define NAME_OF(name) #name,
static const char *const names[] = {FUNCTIONS(NAME_OF)};
#undef NAME_OF

/* Is this the event that a test has set a trap for? Then tells the result. */
bool trapped(struct trap *trap, CUresult *code) {
  if (trap->countdown == 0 || --trap->countdown > 0) {
    return false;
  }
  *code = trap->code;
  return true;
}

/* The number of a function, by the name that is exported or without its _v2; -1 for none. */
static int find_function(const char *name) {
  for (int i = 0; i < FUNCTION_COUNT; i++) {
    size_t length = strlen(names[i]);
    if (strncmp(name, names[i], length) == 0
        && (name[length] == '\0' || strcmp(name + length, "_v2") == 0)) {
      return i;
    }
  }
  return -1;
}

static void settle(void) {
  state.devices = 1;
  state.version = 12040;
  state.copy_nanos = 0;
  state.upload_nanos = 0;
  state.legacy_nanos = 0;
  state.legacy_paused = false;
  state.any_call = (struct trap){0};
  state.copy = (struct trap){0};
  memset(state.calls_of, 0, sizeof state.calls_of);
  changed();
}

__attribute__((constructor)) static void begin(void) {
  settle();
}

static int sum(const struct live *live) {
  return live->references + live->pushed + live->streams + live->events + live->pinned
         + live->device;
}

static void forget(void) {
  drop_blocks();
  state.initialized = false;
  state.lasting = SUCCESS;
  state.failure = SUCCESS;
  state.calls = 0;
  memset(state.calls_by_name, 0, sizeof state.calls_by_name);
  state.copies_pageable = 0;
  state.leaks = 0;
  state.leak[0] = '\0';
  state.violations = 0;
  state.violation[0] = '\0';
}

/* ---- beginning anew ---- */

/*
 * Makes the library what it was when it was loaded: uninitialised, one device, no delays, limits or
 * failures, all counters zero. Waits for streams that were destroyed to run out.
 *
 * Returns 0; or, having changed nothing, how many things are live.
 */
EXPORT int fake_cuda_reset(void) {
  lock();
  int live = sum(&state.live);
  if (live == 0) {
    settle();
    await_threads();
    forget();
  }
  unlock();
  return live;
}

/*
 * Resets whatever is live, for the sake of the test after one that failed. Memory that is live stays
 * readable, and no thread has a context any more.
 *
 * Returns how many things were live.
 */
EXPORT int fake_cuda_abandon(void) {
  lock();
  int live = sum(&state.live);
  settle();
  for (struct stream *each = state.streams; each != NULL; each = each->next) {
    each->paused = false;
  }
  for (int i = 0; i < MAX_DEVICES; i++) {
    if (state.contexts[i].references > 0) {
      state.contexts[i].references = 0;
      leave_context(&state.contexts[i]);
    }
  }
  state.live.references = 0;
  clear_stacks();
  await_threads();
  forget();
  unlock();
  return live;
}

/* ---- settings ---- */

/* How many devices there are, up to 64; returns -1 where a context is retained, or for other numbers. */
EXPORT int fake_cuda_set_devices(int devices) {
  lock();
  bool possible = devices >= 0 && devices <= MAX_DEVICES && state.live.references == 0;
  if (possible) {
    state.devices = devices;
  }
  unlock();
  return possible ? 0 : -1;
}

/* What cuDriverGetVersion tells: 1000 * major + 10 * minor. */
EXPORT void fake_cuda_set_driver_version(int version) {
  lock();
  state.version = version;
  unlock();
}

/* How long each copy lasts at least, in microseconds. */
EXPORT void fake_cuda_set_copy_delay(int64_t micros) {
  lock();
  state.copy_nanos = 1000 * micros;
  unlock();
}

/* How much longer copies from the host to a device last, in microseconds: a slow bus. */
EXPORT void fake_cuda_set_upload_delay(int64_t micros) {
  lock();
  state.upload_nanos = 1000 * micros;
  unlock();
}

/* How long each operation in a legacy stream lasts (longer), in microseconds: a busy stream. */
EXPORT void fake_cuda_set_legacy_delay(int64_t micros) {
  lock();
  state.legacy_nanos = 1000 * micros;
  unlock();
}

/* ---- holding things up ---- */

static int set_paused(CUstream handle, bool paused) {
  int result = -1;
  lock();
  if (handle == NULL) {
    state.legacy_paused = paused;
    result = 0;
  }
  for (struct stream *each = state.streams; each != NULL; each = each->next) {
    if (each->handle != 0 && each->handle == (uintptr_t)handle) {
      each->paused = paused;
      result = 0;
    }
  }
  changed();
  unlock();
  return result;
}

/* Keeps a stream from beginning anything, NULL for all legacy streams; returns -1 for no stream. */
EXPORT int fake_cuda_pause(CUstream stream) {
  return set_paused(stream, true);
}

/* Lets a stream go on, NULL for all legacy streams; returns -1 for no stream. */
EXPORT int fake_cuda_resume(CUstream stream) {
  return set_paused(stream, false);
}

/* ---- failures ---- */

/* Makes the number-th call from now return a code, 1 being the next; 0 for none. */
EXPORT void fake_cuda_fail_call(int64_t number, CUresult code) {
  lock();
  state.any_call = (struct trap){.countdown = number, .code = code};
  unlock();
}

/* The same for one function, by its name with or without _v2; returns -1 for an unknown one. */
EXPORT int fake_cuda_fail_call_of(const char *name, int64_t number, CUresult code) {
  int function = find_function(name);
  if (function >= 0) {
    lock();
    state.calls_of[function] = (struct trap){.countdown = number, .code = code};
    unlock();
  }
  return function >= 0 ? 0 : -1;
}

/* Makes the number-th copy from now fail in its stream; calls that wait tell of it later. */
EXPORT void fake_cuda_fail_copy(int64_t number, CUresult code) {
  lock();
  state.copy = (struct trap){.countdown = number, .code = code};
  unlock();
}

/* Makes all calls return a code from now on, as after a lasting error; 0 for an end of that. */
EXPORT void fake_cuda_poison(CUresult code) {
  lock();
  break_down(code);
  unlock();
}

/* ---- counters ---- */

/* How many calls were made, those for the names of errors left out. */
EXPORT int64_t fake_cuda_calls(void) {
  lock();
  int64_t calls = state.calls;
  unlock();
  return calls;
}

/* How many calls of a function were made; -1 for an unknown one. */
EXPORT int64_t fake_cuda_calls_of(const char *name) {
  int function = find_function(name);
  lock();
  int64_t calls = function < 0 ? -1 : state.calls_by_name[function];
  unlock();
  return calls;
}

/* The copies from or to pageable memory that were queued so far. */
EXPORT int64_t fake_cuda_pageable_copies(void) {
  lock();
  int64_t copies = state.copies_pageable;
  unlock();
  return copies;
}

/* What is live now: references to contexts, contexts pushed, and so on in the order of the struct. */
EXPORT void fake_cuda_live(struct live *live) {
  lock();
  *live = state.live;
  unlock();
}

/* How many things were left when their context was released; and the latest of them, in words. */
EXPORT int64_t fake_cuda_leaks(char *text, size_t size) {
  lock();
  int64_t leaks = state.leaks;
  snprintf(text, size, "%s", state.leak);
  unlock();
  return leaks;
}

/* How many violations there were; and the latest of them, in words. */
EXPORT int64_t fake_cuda_violations(char *text, size_t size) {
  lock();
  int64_t violations = state.violations;
  snprintf(text, size, "%s", state.violation);
  unlock();
  return violations;
}
