// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#include "variants.h"

const PKKernels *PKKernelsOf(PKVariant variant) {
    switch (variant) {
    case PKVariantBaseline:
        return &PKBaselineKernels;
    case PKVariantAVX2:
#if defined(__x86_64__)
        return __builtin_cpu_supports("avx2") ? &PKAVX2Kernels : NULL;
#else
        return NULL;
#endif
    }
    return NULL;
}

const PKKernels *PKBestKernels(void) {
    const PKKernels *wide = PKKernelsOf(PKVariantAVX2);
    return wide ? wide : &PKBaselineKernels;
}

const PKEffects *PKEffectsOf(PKVariant variant) {
    switch (variant) {
    case PKVariantBaseline:
        return &PKBaselineEffects;
    case PKVariantAVX2:
#if defined(__x86_64__)
        return __builtin_cpu_supports("avx2") ? &PKAVX2Effects : NULL;
#else
        return NULL;
#endif
    }
    return NULL;
}

const PKEffects *PKBestEffects(void) {
    const PKEffects *wide = PKEffectsOf(PKVariantAVX2);
    return wide ? wide : &PKBaselineEffects;
}
