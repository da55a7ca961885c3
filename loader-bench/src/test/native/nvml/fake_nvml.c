/*
 * A functional fake of NVIDIA's management library, libnvidia-ml.so.1, for tests on machines that
 * have none.
 *
 *     gcc -std=c11 -O2 -Wall -Wextra -Werror -fPIC -fvisibility=hidden -shared -pthread
 *         -Wl,-soname,libnvidia-ml.so.1 -Wl,-z,nodelete -o libnvidia-ml.so.1 fake_nvml.c
 *
 * It is written after the NVML API's reference manual, and no GPU was asked. It has the first two
 * GPUs of the fake driver beside it, in the opposite order; the one of ordinal 0 keeps samples, the
 * other does not. A test makes them measure with fake_nvml_measure; after fake_nvml_silence a GPU
 * promises samples and has none, as on some virtual machines.
 *
 * What it does not model: everything but utilisation and memory, permissions, processes.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef int nvmlReturn_t;
typedef struct gpu *nvmlDevice_t;

enum {
  SUCCESS = 0,
  UNINITIALIZED = 1,
  INVALID_ARGUMENT = 2,
  NOT_SUPPORTED = 3,
  NOT_FOUND = 6
};

enum { GPU_UTILIZATION_SAMPLES = 1 };
enum { VALUE_UNSIGNED_INT = 1 };

typedef union {
  double dVal;
  int siVal;
  unsigned int uiVal;
  unsigned long ulVal;
  unsigned long long ullVal;
  signed long long sllVal;
  unsigned short usVal;
} nvmlValue_t;

typedef struct {
  unsigned long long timeStamp;
  nvmlValue_t sampleValue;
} nvmlSample_t;

typedef struct {
  unsigned int gpu;
  unsigned int memory;
} nvmlUtilization_t;

typedef struct {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
} nvmlMemory_t;

enum { GPUS = 2, REMEMBERED = 8 };

static struct gpu {
  unsigned int domain, bus;
  int keeps_samples, silent;
  unsigned int now;
  int samples;
  nvmlSample_t sample[REMEMBERED]; /* the oldest first */
} gpus[GPUS] = {{.bus = 2, .keeps_samples = 0}, {.bus = 1, .keeps_samples = 1}};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int users;

/* The GPU of a handle, or NULL. */
static struct gpu *known(nvmlDevice_t device) {
  for (int i = 0; i < GPUS; i++) {
    if (device == &gpus[i]) {
      return device;
    }
  }
  return NULL;
}

/* What every function begins with: the lock, and whether it may go on. */
static nvmlReturn_t begin(nvmlDevice_t device) {
  pthread_mutex_lock(&mutex);
  return users == 0 ? UNINITIALIZED : known(device) == NULL ? INVALID_ARGUMENT : SUCCESS;
}

static nvmlReturn_t end(nvmlReturn_t result) {
  pthread_mutex_unlock(&mutex);
  return result;
}

EXPORT nvmlReturn_t nvmlInit_v2(void) {
  pthread_mutex_lock(&mutex);
  users++;
  return end(SUCCESS);
}

EXPORT nvmlReturn_t nvmlShutdown(void) {
  pthread_mutex_lock(&mutex);
  if (users == 0) {
    return end(UNINITIALIZED);
  }
  users--;
  return end(SUCCESS);
}

EXPORT const char *nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
    case SUCCESS:
      return "Success";
    case UNINITIALIZED:
      return "Uninitialized";
    case INVALID_ARGUMENT:
      return "Invalid Argument";
    case NOT_SUPPORTED:
      return "Not Supported";
    case NOT_FOUND:
      return "Not Found";
    default:
      return "Unknown Error";
  }
}

/* "domain:bus:device.function" in hexadecimal; the fake's GPUs are all device 0, function 0. */
EXPORT nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvmlDevice_t *device) {
  pthread_mutex_lock(&mutex);
  if (users == 0) {
    return end(UNINITIALIZED);
  }
  if (id == NULL || device == NULL) {
    return end(INVALID_ARGUMENT);
  }
  char *rest;
  unsigned long domain = strtoul(id, &rest, 16);
  if (*rest != ':') {
    return end(INVALID_ARGUMENT);
  }
  unsigned long bus = strtoul(rest + 1, &rest, 16);
  if (strcmp(rest, ":00.0") != 0) {
    return end(INVALID_ARGUMENT);
  }
  for (int i = 0; i < GPUS; i++) {
    if (gpus[i].domain == domain && gpus[i].bus == bus) {
      *device = &gpus[i];
      return end(SUCCESS);
    }
  }
  return end(NOT_FOUND);
}

EXPORT nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t *rates) {
  nvmlReturn_t result = begin(device);
  if (result == SUCCESS && rates == NULL) {
    result = INVALID_ARGUMENT;
  }
  if (result == SUCCESS) {
    rates->gpu = device->now;
    rates->memory = device->now / 2;
  }
  return end(result);
}

EXPORT nvmlReturn_t nvmlDeviceGetSamples(nvmlDevice_t device, int type,
                                         unsigned long long last_seen, int *value_type,
                                         unsigned int *count, nvmlSample_t *samples) {
  nvmlReturn_t result = begin(device);
  if (result != SUCCESS) {
    return end(result);
  }
  if (type != GPU_UTILIZATION_SAMPLES || value_type == NULL || count == NULL) {
    return end(INVALID_ARGUMENT);
  }
  if (!device->keeps_samples) {
    return end(NOT_SUPPORTED);
  }
  *value_type = VALUE_UNSIGNED_INT;
  if (samples == NULL) {
    *count = REMEMBERED;
    return end(SUCCESS);
  }
  unsigned int given = 0;
  for (int i = 0; i < device->samples && given < *count; i++) {
    if (device->sample[i].timeStamp > last_seen) {
      samples[given++] = device->sample[i];
    }
  }
  *count = given;
  return end(given == 0 ? NOT_FOUND : SUCCESS);
}

EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory) {
  nvmlReturn_t result = begin(device);
  if (result == SUCCESS && memory == NULL) {
    result = INVALID_ARGUMENT;
  }
  if (result == SUCCESS) {
    memory->total = 80ULL << 30;
    memory->free = 60ULL << 30;
    memory->used = 20ULL << 30;
  }
  return end(result);
}

/* Has the GPU of a CUDA ordinal measure: `percent` busy, at a moment later than all before. */
EXPORT void fake_nvml_measure(int ordinal, int64_t micros, int percent) {
  pthread_mutex_lock(&mutex);
  struct gpu *gpu = &gpus[GPUS - 1 - ordinal];
  gpu->now = (unsigned)percent;
  if (gpu->silent) {
    pthread_mutex_unlock(&mutex);
    return;
  }
  if (gpu->samples == REMEMBERED) {
    memmove(gpu->sample, gpu->sample + 1, (REMEMBERED - 1) * sizeof *gpu->sample);
    gpu->samples--;
  }
  nvmlSample_t *sample = &gpu->sample[gpu->samples++];
  memset(sample, 0xA5, sizeof *sample); /* the union's other bytes are anything */
  sample->timeStamp = (unsigned long long)micros;
  sample->sampleValue.uiVal = (unsigned)percent;
  pthread_mutex_unlock(&mutex);
}

/* Has the GPU of a CUDA ordinal keep its samples for itself, until fake_nvml_reset. */
EXPORT void fake_nvml_silence(int ordinal) {
  pthread_mutex_lock(&mutex);
  gpus[GPUS - 1 - ordinal].silent = 1;
  pthread_mutex_unlock(&mutex);
}

/* Forgets what was measured, so that the next test begins anew. */
EXPORT void fake_nvml_reset(void) {
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < GPUS; i++) {
    gpus[i].now = 0;
    gpus[i].samples = 0;
    gpus[i].silent = 0;
  }
  pthread_mutex_unlock(&mutex);
}

/* How many nvmlInit there were without their nvmlShutdown. */
EXPORT int fake_nvml_users(void) {
  pthread_mutex_lock(&mutex);
  int count = users;
  pthread_mutex_unlock(&mutex);
  return count;
}
