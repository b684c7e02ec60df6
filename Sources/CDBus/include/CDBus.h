// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// D-Bus over sd-bus (libsystemd), without its variadic functions, macros and callbacks.
// https://www.freedesktop.org/software/systemd/man/latest/sd-bus.html
//
//     obscura_dbus_load ── obscura_dbus_open ─┬─ send, next, … ── obscura_dbus_close
//                                             └─ poll(2) on descriptor and events, until the timeout
//
// libsystemd is loaded on first use: nothing is linked. Without the trait PipeWire, obscura_dbus_load returns -ENOSYS.
//
// A connection and its messages belong to one thread at a time. No function blocks, except for the load of the library
// and for a write of the few bytes that begin a connection. All functions return 0, a positive number or a negative
// errno. The others may only be called after obscura_dbus_load has returned 0.
#ifndef OBSCURA_DBUS_H
#define OBSCURA_DBUS_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A connection to a bus.
typedef struct ObscuraBus ObscuraBus;
/// A message that was received, or one that is being written.
typedef struct ObscuraMessage ObscuraMessage;

/// The kinds of bus.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// The bus of the user's session: DBUS_SESSION_BUS_ADDRESS, else the socket in XDG_RUNTIME_DIR.
    ObscuraBusKindSession = 0,
    /// The bus of the system: DBUS_SYSTEM_BUS_ADDRESS, else its usual socket.
    ObscuraBusKindSystem = 1,
} ObscuraBusKind;

/// The kinds of received message.
typedef enum __attribute__((enum_extensibility(closed))) {
    /// A reply, with the results of a call.
    ObscuraMessageKindReply = 0,
    /// An error instead of a reply.
    ObscuraMessageKindError = 1,
    ObscuraMessageKindSignal = 2,
} ObscuraMessageKind;

/// Loads libsystemd. Any thread, any number of times. Returns -ENOSYS if this was built without the trait PipeWire, and
/// -ELIBACC if the library or one of its functions is missing.
int obscura_dbus_load(void);

/// Begins to connect to a bus. The bus accepts or rejects the connection during later calls.
int obscura_dbus_open(ObscuraBusKind kind, ObscuraBus *_Nullable *_Nonnull bus);
/// Closes a connection without waiting for messages that are not sent yet.
void obscura_dbus_close(ObscuraBus *bus);
/// The descriptor for poll(2).
int obscura_dbus_descriptor(ObscuraBus *bus);
/// The events for poll(2) at present.
int obscura_dbus_events(ObscuraBus *bus);
/// The time on CLOCK_MONOTONIC in microseconds at which obscura_dbus_next must be called again; UINT64_MAX for none.
int obscura_dbus_deadline(ObscuraBus *bus, uint64_t *microseconds);

/// Reads and writes what is possible without blocking. Returns 1 if there may be more to do at once, else 0.
/// `message` is the received message, which the caller releases, or NULL. Calls of methods of this program are answered
/// here with an error: it has none.
int obscura_dbus_next(ObscuraBus *bus, ObscuraMessage *_Nullable *_Nonnull message);

/// Creates a call of a method. `starts_service` is whether the bus may start the service of the destination.
int obscura_dbus_new_call(
    ObscuraBus *bus, const char *destination, const char *path, const char *interface, const char *member,
    bool starts_service, ObscuraMessage *_Nullable *_Nonnull message);
/// Queues a call. `serial` identifies the reply.
int obscura_dbus_send(ObscuraBus *bus, ObscuraMessage *message, uint64_t *serial);
void obscura_dbus_release(ObscuraMessage *message);

/// Appends a string, an object path or a signature, of the type `s`, `o` or `g`.
int obscura_dbus_append_text(ObscuraMessage *message, char type, const char *text);
/// Appends a number or a boolean of the types `y`, `b`, `n`, `q`, `i`, `u`, `x` or `t`.
int obscura_dbus_append_number(ObscuraMessage *message, char type, int64_t number);
/// Opens a container: an array `a`, a variant `v`, a struct `r` or a dictionary entry `e`, with the signature of its
/// contents.
int obscura_dbus_open_container(ObscuraMessage *message, char type, const char *contents);
int obscura_dbus_close_container(ObscuraMessage *message);

int obscura_dbus_kind(ObscuraMessage *message, ObscuraMessageKind *kind);
/// The serial of the call that a reply or an error belongs to.
int obscura_dbus_reply_serial(ObscuraMessage *message, uint64_t *serial);
/// The texts of a message; NULL for those that it lacks. Valid as long as the message.
const char *_Nullable obscura_dbus_sender(ObscuraMessage *message);
const char *_Nullable obscura_dbus_path(ObscuraMessage *message);
const char *_Nullable obscura_dbus_interface(ObscuraMessage *message);
const char *_Nullable obscura_dbus_member(ObscuraMessage *message);
const char *_Nullable obscura_dbus_error_name(ObscuraMessage *message);
const char *_Nullable obscura_dbus_error_text(ObscuraMessage *message);

/// The type of the next value; 0 at the end of the container or the message. `contents` is the signature within a
/// container, else NULL; valid as long as the message.
int obscura_dbus_peek(ObscuraMessage *message, char *type, const char *_Nullable *_Nonnull contents);
/// Reads a value of the type `s`, `o` or `g`; valid as long as the message.
int obscura_dbus_read_text(ObscuraMessage *message, char type, const char *_Nullable *_Nonnull text);
/// Reads a value of the types `y`, `b`, `n`, `q`, `i`, `u`, `x` or `t`.
int obscura_dbus_read_number(ObscuraMessage *message, char type, int64_t *number);
/// Reads a value of the type `d`.
int obscura_dbus_read_double(ObscuraMessage *message, double *number);
/// Reads a value of the type `h`, as a copy of the descriptor that the caller owns.
int obscura_dbus_read_descriptor(ObscuraMessage *message, int *descriptor);
int obscura_dbus_enter(ObscuraMessage *message, char type, const char *contents);
int obscura_dbus_exit(ObscuraMessage *message);

#pragma clang assume_nonnull end

#endif
