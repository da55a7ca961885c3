/*
 * What C makes of a JPEG file in the same time: the denominator of io.feedline.bench.AgainstNative.
 *
 * For each picture: libjpeg-turbo decodes the crop and skips what lies around it, then the crop is
 * scaled to 224 x 224, mirrored if wanted, normalised with ImageNet's statistics and stored as
 * three planes of floats. One thread, no file is read while the clock runs, nothing is allocated
 * for a picture that is not larger than those before it. The loops are those that one would write
 * first, shaped so that the compiler vectorises the vertical half.
 *
 *     cc -O3 -o jpeg_reference jpeg_reference.c -ljpeg -lm
 *     jpeg_reference LIST
 *
 * Each line of LIST is "X Y WIDTH HEIGHT FLIP PATH": a crop in pixels, 0 or 1, and the file's name,
 * which may contain spaces. When all files are in memory the program prints
 *
 *     ready PICTURES LIBRARY
 *
 * and then answers each line of its input with one line, until the input ends:
 *
 *     run MODE SECONDS       IMAGES CPU_SECONDS     goes through the whole list until its thread has
 *                                                   used this CPU time
 *     dump MODE INDEX FILE   dumped BYTES           writes what a mode makes of one picture
 *     anything else          error REASON
 *
 * The modes:
 *
 *     antialias   the triangle filter, as wide as the reduction: Pillow's BILINEAR, in floats
 *     bilinear    the two nearest rows and columns, whatever the reduction
 *     decode      the crop as RGB bytes, no more
 *     full        the whole picture as RGB bytes
 *
 * A file that cannot be read or decoded ends the program with its name on standard error.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include <jpeglib.h>

#ifdef LIBJPEG_TURBO_VERSION
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define LIBRARY "libjpeg-turbo " TEXT(LIBJPEG_TURBO_VERSION)
#else
#error "jpeglib.h is not libjpeg-turbo's, which alone can skip what lies around a crop"
#endif

enum {
  SIDE = 224,
  CHANNELS = 3,
  RESULT = CHANNELS * SIDE * SIDE,
  /* Results go to one row of a batch after the other, as a loader's do. */
  BATCH = 64
};

/* (value / 255 - mean) / std as value * scale + bias. */
static const float SCALE[CHANNELS] = {1 / (255 * 0.229f), 1 / (255 * 0.224f), 1 / (255 * 0.225f)};
static const float BIAS[CHANNELS] = {-0.485f / 0.229f, -0.456f / 0.224f, -0.406f / 0.225f};

struct picture {
  char *path;
  unsigned char *bytes;
  size_t length;
  unsigned x, y, width, height;
  int flip;
};

struct pictures {
  struct picture *items;
  size_t count, room;
};

/* Pixels within the buffer that was decoded into: RGB, interleaved. */
struct pixels {
  const unsigned char *first;
  size_t stride;
  unsigned width, height;
};

/* Which pixels of an axis make each pixel of the scaled axis: count[i] from first[i] on. */
struct taps {
  unsigned first[SIDE], count[SIDE];
  float *weights;
  size_t most; /* weights of pixel i begin at i * most */
  size_t room;
};

struct decoder {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  const struct picture *picture; /* which errors name */
  unsigned char *buffer;
  size_t room;
};

struct worker {
  struct decoder decoder;
  struct taps columns, rows;
  float *blended;
  size_t blended_room;
  float *batch;
};

static _Noreturn void fail(const char *what, const char *reason) {
  fprintf(stderr, "jpeg_reference: %s: %s\n", what, reason);
  exit(1);
}

/* Room for this many bytes, whose former content is of no interest. */
static void *reserve(void *memory, size_t *room, size_t bytes) {
  if (bytes <= *room) {
    return memory;
  }
  free(memory);
  memory = malloc(bytes);
  if (memory == NULL) {
    fail("memory", strerror(errno));
  }
  *room = bytes;
  return memory;
}

static double cpu_seconds(void) {
  struct timespec time;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) {
    fail("clock_gettime", strerror(errno));
  }
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- the list ---- */

static void read_file(struct picture *picture) {
  FILE *file = fopen(picture->path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
    fail(picture->path, strerror(errno));
  }
  long length = ftell(file);
  if (length < 0 || fseek(file, 0, SEEK_SET) != 0) {
    fail(picture->path, strerror(errno));
  }
  picture->length = (size_t)length;
  picture->bytes = malloc(picture->length + 1);
  if (picture->bytes == NULL) {
    fail(picture->path, strerror(errno));
  }
  if (fread(picture->bytes, 1, picture->length, file) != picture->length) {
    fail(picture->path, "it became shorter while it was read");
  }
  fclose(file);
}

static void read_list(const char *path, struct pictures *pictures) {
  FILE *list = fopen(path, "r");
  if (list == NULL) {
    fail(path, strerror(errno));
  }
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  while ((length = getline(&line, &room, list)) > 0) {
    if (line[length - 1] == '\n') {
      line[length - 1] = '\0';
    }
    struct picture picture = {0};
    int name = 0;
    if (sscanf(line, "%u %u %u %u %d %n", &picture.x, &picture.y, &picture.width, &picture.height,
               &picture.flip, &name) != 5 || name == 0 || line[name] == '\0') {
      fail(line, "not X Y WIDTH HEIGHT FLIP PATH");
    }
    picture.path = strdup(line + name);
    if (picture.path == NULL) {
      fail("memory", strerror(errno));
    }
    read_file(&picture);
    if (pictures->count == pictures->room) {
      pictures->room = pictures->room == 0 ? 256 : 2 * pictures->room;
      pictures->items = realloc(pictures->items, pictures->room * sizeof(struct picture));
      if (pictures->items == NULL) {
        fail("memory", strerror(errno));
      }
    }
    pictures->items[pictures->count++] = picture;
  }
  if (ferror(list)) {
    fail(path, strerror(errno));
  }
  free(line);
  fclose(list);
  if (pictures->count == 0) {
    fail(path, "the list is empty");
  }
}

/* ---- decoding ---- */

/* Ends the program: a list with a picture that C cannot decode compares nothing. */
static _Noreturn void on_error(j_common_ptr jpeg) {
  const struct decoder *decoder = jpeg->client_data;
  char message[JMSG_LENGTH_MAX];
  jpeg->err->format_message(jpeg, message);
  fail(decoder->picture->path, message);
}

/* Warnings are for damaged files, which decode all the same. */
static void on_message(j_common_ptr jpeg) { (void)jpeg; }

static void open_decoder(struct decoder *decoder) {
  decoder->jpeg.err = jpeg_std_error(&decoder->errors);
  decoder->errors.error_exit = on_error;
  decoder->errors.output_message = on_message;
  decoder->jpeg.client_data = decoder;
  jpeg_create_decompress(&decoder->jpeg);
}

/* What jpeg_start_decompress has begun, from the next row on, into the rows of a new buffer. */
static void read_rows(struct decoder *decoder, unsigned height) {
  struct jpeg_decompress_struct *jpeg = &decoder->jpeg;
  size_t stride = (size_t)jpeg->output_width * CHANNELS;
  decoder->buffer = reserve(decoder->buffer, &decoder->room, stride * height);
  for (unsigned y = 0; y < height;) {
    JSAMPROW rows[8];
    unsigned wanted = height - y < 8 ? height - y : 8;
    for (unsigned i = 0; i < wanted; i++) {
      rows[i] = decoder->buffer + (y + i) * stride;
    }
    y += jpeg_read_scanlines(jpeg, rows, wanted);
  }
}

static void begin(struct decoder *decoder, const struct picture *picture) {
  struct jpeg_decompress_struct *jpeg = &decoder->jpeg;
  decoder->picture = picture;
  jpeg_mem_src(jpeg, picture->bytes, picture->length);
  jpeg_read_header(jpeg, TRUE);
  jpeg->out_color_space = JCS_RGB;
  jpeg_start_decompress(jpeg);
}

static struct pixels decode_crop(struct decoder *decoder, const struct picture *picture) {
  struct jpeg_decompress_struct *jpeg = &decoder->jpeg;
  begin(decoder, picture);
  if (picture->width == 0 || picture->height == 0 || picture->width > jpeg->output_width ||
      picture->height > jpeg->output_height || picture->x > jpeg->output_width - picture->width ||
      picture->y > jpeg->output_height - picture->height) {
    fail(picture->path, "the crop is not within the picture");
  }
  /* Gives whole MCUs: it may begin further to the left. */
  JDIMENSION x = picture->x;
  JDIMENSION width = picture->width;
  jpeg_crop_scanline(jpeg, &x, &width);
  if (picture->y > 0) {
    jpeg_skip_scanlines(jpeg, picture->y);
  }
  read_rows(decoder, picture->height);
  struct pixels crop = {
      .first = decoder->buffer + (size_t)(picture->x - x) * CHANNELS,
      .stride = (size_t)jpeg->output_width * CHANNELS,
      .width = picture->width,
      .height = picture->height,
  };
  jpeg_abort_decompress(jpeg); /* not finish: what lies below is left out */
  return crop;
}

static struct pixels decode_full(struct decoder *decoder, const struct picture *picture) {
  struct jpeg_decompress_struct *jpeg = &decoder->jpeg;
  begin(decoder, picture);
  read_rows(decoder, jpeg->output_height);
  struct pixels all = {
      .first = decoder->buffer,
      .stride = (size_t)jpeg->output_width * CHANNELS,
      .width = jpeg->output_width,
      .height = jpeg->output_height,
  };
  jpeg_finish_decompress(jpeg);
  return all;
}

/* ---- scaling: rows are blended to one row of floats, then its columns are ---- */

static float *row_of_floats(struct worker *worker, unsigned width) {
  size_t bytes = (size_t)width * CHANNELS * sizeof(float);
  worker->blended = reserve(worker->blended, &worker->blended_room, bytes);
  return worker->blended;
}

static void store(float *pixel, float red, float green, float blue) {
  pixel[0] = red * SCALE[0] + BIAS[0];
  pixel[SIDE * SIDE] = green * SCALE[1] + BIAS[1];
  pixel[2 * SIDE * SIDE] = blue * SCALE[2] + BIAS[2];
}

static void plan_triangle(struct taps *taps, unsigned size, int flip) {
  float scale = (float)size / SIDE;
  float reach = scale < 1 ? 1 : scale;
  taps->most = 2 * (size_t)ceilf(reach) + 1;
  taps->weights = reserve(taps->weights, &taps->room, taps->most * SIDE * sizeof(float));
  for (unsigned i = 0; i < SIDE; i++) {
    float centre = ((float)i + 0.5f) * scale;
    unsigned low = (unsigned)fmaxf(centre - reach + 0.5f, 0);
    unsigned high = (unsigned)fminf(centre + reach + 0.5f, (float)size);
    unsigned at = flip ? SIDE - 1 - i : i;
    float *weights = taps->weights + at * taps->most;
    float sum = 0;
    for (unsigned k = low; k < high; k++) {
      float distance = fabsf(((float)k + 0.5f - centre) / reach);
      weights[k - low] = distance < 1 ? 1 - distance : 0;
      sum += weights[k - low];
    }
    for (unsigned k = low; k < high; k++) {
      weights[k - low] /= sum;
    }
    taps->first[at] = low;
    taps->count[at] = high - low;
  }
}

static void blend_rows(const struct pixels *from, const struct taps *taps, unsigned y,
                       float *restrict blended) {
  const unsigned char *restrict row = from->first + taps->first[y] * from->stride;
  const float *weights = taps->weights + y * taps->most;
  size_t samples = (size_t)from->width * CHANNELS;
  for (size_t i = 0; i < samples; i++) {
    blended[i] = row[i] * weights[0];
  }
  for (unsigned k = 1; k < taps->count[y]; k++) {
    row += from->stride;
    for (size_t i = 0; i < samples; i++) {
      blended[i] += row[i] * weights[k];
    }
  }
}

static void scale_antialias(struct worker *worker, const struct pixels *from, int flip,
                            float *result) {
  float *blended = row_of_floats(worker, from->width);
  struct taps *columns = &worker->columns;
  plan_triangle(columns, from->width, flip);
  plan_triangle(&worker->rows, from->height, 0);
  for (unsigned y = 0; y < SIDE; y++) {
    blend_rows(from, &worker->rows, y, blended);
    for (unsigned x = 0; x < SIDE; x++) {
      const float *pixel = blended + (size_t)columns->first[x] * CHANNELS;
      const float *weights = columns->weights + x * columns->most;
      float red = 0, green = 0, blue = 0;
      for (unsigned k = 0; k < columns->count[x]; k++, pixel += CHANNELS) {
        red += pixel[0] * weights[k];
        green += pixel[1] * weights[k];
        blue += pixel[2] * weights[k];
      }
      store(result + y * SIDE + x, red, green, blue);
    }
  }
}

/* The pixel at or before a scaled pixel's centre, the one behind it, and how far it is. */
struct neighbours {
  size_t low, high;
  float fraction;
};

static struct neighbours neighbours(unsigned i, unsigned size) {
  float position = ((float)i + 0.5f) * ((float)size / SIDE) - 0.5f;
  position = position < 0 ? 0 : position;
  size_t low = (size_t)position;
  low = low < size - 1 ? low : size - 1;
  return (struct neighbours){
      .low = low,
      .high = low + 1 < size ? low + 1 : low,
      .fraction = position - (float)low,
  };
}

static void scale_bilinear(struct worker *worker, const struct pixels *from, int flip,
                           float *result) {
  float *restrict blended = row_of_floats(worker, from->width);
  size_t samples = (size_t)from->width * CHANNELS;
  struct neighbours columns[SIDE];
  for (unsigned x = 0; x < SIDE; x++) {
    columns[flip ? SIDE - 1 - x : x] = neighbours(x, from->width);
  }
  for (unsigned y = 0; y < SIDE; y++) {
    struct neighbours rows = neighbours(y, from->height);
    const unsigned char *restrict upper = from->first + rows.low * from->stride;
    const unsigned char *restrict lower = from->first + rows.high * from->stride;
    for (size_t i = 0; i < samples; i++) {
      blended[i] = upper[i] + (float)(lower[i] - upper[i]) * rows.fraction;
    }
    for (unsigned x = 0; x < SIDE; x++) {
      const float *left = blended + columns[x].low * CHANNELS;
      const float *right = blended + columns[x].high * CHANNELS;
      float t = columns[x].fraction;
      store(result + y * SIDE + x, left[0] + (right[0] - left[0]) * t,
            left[1] + (right[1] - left[1]) * t, left[2] + (right[2] - left[2]) * t);
    }
  }
}

/* ---- the modes ---- */

/* Exactly one of the two is where the result lies: floats of RESULT, or pixels. */
struct made {
  const float *floats;
  struct pixels pixels;
};

typedef struct made (*mode)(struct worker *, const struct picture *, float *);

static struct made antialias(struct worker *worker, const struct picture *picture, float *result) {
  struct pixels crop = decode_crop(&worker->decoder, picture);
  scale_antialias(worker, &crop, picture->flip, result);
  return (struct made){.floats = result};
}

static struct made bilinear(struct worker *worker, const struct picture *picture, float *result) {
  struct pixels crop = decode_crop(&worker->decoder, picture);
  scale_bilinear(worker, &crop, picture->flip, result);
  return (struct made){.floats = result};
}

static struct made decode(struct worker *worker, const struct picture *picture, float *result) {
  (void)result;
  return (struct made){.pixels = decode_crop(&worker->decoder, picture)};
}

static struct made full(struct worker *worker, const struct picture *picture, float *result) {
  (void)result;
  return (struct made){.pixels = decode_full(&worker->decoder, picture)};
}

static const struct {
  const char *name;
  mode mode;
} MODES[] = {{"antialias", antialias}, {"bilinear", bilinear}, {"decode", decode}, {"full", full}};

static mode mode_of(const char *name) {
  for (size_t i = 0; i < sizeof MODES / sizeof *MODES; i++) {
    if (strcmp(MODES[i].name, name) == 0) {
      return MODES[i].mode;
    }
  }
  return NULL;
}

/* ---- the conversation ---- */

static void run(struct worker *worker, const struct pictures *pictures, mode mode,
                double seconds) {
  size_t images = 0;
  double start = cpu_seconds();
  double used;
  do {
    for (size_t i = 0; i < pictures->count; i++) {
      mode(worker, &pictures->items[i], worker->batch + images++ % BATCH * RESULT);
    }
    used = cpu_seconds() - start;
  } while (used < seconds);
  printf("%zu %.9f\n", images, used);
}

static size_t write_made(FILE *file, const struct made *made) {
  if (made->floats != NULL) {
    return sizeof(float) * fwrite(made->floats, sizeof(float), RESULT, file);
  }
  size_t written = 0;
  for (unsigned y = 0; y < made->pixels.height; y++) {
    written += fwrite(made->pixels.first + y * made->pixels.stride, 1,
                      (size_t)made->pixels.width * CHANNELS, file);
  }
  return written;
}

static void dump(struct worker *worker, const struct picture *picture, mode mode,
                 const char *path) {
  FILE *file = fopen(path, "wb");
  if (file == NULL) {
    printf("error %s: %s\n", path, strerror(errno));
    return;
  }
  struct made made = mode(worker, picture, worker->batch);
  size_t written = write_made(file, &made);
  if (fclose(file) != 0) {
    printf("error %s: %s\n", path, strerror(errno));
    return;
  }
  printf("dumped %zu\n", written);
}

static void answer(struct worker *worker, const struct pictures *pictures, const char *line) {
  char name[16];
  double seconds;
  size_t index;
  int file = 0;
  if (sscanf(line, "run %15s %lf", name, &seconds) == 2 && mode_of(name) != NULL) {
    run(worker, pictures, mode_of(name), seconds);
  } else if (sscanf(line, "dump %15s %zu %n", name, &index, &file) == 2 && file > 0 &&
             line[file] != '\0' && mode_of(name) != NULL && index < pictures->count) {
    dump(worker, &pictures->items[index], mode_of(name), line + file);
  } else {
    printf("error not understood: %s\n", line);
  }
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fail("usage", "jpeg_reference LIST");
  }
  struct pictures pictures = {0};
  read_list(argv[1], &pictures);
  static struct worker worker;
  open_decoder(&worker.decoder);
  size_t room = 0;
  size_t bytes = (size_t)BATCH * RESULT * sizeof(float);
  worker.batch = reserve(NULL, &room, bytes);
  memset(worker.batch, 0, bytes); /* so that no round pays for fresh pages */
  printf("ready %zu %s\n", pictures.count, LIBRARY);
  fflush(stdout);

  char *line = NULL;
  size_t line_room = 0;
  ssize_t length;
  while ((length = getline(&line, &line_room, stdin)) > 0) {
    if (line[length - 1] == '\n') {
      line[length - 1] = '\0';
    }
    answer(&worker, &pictures, line);
  }
  return 0;
}
