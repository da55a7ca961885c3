/*
 * How many values per second does C read from an LMDB file, in random order? The denominator for
 * every dataset over LMDB.
 *
 * One thread, one read transaction that is renewed for each pass, keys drawn from a shuffled list
 * of all keys: what a loader's worker does. The file is mapped, so a warm page cache is measured,
 * not the disk.
 *
 *     cc -O3 -o lmdb_random_read lmdb_random_read.c -llmdb
 *     lmdb_random_read --make DIR VALUES BYTES     a database of values of this size, always the same
 *     lmdb_random_read DIR_OR_FILE
 *
 * The second prints
 *
 *     ready VALUES MEAN_BYTES LIBRARY
 *
 * and then answers each line of its input with one line, until the input ends:
 *
 *     run MODE SECONDS     VALUES CPU_SECONDS     goes through all values, in an order that is new
 *                                                 each time, until its thread has used this CPU time
 *     anything else        error REASON
 *
 * The modes:
 *
 *     touch   reads a word of each cache line of a value where it lies
 *     copy    copies a value into a buffer, as a loader must that hands out bytes
 *
 * For a figure by hand: echo "run touch 2" | lmdb_random_read DIR
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#include <lmdb.h>

enum { CACHE_LINE = 64 };

struct database {
  MDB_env *env;
  MDB_txn *txn;
  MDB_dbi dbi;
  MDB_val *keys; /* copies, for a renewed transaction may see other pages */
  size_t count;
  size_t longest; /* value, in bytes */
  double mean;
  unsigned char *buffer;
  uint64_t random;
  uint64_t sum; /* of what was read, so that the reading cannot be left out */
};

static _Noreturn void fail(const char *what, const char *reason) {
  fprintf(stderr, "lmdb_random_read: %s: %s\n", what, reason);
  exit(1);
}

static void check(const char *what, int code) {
  if (code != MDB_SUCCESS) {
    fail(what, mdb_strerror(code));
  }
}

static void *allocate(size_t bytes) {
  void *memory = malloc(bytes > 0 ? bytes : 1);
  if (memory == NULL) {
    fail("memory", strerror(errno));
  }
  return memory;
}

static double cpu_seconds(void) {
  struct timespec time;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) {
    fail("clock_gettime", strerror(errno));
  }
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Steele, Lea and Flood's SplitMix64, the generator of Java's SplittableRandom. */
static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

/* ---- making ---- */

static size_t number(const char *what, const char *text) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (errno != 0 || *text == '-' || end == text || *end != '\0' || value == 0 ||
      value > SIZE_MAX) {
    fail(what, "must be a whole number, 1 or more");
  }
  return (size_t)value;
}

static void make(const char *directory, size_t count, size_t bytes) {
  if (bytes > UINT32_MAX || count > SIZE_MAX / 2 / (bytes + 8192)) {
    fail(directory, "more than LMDB can hold");
  }
  if (mkdir(directory, 0777) != 0) {
    fail(directory, strerror(errno));
  }
  MDB_env *env;
  MDB_txn *txn;
  MDB_dbi dbi;
  check("mdb_env_create", mdb_env_create(&env));
  /* Each value has pages of its own, 4 KiB each, and its part of a leaf. */
  check("mdb_env_set_mapsize", mdb_env_set_mapsize(env, count * (bytes + 8192) + (1 << 20)));
  check(directory, mdb_env_open(env, directory, 0, 0666));
  check("mdb_txn_begin", mdb_txn_begin(env, NULL, 0, &txn));
  check("mdb_dbi_open", mdb_dbi_open(txn, NULL, 0, &dbi));
  uint64_t *words = allocate(bytes + sizeof(uint64_t));
  uint64_t random = 0;
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k <= bytes / sizeof(uint64_t); k++) {
      words[k] = next_random(&random);
    }
    char text[32];
    int length = snprintf(text, sizeof text, "%010zu", i);
    MDB_val key = {.mv_size = (size_t)length, .mv_data = text};
    MDB_val value = {.mv_size = bytes, .mv_data = words};
    check("mdb_put", mdb_put(txn, dbi, &key, &value, MDB_APPEND));
  }
  check("mdb_txn_commit", mdb_txn_commit(txn));
  mdb_env_close(env);
  free(words);
}

/* ---- reading ---- */

static void list_keys(struct database *database) {
  MDB_stat stat;
  check("mdb_stat", mdb_stat(database->txn, database->dbi, &stat));
  database->keys = allocate(stat.ms_entries * sizeof(MDB_val));
  MDB_cursor *cursor;
  check("mdb_cursor_open", mdb_cursor_open(database->txn, database->dbi, &cursor));
  MDB_val key, value;
  double bytes = 0;
  int code;
  while ((code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == MDB_SUCCESS) {
    MDB_val copy = {.mv_size = key.mv_size, .mv_data = allocate(key.mv_size)};
    memcpy(copy.mv_data, key.mv_data, key.mv_size);
    database->keys[database->count++] = copy;
    database->longest = value.mv_size > database->longest ? value.mv_size : database->longest;
    bytes += (double)value.mv_size;
  }
  if (code != MDB_NOTFOUND) {
    check("mdb_cursor_get", code);
  }
  mdb_cursor_close(cursor);
  database->mean = bytes / (double)database->count;
}

static void open_database(struct database *database, const char *path) {
  struct stat stat_of_path;
  if (stat(path, &stat_of_path) != 0) {
    fail(path, strerror(errno));
  }
  unsigned flags = MDB_RDONLY | (S_ISDIR(stat_of_path.st_mode) ? 0u : MDB_NOSUBDIR);
  check("mdb_env_create", mdb_env_create(&database->env));
  check(path, mdb_env_open(database->env, path, flags, 0));
  check("mdb_txn_begin", mdb_txn_begin(database->env, NULL, MDB_RDONLY, &database->txn));
  check("mdb_dbi_open", mdb_dbi_open(database->txn, NULL, 0, &database->dbi));
  list_keys(database);
  if (database->count == 0) {
    fail(path, "the database is empty");
  }
  database->buffer = allocate(database->longest);
}

static void shuffle(struct database *database) {
  for (size_t i = database->count - 1; i > 0; i--) {
    size_t k = (size_t)(next_random(&database->random) % (i + 1));
    MDB_val key = database->keys[i];
    database->keys[i] = database->keys[k];
    database->keys[k] = key;
  }
}

typedef void (*mode)(struct database *, const MDB_val *);

static void touch(struct database *database, const MDB_val *value) {
  const unsigned char *bytes = value->mv_data;
  uint64_t sum = 0;
  for (size_t i = 0; i + sizeof(uint64_t) <= value->mv_size; i += CACHE_LINE) {
    uint64_t word;
    memcpy(&word, bytes + i, sizeof word);
    sum += word;
  }
  database->sum += sum;
}

static void copy(struct database *database, const MDB_val *value) {
  memcpy(database->buffer, value->mv_data, value->mv_size);
  database->sum += database->buffer[value->mv_size / 2];
}

static mode mode_of(const char *name) {
  return strcmp(name, "touch") == 0 ? touch : strcmp(name, "copy") == 0 ? copy : NULL;
}

static void run(struct database *database, mode mode, double seconds) {
  size_t values = 0;
  double used = 0;
  do {
    shuffle(database); /* not counted */
    double start = cpu_seconds();
    mdb_txn_reset(database->txn);
    check("mdb_txn_renew", mdb_txn_renew(database->txn));
    for (size_t i = 0; i < database->count; i++) {
      MDB_val value;
      check("mdb_get", mdb_get(database->txn, database->dbi, &database->keys[i], &value));
      mode(database, &value);
    }
    values += database->count;
    used += cpu_seconds() - start;
  } while (used < seconds);
  printf("%zu %.9f\n", values, used);
}

static void serve(struct database *database) {
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  while ((length = getline(&line, &room, stdin)) > 0) {
    char name[16];
    double seconds;
    if (sscanf(line, "run %15s %lf", name, &seconds) == 2 && mode_of(name) != NULL) {
      run(database, mode_of(name), seconds);
    } else {
      printf("error not understood: %s%s", line, line[length - 1] == '\n' ? "" : "\n");
    }
    fflush(stdout);
  }
  free(line);
}

int main(int argc, char **argv) {
  if (argc == 5 && strcmp(argv[1], "--make") == 0) {
    make(argv[2], number("VALUES", argv[3]), number("BYTES", argv[4]));
    return 0;
  }
  if (argc != 2) {
    fail("usage", "lmdb_random_read --make DIR VALUES BYTES, or lmdb_random_read DIR_OR_FILE");
  }
  struct database database = {0};
  open_database(&database, argv[1]);
  printf("ready %zu %.0f LMDB %d.%d.%d\n", database.count, database.mean, MDB_VERSION_MAJOR,
         MDB_VERSION_MINOR, MDB_VERSION_PATCH);
  fflush(stdout);
  serve(&database);
  fprintf(stderr, "checksum of what was read: %" PRIu64 "\n", database.sum);
  mdb_txn_abort(database.txn);
  mdb_env_close(database.env);
  return 0;
}
