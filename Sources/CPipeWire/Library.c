// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Loads libpipewire.

#include "CPipeWire.h"

#if OBSCURA_PIPEWIRE

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "library.h"

struct loaded library;

static const OPWFunctions functions;
static const OPWFunctions *result;
static const char *failure;

static const char *version(void) { return library.pw_get_library_version(); }

static void load(void) {
    // Never unloaded: its threads and those of its plug-ins may run until the process ends.
    void *handle = dlopen("libpipewire-0.3.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        failure = "it is not installed";
        return;
    }
#define X(name)                                                                                                \
    library.name = (__typeof__(library.name))dlsym(handle, #name);                                             \
    if (!library.name) {                                                                                       \
        failure = "it is too old: its library lacks the function " #name;                                      \
        return;                                                                                                \
    }
    OPW_LOADED(X)
#undef X
    library.pw_init(NULL, NULL);
    // A library prints nothing, unless the user asks PipeWire itself for messages.
    if (!getenv("PIPEWIRE_DEBUG")) library.pw_log_set_level(SPA_LOG_LEVEL_NONE);
    result = &functions;
}

const OPWFunctions *OPWLoad(const char **reason) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    *reason = failure;
    return result;
}

static const OPWFunctions functions = {
    .version = version,
    .makeClient = OPWClientMake,
    .freeClient = OPWClientFree,
    .clientDescriptor = OPWClientDescriptor,
    .iterate = OPWClientIterate,
    .isComplete = OPWClientIsComplete,
    .hasSessionManager = OPWClientHasSessionManager,
    .removalCount = OPWClientRemovalCount,
    .visit = OPWClientVisit,
    .makeVideoStream = OPWVideoStreamMake,
    .makeSoundStream = OPWSoundStreamMake,
    .freeStream = OPWStreamFree,
    .streamState = OPWStreamState,
    .streamMessage = OPWStreamMessage,
    .streamFormat = OPWStreamFormat,
    .bufferCount = OPWStreamBufferCount,
    .dequeue = OPWStreamDequeue,
    .queue = OPWStreamQueue,
    .retainMemory = OPWMemoryRetain,
    .releaseMemory = OPWMemoryRelease,
    .partCount = OPWMemoryPartCount,
    .part = OPWMemoryPart,
    .markReading = OPWMemoryMarkReading,
};

#else

const OPWFunctions *OPWLoad(const char **reason) {
    *reason = "Obscura was built without the trait PipeWire";
    return NULL;
}

#endif
