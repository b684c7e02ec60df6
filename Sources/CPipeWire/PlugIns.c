// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The plug-ins of libpipewire.

// For dl_iterate_phdr.
#define _GNU_SOURCE
#include "library.h"

#if OBSCURA_PIPEWIRE

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MostPlugIns = 32 };

struct paths {
    int count;
    char *values[MostPlugIns];
};

static int notePath(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct paths *paths = context;
    const char *name = strrchr(info->dlpi_name, '/');
    const bool isPlugIn = name && (!strncmp(name, "/libpipewire-module-", 20) || !strncmp(name, "/libspa-", 8));
    if (isPlugIn && paths->count < MostPlugIns) paths->values[paths->count++] = strdup(info->dlpi_name);
    return 0;
}

static void keep(void) {
    struct paths paths = {0};
    dl_iterate_phdr(notePath, &paths);
    for (int i = 0; i < paths.count; i++) {
        // A reference that is never released.
        if (paths.values[i]) (void)dlopen(paths.values[i], RTLD_LAZY | RTLD_NOLOAD);
        free(paths.values[i]);
    }
}

void OPWKeepPlugIns(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, keep);
}

#endif
