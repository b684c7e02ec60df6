// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#include "CDBus.h"

#ifdef OBSCURA_PIPEWIRE

#if !__has_include(<systemd/sd-bus.h>)
#error "The headers of sd-bus are missing. On Debian and Ubuntu: sudo apt-get install libsystemd-dev"
#endif

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <systemd/sd-bus.h>

// The functions of libsystemd, each with the type that its header declares.
#define FUNCTIONS(X)                                                                                         \
    X(sd_bus_close)                                                                                          \
    X(sd_bus_get_events)                                                                                     \
    X(sd_bus_get_fd)                                                                                         \
    X(sd_bus_get_timeout)                                                                                    \
    X(sd_bus_message_append_basic)                                                                           \
    X(sd_bus_message_close_container)                                                                        \
    X(sd_bus_message_enter_container)                                                                        \
    X(sd_bus_message_exit_container)                                                                         \
    X(sd_bus_message_get_error)                                                                              \
    X(sd_bus_message_get_interface)                                                                          \
    X(sd_bus_message_get_member)                                                                             \
    X(sd_bus_message_get_path)                                                                               \
    X(sd_bus_message_get_reply_cookie)                                                                       \
    X(sd_bus_message_get_sender)                                                                             \
    X(sd_bus_message_get_type)                                                                               \
    X(sd_bus_message_new_method_call)                                                                        \
    X(sd_bus_message_open_container)                                                                         \
    X(sd_bus_message_peek_type)                                                                              \
    X(sd_bus_message_read_basic)                                                                             \
    X(sd_bus_message_set_auto_start)                                                                         \
    X(sd_bus_message_unref)                                                                                  \
    X(sd_bus_open_system)                                                                                    \
    X(sd_bus_open_user)                                                                                      \
    X(sd_bus_process)                                                                                        \
    X(sd_bus_reply_method_errno)                                                                             \
    X(sd_bus_send)                                                                                           \
    X(sd_bus_unref)

#define POINTER(name) __typeof__(&name) name;
static struct {
    FUNCTIONS(POINTER)
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int load_status = -ELIBACC;

static void load(void) {
    void *handle = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return;
#define LOOK_UP(name)                                                                                        \
    library.name = (__typeof__(library.name))dlsym(handle, #name);                                           \
    if (!library.name) return;
    FUNCTIONS(LOOK_UP)
    load_status = 0;
}

int obscura_dbus_load(void) {
    pthread_once(&once, load);
    return load_status;
}

static sd_bus *bus_of(ObscuraBus *bus) { return (sd_bus *)bus; }
static sd_bus_message *message_of(ObscuraMessage *message) { return (sd_bus_message *)message; }

// MARK: Connection

int obscura_dbus_open(ObscuraBusKind kind, ObscuraBus **bus) {
    sd_bus *opened = NULL;
    const int status =
        kind == ObscuraBusKindSystem ? library.sd_bus_open_system(&opened) : library.sd_bus_open_user(&opened);
    *bus = (ObscuraBus *)opened;
    return status < 0 ? status : 0;
}

void obscura_dbus_close(ObscuraBus *bus) {
    library.sd_bus_close(bus_of(bus));
    library.sd_bus_unref(bus_of(bus));
}

int obscura_dbus_descriptor(ObscuraBus *bus) { return library.sd_bus_get_fd(bus_of(bus)); }

int obscura_dbus_events(ObscuraBus *bus) { return library.sd_bus_get_events(bus_of(bus)); }

int obscura_dbus_deadline(ObscuraBus *bus, uint64_t *microseconds) {
    *microseconds = UINT64_MAX;
    const int status = library.sd_bus_get_timeout(bus_of(bus), microseconds);
    return status < 0 ? status : 0;
}

int obscura_dbus_next(ObscuraBus *bus, ObscuraMessage **message) {
    sd_bus_message *received = NULL;
    *message = NULL;
    const int status = library.sd_bus_process(bus_of(bus), &received);
    if (status < 0) return status;
    if (!received) return status > 0;
    uint8_t type = 0;
    library.sd_bus_message_get_type(received, &type);
    if (type == SD_BUS_MESSAGE_METHOD_CALL) {
        library.sd_bus_reply_method_errno(received, ENOSYS, NULL);
        library.sd_bus_message_unref(received);
        return 1;
    }
    *message = (ObscuraMessage *)received;
    return 1;
}

// MARK: Writing

int obscura_dbus_new_call(
    ObscuraBus *bus, const char *destination, const char *path, const char *interface, const char *member,
    bool starts_service, ObscuraMessage **message) {
    sd_bus_message *call = NULL;
    *message = NULL;
    const int status =
        library.sd_bus_message_new_method_call(bus_of(bus), &call, destination, path, interface, member);
    if (status < 0) return status;
    library.sd_bus_message_set_auto_start(call, starts_service);
    *message = (ObscuraMessage *)call;
    return 0;
}

int obscura_dbus_send(ObscuraBus *bus, ObscuraMessage *message, uint64_t *serial) {
    const int status = library.sd_bus_send(bus_of(bus), message_of(message), serial);
    return status < 0 ? status : 0;
}

void obscura_dbus_release(ObscuraMessage *message) { library.sd_bus_message_unref(message_of(message)); }

int obscura_dbus_append_text(ObscuraMessage *message, char type, const char *text) {
    return library.sd_bus_message_append_basic(message_of(message), type, text);
}

/// A number of each type, by the letter of D-Bus.
union number {
    uint8_t y;
    int b;
    int16_t n;
    uint16_t q;
    int32_t i;
    uint32_t u;
    int64_t x;
    uint64_t t;
};

int obscura_dbus_append_number(ObscuraMessage *message, char type, int64_t number) {
    union number value = {0};
    switch (type) {
    case 'y': value.y = (uint8_t)number; break;
    case 'b': value.b = number != 0; break;
    case 'n': value.n = (int16_t)number; break;
    case 'q': value.q = (uint16_t)number; break;
    case 'i': value.i = (int32_t)number; break;
    case 'u': value.u = (uint32_t)number; break;
    case 'x': value.x = number; break;
    case 't': value.t = (uint64_t)number; break;
    default: return -EINVAL;
    }
    return library.sd_bus_message_append_basic(message_of(message), type, &value);
}

int obscura_dbus_open_container(ObscuraMessage *message, char type, const char *contents) {
    return library.sd_bus_message_open_container(message_of(message), type, contents);
}

int obscura_dbus_close_container(ObscuraMessage *message) {
    return library.sd_bus_message_close_container(message_of(message));
}

// MARK: Reading

int obscura_dbus_kind(ObscuraMessage *message, ObscuraMessageKind *kind) {
    uint8_t type = 0;
    const int status = library.sd_bus_message_get_type(message_of(message), &type);
    if (status < 0) return status;
    switch (type) {
    case SD_BUS_MESSAGE_METHOD_RETURN: *kind = ObscuraMessageKindReply; return 0;
    case SD_BUS_MESSAGE_METHOD_ERROR: *kind = ObscuraMessageKindError; return 0;
    case SD_BUS_MESSAGE_SIGNAL: *kind = ObscuraMessageKindSignal; return 0;
    default: return -EBADMSG;
    }
}

int obscura_dbus_reply_serial(ObscuraMessage *message, uint64_t *serial) {
    return library.sd_bus_message_get_reply_cookie(message_of(message), serial);
}

const char *obscura_dbus_sender(ObscuraMessage *message) {
    return library.sd_bus_message_get_sender(message_of(message));
}

const char *obscura_dbus_path(ObscuraMessage *message) {
    return library.sd_bus_message_get_path(message_of(message));
}

const char *obscura_dbus_interface(ObscuraMessage *message) {
    return library.sd_bus_message_get_interface(message_of(message));
}

const char *obscura_dbus_member(ObscuraMessage *message) {
    return library.sd_bus_message_get_member(message_of(message));
}

const char *obscura_dbus_error_name(ObscuraMessage *message) {
    const sd_bus_error *error = library.sd_bus_message_get_error(message_of(message));
    return error ? error->name : NULL;
}

const char *obscura_dbus_error_text(ObscuraMessage *message) {
    const sd_bus_error *error = library.sd_bus_message_get_error(message_of(message));
    return error ? error->message : NULL;
}

int obscura_dbus_peek(ObscuraMessage *message, char *type, const char **contents) {
    *type = 0;
    *contents = NULL;
    const int status = library.sd_bus_message_peek_type(message_of(message), type, contents);
    return status < 0 ? status : 0;
}

int obscura_dbus_read_text(ObscuraMessage *message, char type, const char **text) {
    *text = NULL;
    if (type != 's' && type != 'o' && type != 'g') return -EINVAL;
    return library.sd_bus_message_read_basic(message_of(message), type, text);
}

int obscura_dbus_read_number(ObscuraMessage *message, char type, int64_t *number) {
    union number value = {0};
    if (type != 'y' && type != 'b' && type != 'n' && type != 'q' && type != 'i' && type != 'u' && type != 'x' &&
        type != 't')
        return -EINVAL;
    const int status = library.sd_bus_message_read_basic(message_of(message), type, &value);
    if (status < 0) return status;
    switch (type) {
    case 'y': *number = value.y; break;
    case 'b': *number = value.b != 0; break;
    case 'n': *number = value.n; break;
    case 'q': *number = value.q; break;
    case 'i': *number = value.i; break;
    case 'u': *number = value.u; break;
    case 'x': *number = value.x; break;
    default: *number = (int64_t)value.t; break;
    }
    return status;
}

int obscura_dbus_read_double(ObscuraMessage *message, double *number) {
    return library.sd_bus_message_read_basic(message_of(message), 'd', number);
}

int obscura_dbus_read_descriptor(ObscuraMessage *message, int *descriptor) {
    int borrowed = -1;
    *descriptor = -1;
    const int status = library.sd_bus_message_read_basic(message_of(message), 'h', &borrowed);
    if (status < 0) return status;
    const int copy = fcntl(borrowed, F_DUPFD_CLOEXEC, 3);
    if (copy < 0) return -errno;
    *descriptor = copy;
    return status;
}

int obscura_dbus_enter(ObscuraMessage *message, char type, const char *contents) {
    return library.sd_bus_message_enter_container(message_of(message), type, contents);
}

int obscura_dbus_exit(ObscuraMessage *message) {
    return library.sd_bus_message_exit_container(message_of(message));
}

#endif
