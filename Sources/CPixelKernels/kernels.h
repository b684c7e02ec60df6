// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The body of every variant, included once by each of them. The including file defines PK_LANES, the number of
// 16-bit numbers in a register (8, 16 or 32), and PK_TABLE, the name of the table to define.
//
// One step computes 2 x PK_LANES pixels: those at even and those at odd positions, each as a register of
// 16-bit numbers. A mask and a shift separate the bytes in this way, without shuffles, and both halves can
// share a register of chroma where two pixels share a sample.
//
// The arithmetic: a sample, times 128, times a weight in 1/8192, shifted right by 16, is the product in
// sixteenths. Each shift loses at most 1/16, so a sum of three is off by less than 1/4 before it is
// rounded. With products below 2.2 x 255 x 16, all intermediate results fit in 16 bits.

#include <string.h>

#include "registers.h"
#include "variants.h"

#define PK_PIXELS (2 * PK_LANES)

/// The samples of one step: luma times 128, and chroma minus its zero, times 128.
typedef struct {
    Words evenY, oddY, evenU, oddU, evenV, oddV;
} Samples;

/// The input of a step: in the row, or in a copy of its last samples.
typedef struct {
    const uint8_t *y, *u, *v;
} Place;

/// Additional layouts, beside those of PKLayout: chroma that is already interpolated, in 16-bit words in sixteenths.
enum {
    BlendedChroma = 100,
    BlendedChroma10 = 101,
};

// MARK: Loading

PK_INLINE void splitBytes(const uint8_t *from, UWords *even, UWords *odd) {
    UWords words;
    memcpy(&words, from, sizeof words);
    *even = words & 0xff;
    *odd = words >> 8;
}

PK_INLINE void splitWords(const uint8_t *from, UWords *even, UWords *odd) {
    UWide pairs;
    memcpy(&pairs, from, sizeof pairs);
    *even = __builtin_convertvector(pairs & 0xffff, UWords);
    *odd = __builtin_convertvector(pairs >> 16, UWords);
}

PK_INLINE UWords widenBytes(const uint8_t *from) {
    HalfBytes bytes;
    memcpy(&bytes, from, sizeof bytes);
    return __builtin_convertvector(bytes, UWords);
}

PK_INLINE UWords loadWords(const uint8_t *from) {
    UWords words;
    memcpy(&words, from, sizeof words);
    return words;
}

PK_INLINE Words centred(UWords samples, int bits) {
    // `bits` is the depth of the samples; the result is scaled as if they had 8 bits and were multiplied by 128.
    return (Words)((samples - (uint16_t)(1 << (bits - 1))) << (15 - bits));
}

PK_INLINE Samples load(Place at, int layout) {
    UWords evenY, oddY, evenU, oddU, evenV, oddV;
    int lumaBits = 8, chromaBits = 8;
    switch (layout) {
    case PKLayoutPlanarFull:
        splitBytes(at.y, &evenY, &oddY);
        splitBytes(at.u, &evenU, &oddU);
        splitBytes(at.v, &evenV, &oddV);
        break;
    case PKLayoutPlanarHalf:
        splitBytes(at.y, &evenY, &oddY);
        evenU = oddU = widenBytes(at.u);
        evenV = oddV = widenBytes(at.v);
        break;
    case PKLayoutSemiplanarHalf:
        splitBytes(at.y, &evenY, &oddY);
        splitBytes(at.u, &evenU, &evenV);
        oddU = evenU;
        oddV = evenV;
        break;
    case PKLayoutYUYV:
    case PKLayoutUYVY: {
        UWide groups;
        memcpy(&groups, at.y, sizeof groups);
        UWords low = __builtin_convertvector(groups & 0xffff, UWords);
        UWords high = __builtin_convertvector(groups >> 16, UWords);
        int isLumaFirst = layout == PKLayoutYUYV;
        evenY = isLumaFirst ? low & 0xff : low >> 8;
        oddY = isLumaFirst ? high & 0xff : high >> 8;
        evenU = oddU = isLumaFirst ? low >> 8 : low & 0xff;
        evenV = oddV = isLumaFirst ? high >> 8 : high & 0xff;
        break;
    }
    case PKLayoutPlanarFull10:
        splitWords(at.y, &evenY, &oddY);
        splitWords(at.u, &evenU, &oddU);
        splitWords(at.v, &evenV, &oddV);
        lumaBits = chromaBits = 10;
        break;
    case PKLayoutPlanarHalf10:
        splitWords(at.y, &evenY, &oddY);
        evenU = oddU = loadWords(at.u);
        evenV = oddV = loadWords(at.v);
        lumaBits = chromaBits = 10;
        break;
    case BlendedChroma:
        splitBytes(at.y, &evenY, &oddY);
        splitWords(at.u, &evenU, &oddU);
        splitWords(at.v, &evenV, &oddV);
        chromaBits = 12;
        break;
    case BlendedChroma10:
        splitWords(at.y, &evenY, &oddY);
        splitWords(at.u, &evenU, &oddU);
        splitWords(at.v, &evenV, &oddV);
        lumaBits = 10;
        chromaBits = 14;
        break;
    default:
        splitBytes(at.y, &evenY, &oddY);
        evenU = oddU = evenV = oddV = (UWords){} + (uint16_t)128;
        break;
    }
    return (Samples){
        .evenY = (Words)(evenY << (15 - lumaBits)),
        .oddY = (Words)(oddY << (15 - lumaBits)),
        .evenU = centred(evenU, chromaBits),
        .oddU = centred(oddU, chromaBits),
        .evenV = centred(evenV, chromaBits),
        .oddV = centred(oddV, chromaBits),
    };
}

/// The number of bytes of `count` pixels in each of the three rows.
typedef struct {
    size_t y, u, v;
} Extent;

PK_INLINE Extent extentOf(size_t count, int layout) {
    size_t half = (count + 1) / 2;
    switch (layout) {
    case PKLayoutPlanarFull: return (Extent){count, count, count};
    case PKLayoutPlanarHalf: return (Extent){count, half, half};
    case PKLayoutSemiplanarHalf: return (Extent){count, 2 * half, 0};
    case PKLayoutYUYV:
    case PKLayoutUYVY: return (Extent){4 * half, 0, 0};
    case PKLayoutPlanarFull10:
    case BlendedChroma10: return (Extent){2 * count, 2 * count, 2 * count};
    case PKLayoutPlanarHalf10: return (Extent){2 * count, 2 * half, 2 * half};
    case BlendedChroma: return (Extent){count, 2 * count, 2 * count};
    default: return (Extent){count, 0, 0};
    }
}

// MARK: Arithmetic

/// Numbers for the pixels at even and those at odd positions of a step.
typedef struct {
    Words even, odd;
} Halves;

/// The part of a channel that does not depend on chroma: all three channels of a pixel share it.
PK_INLINE Halves lumaPart(const Samples *samples, PKChannel channel) {
    return (Halves){
        highProduct(samples->evenY, channel.y) + channel.offset, highProduct(samples->oddY, channel.y) + channel.offset,
    };
}

PK_INLINE Words chromaPart(Words u, Words v, PKChannel channel) {
    return highProduct(u, channel.u) + highProduct(v, channel.v);
}

PK_INLINE Packed channelOf(const Samples *samples, Halves luma, PKChannel channel, int layout) {
    if (layout != PKLayoutGray) {
        // Where both halves share their chroma, the compiler computes it only once.
        luma.even += chromaPart(samples->evenU, samples->evenV, channel);
        luma.odd += chromaPart(samples->oddU, samples->oddV, channel);
    }
    return packed(luma.even >> 4, luma.odd >> 4);
}

// MARK: Luma and chroma to pixels, or to a plane

/// Computes one step with `count` channels: 3 for pixels, 1 for a plane.
PK_INLINE void step(Place at, uint8_t *to, const PKChannel *channels, int layout, int count) {
    Samples samples = load(at, layout);
    Halves luma = lumaPart(&samples, channels[0]);
    Packed first = channelOf(&samples, luma, channels[0], layout);
    if (count == 1) {
        storeBytes(to, first);
    } else {
        storePixels(to, first, channelOf(&samples, luma, channels[1], layout),
                    channelOf(&samples, luma, channels[2], layout));
    }
}

PK_INLINE void convertRow(Place at, uint8_t *to, size_t width, const PKChannel *channels, int layout, int count) {
    size_t pixelBytes = count == 1 ? 1 : 4;
    Extent whole = extentOf(PK_PIXELS, layout);
    for (; width >= PK_PIXELS; width -= PK_PIXELS) {
        step(at, to, channels, layout, count);
        at.y += whole.y;
        at.u += whole.u;
        at.v += whole.v;
        to += PK_PIXELS * pixelBytes;
    }
    if (width == 0) return;
    uint8_t y[4 * PK_PIXELS] = {0}, u[4 * PK_PIXELS] = {0}, v[4 * PK_PIXELS] = {0}, made[4 * PK_PIXELS];
    Extent rest = extentOf(width, layout);
    memcpy(y, at.y, rest.y);
    if (rest.u) memcpy(u, at.u, rest.u);
    if (rest.v) memcpy(v, at.v, rest.v);
    step((Place){y, u, v}, made, channels, layout, count);
    memcpy(to, made, width * pixelBytes);
}

/// The addresses at which a row begins. Planes that the layout does not have get the address of luma, and are not read.
PK_INLINE Place placeOf(const PKSource *source, size_t row) {
    const uint8_t *y = source->y + (ptrdiff_t)row * source->yStride;
    ptrdiff_t chromaRow = (ptrdiff_t)(row >> source->chromaRowShift);
    return (Place){
        y,
        source->u ? source->u + chromaRow * source->uStride : y,
        source->v ? source->v + chromaRow * source->vStride : y,
    };
}

PK_INLINE void convertRows(const PKSource *source, uint8_t *to, ptrdiff_t stride, const PKChannel *given,
                           int layout, int count) {
    // A copy, because for the compiler, writes to the target could change `given`.
    PKChannel channels[3];
    memcpy(channels, given, (size_t)count * sizeof *given);
    for (size_t row = 0; row < source->height; row++)
        convertRow(placeOf(source, row), to + (ptrdiff_t)row * stride, source->width, channels, layout, count);
}

PK_INLINE void convert(const PKSource *source, uint8_t *to, ptrdiff_t stride, const PKChannel *channels,
                       int count) {
    // Each case compiles to its own loop, with a constant layout.
    switch (source->layout) {
    case PKLayoutGray: convertRows(source, to, stride, channels, PKLayoutGray, count); break;
    case PKLayoutPlanarFull: convertRows(source, to, stride, channels, PKLayoutPlanarFull, count); break;
    case PKLayoutPlanarHalf: convertRows(source, to, stride, channels, PKLayoutPlanarHalf, count); break;
    case PKLayoutSemiplanarHalf: convertRows(source, to, stride, channels, PKLayoutSemiplanarHalf, count); break;
    case PKLayoutYUYV: convertRows(source, to, stride, channels, PKLayoutYUYV, count); break;
    case PKLayoutUYVY: convertRows(source, to, stride, channels, PKLayoutUYVY, count); break;
    case PKLayoutPlanarFull10: convertRows(source, to, stride, channels, PKLayoutPlanarFull10, count); break;
    case PKLayoutPlanarHalf10: convertRows(source, to, stride, channels, PKLayoutPlanarHalf10, count); break;
    }
}

static void yuvToRGB(const PKSource *source, uint8_t *target, ptrdiff_t targetStride,
                     const PKChannel *channels) {
    convert(source, target, targetStride, channels, 3);
}

static void yuvToPlane(const PKSource *source, uint8_t *target, ptrdiff_t targetStride,
                       const PKChannel *channel) {
    convert(source, target, targetStride, channel, 1);
}

static void yuvToRGBBilinear(const PKSource *source, uint8_t *target, ptrdiff_t targetStride,
                             const PKChannel *channels, uint16_t *scratch) {
    int isDeep = source->layout == PKLayoutPlanarFull10 || source->layout == PKLayoutPlanarHalf10;
    int isHalf = source->layout == PKLayoutPlanarHalf || source->layout == PKLayoutPlanarHalf10;
    size_t sampleBytes = isDeep ? 2 : 1, columns = isHalf ? 2 : 1;
    size_t chromaRows = source->chromaRowShift ? (source->height + 1) / 2 : source->height;
    uint16_t *u = scratch, *v = scratch + source->width;
    for (size_t row = 0; row < source->height; row++) {
        ptrdiff_t near = (ptrdiff_t)(row >> source->chromaRowShift);
        ptrdiff_t far = source->chromaRowShift ? (ptrdiff_t)PKFarChromaRow(row, chromaRows) : near;
        PKBlendChromaRow(source->u + near * source->uStride, source->u + far * source->uStride, u,
                         source->width, columns, sampleBytes);
        PKBlendChromaRow(source->v + near * source->vStride, source->v + far * source->vStride, v,
                         source->width, columns, sampleBytes);
        Place at = {source->y + (ptrdiff_t)row * source->yStride, (const uint8_t *)u, (const uint8_t *)v};
        uint8_t *to = target + (ptrdiff_t)row * targetStride;
        if (isDeep) {
            convertRow(at, to, source->width, channels, BlendedChroma10, 3);
        } else {
            convertRow(at, to, source->width, channels, BlendedChroma, 3);
        }
    }
}

#include "kernels_rgb.h"

const PKKernels PK_TABLE = {
    .yuvToRGB = yuvToRGB,
    .yuvToRGBBilinear = yuvToRGBBilinear,
    .yuvToPlane = yuvToPlane,
    .rgbToLuma = rgbToLuma,
    .rgbToChroma = rgbToChroma,
};
