/* Writes JPEGs of all kinds that libjpeg-turbo 3 writes: sampling factors, four components,
   progressive, arithmetic and lossless coding, several scans, restart intervals.

       cc -I SRC -I BUILD jpeg_kinds.c -o jpeg_kinds BUILD/libjpeg.a
       ./jpeg_kinds FOLDER COUNT SEED [4 for four components only] */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jpeglib.h"
static jmp_buf jb;
static void err(j_common_ptr c) { longjmp(jb, 1); }
int main(int argc, char** argv) {
  const char* dir = argv[1];
  int n = atoi(argv[2]);
  srand(atoi(argv[3]));
  int only = argc > 4 ? atoi(argv[4]) : 0;
  int made = 0;
  for (int k = 0; made < n && k < 20 * n; k++) {
    int comps = only == 4 ? 4 : (rand() % 6 < 1 ? 1 : rand() % 3 == 0 ? 4 : 3);
    if (only == 1) comps = 1;
    int w = 1 + rand() % 90, h = 1 + rand() % 70;
    int r = rand() % 8;
    if (r == 0) w = 1 + rand() % 4;
    if (r == 1) h = 1 + rand() % 4;
    struct jpeg_compress_struct c;
    struct jpeg_error_mgr e;
    c.err = jpeg_std_error(&e);
    e.error_exit = err;
    jpeg_create_compress(&c);
    char desc[200];
    unsigned char* out = NULL;
    unsigned long size = 0;
    if (setjmp(jb)) {
      jpeg_destroy_compress(&c);
      continue;
    }
    jpeg_mem_dest(&c, &out, &size);
    c.image_width = w;
    c.image_height = h;
    c.input_components = comps;
    c.in_color_space = comps == 1 ? JCS_GRAYSCALE : comps == 3 ? JCS_RGB : JCS_CMYK;
    jpeg_set_defaults(&c);
    int lossless = rand() % 9 == 0;
    const char* cs = "";
    if (comps == 4) {
      if (!lossless && rand() % 2) {
        jpeg_set_colorspace(&c, JCS_YCCK);
        cs = "ycck";
      } else {
        jpeg_set_colorspace(&c, JCS_CMYK);
        cs = "cmyk";
      }
      if (rand() % 5 == 0) c.write_Adobe_marker = FALSE;
    } else if (comps == 3) {
      if (lossless || rand() % 4 == 0) {
        jpeg_set_colorspace(&c, JCS_RGB);
        cs = "rgb";
      } else
        cs = "ycc";
    }
    jpeg_set_quality(&c, 5 + rand() % 95, rand() % 2);
    for (int i = 0; i < comps; i++) {
      static const int f[][2] = {{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {1, 4},
                                 {4, 2}, {2, 4}, {3, 1}, {1, 3}, {3, 3}, {4, 4}};
      int x = i == 0 || rand() % 3 == 0 ? rand() % 12 : (rand() % 3 ? 0 : rand() % 4);
      if (comps == 1) x = rand() % 12;
      c.comp_info[i].h_samp_factor = f[x][0];
      c.comp_info[i].v_samp_factor = f[x][1];
      if (comps == 4 && i == 3 && rand() % 2) {
        c.comp_info[3].h_samp_factor = c.comp_info[0].h_samp_factor;
        c.comp_info[3].v_samp_factor = c.comp_info[0].v_samp_factor;
      }
    }
    int prog = 0, ar = 0, ms = 0;
    jpeg_scan_info si[8];
    if (lossless)
      jpeg_enable_lossless(&c, 1 + rand() % 7, rand() % 3 ? 0 : rand() % 5);
    else {
      prog = rand() % 3 == 0;
      if (prog) jpeg_simple_progression(&c);
      ar = rand() % 4 == 0;
      c.arith_code = ar;
      if (!prog && rand() % 4 == 0) {
        ms = 1;
        int m = 0;
        for (int i = 0; i < comps; i++) {
          si[m].comps_in_scan = 1;
          si[m].component_index[0] = i;
          si[m].Ss = 0;
          si[m].Se = 63;
          si[m].Ah = si[m].Al = 0;
          m++;
        }
        c.scan_info = si;
        c.num_scans = m;
      }
    }
    if (!ar && rand() % 2 && !lossless) c.optimize_coding = TRUE;
    if (rand() % 3 == 0 && !lossless) c.restart_interval = 1 + rand() % 20;
    if (rand() % 6 == 0 && !lossless) c.restart_in_rows = 1 + rand() % 2;
    jpeg_start_compress(&c, TRUE);
    unsigned char* row = malloc(4 * w + 4);
    int s = rand() % 200 + 1, cx = rand() % 97, cy = rand() % 89;
    for (int y = 0; y < h; y++) {
      for (int x = 0; x < w; x++)
        for (int i = 0; i < comps; i++) {
          int v = ((x * s + cx * i) / 7) ^ ((y * (i + 2) * s) / 11);
          v = (v & 255) / 2 + ((x - cx) * (x - cx) + (y - cy) * (y - cy)) / (20 + i * 9) % 128;
          if (((x + i * 3) / 9 + (y + i) / 7) % 5 == 0) v = 255 - v;
          row[x * comps + i] = v;
        }
      JSAMPROW p = row;
      jpeg_write_scanlines(&c, &p, 1);
    }
    jpeg_finish_compress(&c);
    jpeg_destroy_compress(&c);
    sprintf(desc, "%s/%05d_%d%s_%s%s%s%s_%dx%d.jpg", dir, made, comps, cs, lossless ? "ll" : "",
            prog ? "p" : "", ar ? "a" : "", ms ? "m" : "", w, h);
    FILE* f = fopen(desc, "wb");
    fwrite(out, 1, size, f);
    fclose(f);
    free(out);
    free(row);
    made++;
  }
  return 0;
}
