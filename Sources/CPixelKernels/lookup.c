// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Color lookup tables.

#include <string.h>

#include "CPixelKernels.h"

// Without fused operations, the results are the same on every machine.
#pragma STDC FP_CONTRACT OFF

typedef float Node __attribute__((vector_size(16)));
typedef int32_t FourNumbers __attribute__((vector_size(16)));
typedef uint8_t FourBytes __attribute__((vector_size(4)));

void PKLookUp(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride, size_t width,
              size_t height, const uint8_t *tables) {
    for (size_t row = 0; row < height; row++, source += sourceStride, target += targetStride) {
        for (size_t x = 0; x < width; x++) {
            const uint8_t *from = source + 4 * x;
            uint8_t made[4] = {tables[from[0]], tables[256 + from[1]], tables[512 + from[2]], from[3]};
            memcpy(target + 4 * x, made, 4);
        }
    }
}

/// A step along one axis: the fraction in the upper 32 bits, the offset of the next node in the lower. Nonnegative
/// floating-point numbers have the order of their bits, so that comparing two of these integers compares the fractions.
static inline uint64_t way(float fraction, uint32_t step) {
    uint32_t bits;
    memcpy(&bits, &fraction, sizeof bits);
    return (uint64_t)bits << 32 | step;
}

static inline void order(uint64_t *first, uint64_t *second) {
    uint64_t larger = *first > *second ? *first : *second, smaller = *first > *second ? *second : *first;
    *first = larger;
    *second = smaller;
}

static inline Node fractionOf(uint64_t way) {
    uint32_t bits = (uint32_t)(way >> 32);
    float fraction;
    memcpy(&fraction, &bits, sizeof fraction);
    return (Node){} + fraction;
}

static inline Node nodeAt(const float *nodes, size_t place) {
    Node node;
    memcpy(&node, nodes + 4 * place, sizeof node);
    return node;
}

void PKLookUpCube(const uint8_t *source, ptrdiff_t sourceStride, uint8_t *target, ptrdiff_t targetStride,
                  size_t width, size_t height, const PKCube *given) {
    const PKCube cube = *given;
    for (size_t row = 0; row < height; row++, source += sourceStride, target += targetStride) {
        for (size_t x = 0; x < width; x++) {
            const uint8_t *from = source + 4 * x;
            size_t a = from[0], b = 256 + from[1], c = 512 + from[2];
            // From the lower corner to the upper one, the axes in the order of descending fractions: the path along the
            // edges of the tetrahedron that contains the color.
            uint64_t first = way(cube.fractions[a], cube.steps[0]), second = way(cube.fractions[b], cube.steps[1]),
                     third = way(cube.fractions[c], cube.steps[2]);
            order(&first, &second);
            order(&second, &third);
            order(&first, &second);
            size_t place = (size_t)cube.places[a] + cube.places[b] + cube.places[c];
            Node last = nodeAt(cube.nodes, place), sum = last;
            uint64_t ways[3] = {first, second, third};
            for (size_t i = 0; i < 3; i++) {
                place += (uint32_t)ways[i];
                Node next = nodeAt(cube.nodes, place);
                sum += fractionOf(ways[i]) * (next - last);
                last = next;
            }
            if (cube.isBlueFirst) sum = __builtin_shufflevector(sum, sum, 2, 1, 0, 3);
            FourBytes made = __builtin_convertvector(__builtin_convertvector(sum + 0.5f, FourNumbers), FourBytes);
            made[3] = from[3];
            memcpy(target + 4 * x, &made, 4);
        }
    }
}
