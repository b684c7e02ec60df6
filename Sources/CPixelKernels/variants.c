// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#include "variants.h"

#if defined(__x86_64__)
/// Whether this machine can run a variant.
///
/// AVX-512 is used from the processors on that also have VBMI: earlier ones run at a lower clock frequency meanwhile.
static int isSupported(PKVariant variant) {
    switch (variant) {
    case PKVariantBaseline: return 1;
    case PKVariantAVX2: return __builtin_cpu_supports("avx2");
    case PKVariantAVX512:
        return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512vbmi");
    }
    return 0;
}
#else
static int isSupported(PKVariant variant) {
    return variant == PKVariantBaseline;
}
#endif

const PKKernels *PKKernelsOf(PKVariant variant) {
    if (!isSupported(variant)) return NULL;
#if defined(__x86_64__)
    if (variant == PKVariantAVX512) return &PKAVX512Kernels;
    if (variant == PKVariantAVX2) return &PKAVX2Kernels;
#endif
    return &PKBaselineKernels;
}

const PKEffects *PKEffectsOf(PKVariant variant) {
    if (!isSupported(variant)) return NULL;
#if defined(__x86_64__)
    // The effects are not compiled for AVX-512.
    if (variant != PKVariantBaseline) return &PKAVX2Effects;
#endif
    return &PKBaselineEffects;
}

static PKVariant bestVariant(void) {
    if (isSupported(PKVariantAVX512)) return PKVariantAVX512;
    return isSupported(PKVariantAVX2) ? PKVariantAVX2 : PKVariantBaseline;
}

const PKKernels *PKBestKernels(void) {
    const PKKernels *best = PKKernelsOf(bestVariant());
    return best ? best : &PKBaselineKernels;
}

const PKEffects *PKBestEffects(void) {
    const PKEffects *best = PKEffectsOf(bestVariant());
    return best ? best : &PKBaselineEffects;
}
