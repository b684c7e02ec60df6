// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The functions of libpipewire that are loaded, and those of this target that its files share.
#ifndef OBSCURA_PIPEWIRE_LIBRARY_H
#define OBSCURA_PIPEWIRE_LIBRARY_H

#if OBSCURA_PIPEWIRE

#include <errno.h>
#include <pipewire/pipewire.h>

#include "CPipeWire.h"

#define OPW_LOADED(X)                                                                                          \
    X(pw_init)                                                                                                 \
    X(pw_get_library_version)                                                                                  \
    X(pw_log_set_level)                                                                                        \
    X(pw_loop_new)                                                                                             \
    X(pw_loop_destroy)                                                                                         \
    X(pw_context_new)                                                                                          \
    X(pw_context_destroy)                                                                                      \
    X(pw_context_connect)                                                                                      \
    X(pw_context_connect_fd)                                                                                   \
    X(pw_core_disconnect)                                                                                      \
    X(pw_proxy_destroy)                                                                                        \
    X(pw_properties_new_dict)                                                                                  \
    X(pw_properties_set)                                                                                       \
    X(pw_stream_new)                                                                                           \
    X(pw_stream_add_listener)                                                                                  \
    X(pw_stream_connect)                                                                                       \
    X(pw_stream_destroy)                                                                                       \
    X(pw_stream_update_params)                                                                                 \
    X(pw_stream_dequeue_buffer)                                                                                \
    X(pw_stream_queue_buffer)                                                                                  \
    X(pw_stream_get_time_n)

#pragma clang assume_nonnull begin

struct loaded {
#define X(name) __typeof__(&name) _Nonnull name;
    OPW_LOADED(X)
#undef X
};

/// The loaded functions. Constant once OPWLoad has returned.
extern struct loaded library;

/// Keeps the plug-ins of the first client loaded. Its context would unload them, and that of the next client load them
/// again: the greatest part of the time that a connection takes.
void OPWKeepPlugIns(void);

struct OPWClient {
    struct pw_loop *loop;
    struct pw_context *_Nullable context;
    struct pw_core *_Nullable core;
    struct pw_registry *_Nullable registry;
    struct spa_hook coreListener, registryListener;
    struct spa_list objects;
    /// The session manager's settings; SPA_ID_INVALID if there are none.
    uint32_t settings;
    /// The rounds that are left until everything is known: objects, their properties, their formats.
    int roundsLeft;
    int sequence;
    /// A negative errno once the connection has failed.
    int failure;
    uint32_t removals;
};

/// Returns whether all properties of an object are large enough for what they are said to be. The functions of SPA that
/// read formats rely on it, and another process writes them.
bool OPWIsWellFormed(const struct spa_pod *pod);
/// Writes the offers of one EnumFormat of a node.
void OPWVisitOffers(const struct spa_pod *pod, uint32_t node, void *context, OPWOfferVisitor visitor);
/// Returns whether the pod is a video or audio format, and writes it.
bool OPWReadFormat(const struct spa_pod *pod, OPWFormat *format);

OPWClient *_Nullable OPWClientMake(int descriptor, const char *name, int *error);
void OPWClientFree(OPWClient *client);
int OPWClientDescriptor(OPWClient *client);
int OPWClientIterate(OPWClient *client);
bool OPWClientIsComplete(OPWClient *client);
bool OPWClientHasSessionManager(OPWClient *client);
uint32_t OPWClientRemovalCount(OPWClient *client);
void OPWClientVisit(
    OPWClient *client, void *context, OPWObjectVisitor object,
    OPWOfferVisitor offer);

OPWStream *_Nullable OPWVideoStreamMake(
    OPWClient *client, const char *target, const OPWVideoRequest *request, int *error);
OPWStream *_Nullable OPWSoundStreamMake(
    OPWClient *client, const char *target, const OPWSoundRequest *request, int *error);
void OPWStreamFree(OPWStream *stream);
OPWState OPWStreamState(OPWStream *stream);
const char *_Nullable OPWStreamMessage(OPWStream *stream);
uint32_t OPWStreamFormat(OPWStream *stream, OPWFormat *format);
uint32_t OPWStreamBufferCount(OPWStream *stream);
bool OPWStreamDequeue(OPWStream *stream, OPWFrame *frame);
void OPWStreamQueue(OPWStream *stream, void *buffer, const OPWMemory *memory);

/// Maps the memory of a buffer. Returns NULL if there is not enough memory; an area that cannot be mapped has no base.
/// With `borrows`, memory that is private to this process is used as it is, which is valid only while the stream has the
/// buffer: enough for sound, which is copied at once.
OPWMemory *_Nullable OPWMemoryMake(const struct spa_buffer *buffer, bool borrows);
/// Takes over the producer's count of the readers of a buffer that its stream is about to lose: the count is decreased
/// with the last reference. Otherwise the producer, which may keep its buffers for the next reader, never fills this one
/// again.
void OPWMemoryKeepBusy(OPWMemory *memory, const struct spa_buffer *buffer);
void OPWMemoryRetain(OPWMemory *memory);
void OPWMemoryRelease(OPWMemory *memory);
uint32_t OPWMemoryPartCount(const OPWMemory *memory);
OPWPart OPWMemoryPart(const OPWMemory *memory, uint32_t index);
void OPWMemoryMarkReading(const OPWMemory *memory, bool begins);

#pragma clang assume_nonnull end

#endif
#endif
