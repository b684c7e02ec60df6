// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#include "CExactPictures.h"

static int sample(const uint8_t *plane, size_t stride, int x, int y, int depth) {
    const uint8_t *row = plane + (size_t)y * stride;
    return depth > 8 ? row[2 * x] | row[2 * x + 1] << 8 : row[x];
}

static int to_byte(double value) {
    double scaled = value * 255.0;
    if (scaled <= 0) return 0;
    if (scaled >= 255) return 255;
    return (int)(scaled + 0.5);
}

int ep_largest_difference(const EPPicture *picture, const uint8_t *bgra, size_t stride) {
    const EPPicture *p = picture;
    double unit = (double)(1 << (p->depth - 8));
    double highest = (double)((1 << p->depth) - 1);
    double middle = (double)(1 << (p->depth - 1));
    double black = p->is_full ? 0 : 16 * unit;
    double luma_span = p->is_full ? highest : 219 * unit;
    double chroma_span = p->is_full ? highest : 224 * unit;
    double kg = 1 - p->kr - p->kb;
    int largest = 0;
    for (int y = 0; y < p->height; y++) {
        for (int x = 0; x < p->width; x++) {
            int cx = x >> p->shift_x, cy = y >> p->shift_y;
            double luma = (sample(p->y, p->y_stride, x, y, p->depth) - black) / luma_span;
            double cb = (sample(p->u, p->u_stride, cx, cy, p->depth) - middle) / chroma_span;
            double cr = (sample(p->v, p->v_stride, cx, cy, p->depth) - middle) / chroma_span;
            double red = luma + 2 * (1 - p->kr) * cr;
            double blue = luma + 2 * (1 - p->kb) * cb;
            double green = (luma - p->kr * red - p->kb * blue) / kg;
            const uint8_t *pixel = bgra + (size_t)y * stride + 4 * (size_t)x;
            int exact[3] = {to_byte(blue), to_byte(green), to_byte(red)};
            for (int i = 0; i < 3; i++) {
                int difference = pixel[i] > exact[i] ? pixel[i] - exact[i] : exact[i] - pixel[i];
                if (difference > largest) largest = difference;
            }
        }
    }
    return largest;
}
