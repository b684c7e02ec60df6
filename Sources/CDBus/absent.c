// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The functions without the trait PipeWire. No other function is called after obscura_dbus_load has failed.

#include "CDBus.h"

#ifndef OBSCURA_PIPEWIRE

#include <errno.h>
#include <stddef.h>

#define ABSENT(name, ...)                                                                                    \
    int name(__VA_ARGS__) { return -ENOSYS; }
#define ABSENT_TEXT(name, type)                                                                              \
    const char *name(type *object) { return NULL; }

ABSENT(obscura_dbus_load, void)
ABSENT(obscura_dbus_open, ObscuraBusKind kind, ObscuraBus **bus)
void obscura_dbus_close(ObscuraBus *bus) {}
ABSENT(obscura_dbus_descriptor, ObscuraBus *bus)
ABSENT(obscura_dbus_events, ObscuraBus *bus)
ABSENT(obscura_dbus_deadline, ObscuraBus *bus, uint64_t *microseconds)
ABSENT(obscura_dbus_next, ObscuraBus *bus, ObscuraMessage **message)
ABSENT(obscura_dbus_new_call, ObscuraBus *bus, const char *destination, const char *path, const char *interface,
       const char *member, bool starts_service, ObscuraMessage **message)
ABSENT(obscura_dbus_send, ObscuraBus *bus, ObscuraMessage *message, uint64_t *serial)
void obscura_dbus_release(ObscuraMessage *message) {}
ABSENT(obscura_dbus_append_text, ObscuraMessage *message, char type, const char *text)
ABSENT(obscura_dbus_append_number, ObscuraMessage *message, char type, int64_t number)
ABSENT(obscura_dbus_open_container, ObscuraMessage *message, char type, const char *contents)
ABSENT(obscura_dbus_close_container, ObscuraMessage *message)
ABSENT(obscura_dbus_kind, ObscuraMessage *message, ObscuraMessageKind *kind)
ABSENT(obscura_dbus_reply_serial, ObscuraMessage *message, uint64_t *serial)
ABSENT_TEXT(obscura_dbus_sender, ObscuraMessage)
ABSENT_TEXT(obscura_dbus_path, ObscuraMessage)
ABSENT_TEXT(obscura_dbus_interface, ObscuraMessage)
ABSENT_TEXT(obscura_dbus_member, ObscuraMessage)
ABSENT_TEXT(obscura_dbus_error_name, ObscuraMessage)
ABSENT_TEXT(obscura_dbus_error_text, ObscuraMessage)
ABSENT(obscura_dbus_peek, ObscuraMessage *message, char *type, const char **contents)
ABSENT(obscura_dbus_read_text, ObscuraMessage *message, char type, const char **text)
ABSENT(obscura_dbus_read_number, ObscuraMessage *message, char type, int64_t *number)
ABSENT(obscura_dbus_read_double, ObscuraMessage *message, double *number)
ABSENT(obscura_dbus_read_descriptor, ObscuraMessage *message, int *descriptor)
ABSENT(obscura_dbus_enter, ObscuraMessage *message, char type, const char *contents)
ABSENT(obscura_dbus_exit, ObscuraMessage *message)

#endif
