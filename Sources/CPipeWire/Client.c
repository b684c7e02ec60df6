// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The connection with a daemon, and its objects: nodes with cameras or sound, and devices.

#include "library.h"

#if OBSCURA_PIPEWIRE

#include <fcntl.h>
#include <pipewire/extensions/metadata.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    /// Objects arrive in the first round, their properties in the second, their formats in the third.
    Rounds = 3,
    /// Limits of what a daemon can make this process store.
    MostObjects = 4096,
    MostProperties = 256,
    MostPods = 256,
};

enum kind { Node, Device, Port };

struct object {
    struct spa_list link;
    OPWClient *client;
    enum kind kind;
    uint32_t id;
    /// The node of a port; otherwise `id`.
    uint32_t node;
    bool hasInfo, hasAskedFormats;
    struct pw_proxy *proxy;
    struct spa_hook listener;
    uint32_t propertyCount;
    char **keys, **values;
    uint32_t podCount;
    struct spa_pod **pods;
};

// MARK: Objects

static void noteChange(OPWClient *client) {
    client->roundsLeft = Rounds;
    client->sequence = pw_core_sync(client->core, PW_ID_CORE, client->sequence);
}

static void forgetProperties(struct object *object) {
    for (uint32_t i = 0; i < object->propertyCount; i++) {
        free(object->keys[i]);
        free(object->values[i]);
    }
    free(object->keys);
    free(object->values);
    object->keys = object->values = NULL;
    object->propertyCount = 0;
}

static void forgetPods(struct object *object) {
    for (uint32_t i = 0; i < object->podCount; i++) free(object->pods[i]);
    free(object->pods);
    object->pods = NULL;
    object->podCount = 0;
}

static void removeObject(struct object *object) {
    spa_list_remove(&object->link);
    spa_hook_remove(&object->listener);
    library.pw_proxy_destroy(object->proxy);
    forgetProperties(object);
    forgetPods(object);
    free(object);
}

static struct object *find(OPWClient *client, uint32_t id) {
    struct object *object;
    spa_list_for_each(object, &client->objects, link) if (object->id == id) return object;
    return NULL;
}

static void keepProperties(struct object *object, const struct spa_dict *properties) {
    forgetProperties(object);
    const uint32_t count = SPA_MIN(properties->n_items, (uint32_t)MostProperties);
    object->keys = calloc(count, sizeof *object->keys);
    object->values = calloc(count, sizeof *object->values);
    if (!object->keys || !object->values) return forgetProperties(object);
    for (uint32_t i = 0; i < count; i++) {
        const struct spa_dict_item *item = &properties->items[i];
        if (!item->key || !item->value) continue;
        char *key = strdup(item->key), *value = strdup(item->value);
        if (!key || !value) {
            free(key);
            free(value);
            return;
        }
        object->keys[object->propertyCount] = key;
        object->values[object->propertyCount++] = value;
    }
}

static void keepPod(struct object *object, const struct spa_pod *pod) {
    if (object->podCount == MostPods) return;
    struct spa_pod **pods = realloc(object->pods, (object->podCount + 1) * sizeof *pods);
    if (!pods) return;
    object->pods = pods;
    struct spa_pod *copy = malloc(SPA_POD_SIZE(pod));
    if (!copy) return;
    memcpy(copy, pod, SPA_POD_SIZE(pod));
    object->pods[object->podCount++] = copy;
}

static bool offersFormats(const struct spa_param_info *parameters, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (parameters[i].id == SPA_PARAM_EnumFormat) return parameters[i].flags & SPA_PARAM_INFO_READ;
    return false;
}

static bool isVideo(const struct object *node) {
    for (uint32_t i = 0; i < node->propertyCount; i++)
        if (!strcmp(node->keys[i], PW_KEY_MEDIA_CLASS)) return !strncmp(node->values[i], "Video/", 6);
    return false;
}

static void onNodeInfo(void *context, const struct pw_node_info *info) {
    struct object *object = context;
    const bool hasProperties = (info->change_mask & PW_NODE_CHANGE_MASK_PROPS) && info->props;
    if (hasProperties) keepProperties(object, info->props);
    const bool hasFormats = (info->change_mask & PW_NODE_CHANGE_MASK_PARAMS) && isVideo(object) &&
                            offersFormats(info->params, info->n_params);
    if (hasFormats) {
        // Asked for again when the formats change.
        object->hasAskedFormats = true;
        forgetPods(object);
        pw_node_enum_params((struct pw_node *)object->proxy, 0, SPA_PARAM_EnumFormat, 0, UINT32_MAX, NULL);
    }
    if (hasProperties || hasFormats || !object->hasInfo) noteChange(object->client);
    object->hasInfo = true;
}

static void onPortInfo(void *context, const struct pw_port_info *info) {
    struct object *port = context, *node = find(port->client, port->node);
    // Most nodes list their formats themselves.
    if (!node || node->hasAskedFormats || !isVideo(node) || info->direction != PW_DIRECTION_OUTPUT) return;
    if (!(info->change_mask & PW_PORT_CHANGE_MASK_PARAMS) || !offersFormats(info->params, info->n_params)) return;
    forgetPods(port);
    pw_port_enum_params((struct pw_port *)port->proxy, 0, SPA_PARAM_EnumFormat, 0, UINT32_MAX, NULL);
    noteChange(port->client);
}

static void onDeviceInfo(void *context, const struct pw_device_info *info) {
    struct object *object = context;
    if (!(info->change_mask & PW_DEVICE_CHANGE_MASK_PROPS) || !info->props) return;
    keepProperties(object, info->props);
    object->hasInfo = true;
    noteChange(object->client);
}

static void onParameter(
    void *context, int sequence, uint32_t id, uint32_t index, uint32_t next, const struct spa_pod *pod) {
    (void)sequence, (void)index, (void)next;
    if (id == SPA_PARAM_EnumFormat && pod) keepPod(context, pod);
}

static const struct pw_node_events nodeEvents = {PW_VERSION_NODE_EVENTS, .info = onNodeInfo, .param = onParameter};
static const struct pw_port_events portEvents = {PW_VERSION_PORT_EVENTS, .info = onPortInfo, .param = onParameter};
static const struct pw_device_events deviceEvents = {PW_VERSION_DEVICE_EVENTS, .info = onDeviceInfo};

// MARK: Registry

static const char *property(const struct spa_dict *properties, const char *key) {
    return properties ? spa_dict_lookup(properties, key) : NULL;
}

/// Returns whether the global is of use, and writes its kind.
static bool isWanted(OPWClient *client, const char *type, const struct spa_dict *properties, enum kind *kind) {
    const char *class = property(properties, PW_KEY_MEDIA_CLASS);
    if (!strcmp(type, PW_TYPE_INTERFACE_Node)) {
        *kind = Node;
        return class && (!strcmp(class, "Video/Source") || !strncmp(class, "Audio/Source", 12) ||
                         !strcmp(class, "Audio/Sink") || !strcmp(class, "Audio/Duplex"));
    }
    if (!strcmp(type, PW_TYPE_INTERFACE_Device)) {
        *kind = Device;
        return true;
    }
    if (strcmp(type, PW_TYPE_INTERFACE_Port)) return false;
    *kind = Port;
    const char *node = property(properties, PW_KEY_NODE_ID);
    return node && find(client, (uint32_t)strtoul(node, NULL, 10));
}

static void listen(struct object *object) {
    switch (object->kind) {
    case Node:
        pw_node_add_listener((struct pw_node *)object->proxy, &object->listener, &nodeEvents, object);
        break;
    case Device:
        pw_device_add_listener((struct pw_device *)object->proxy, &object->listener, &deviceEvents, object);
        break;
    case Port:
        pw_port_add_listener((struct pw_port *)object->proxy, &object->listener, &portEvents, object);
        break;
    }
}

static uint32_t versionOf(enum kind kind) {
    return kind == Node ? PW_VERSION_NODE : kind == Device ? PW_VERSION_DEVICE : PW_VERSION_PORT;
}

static uint32_t objectCount(OPWClient *client) {
    uint32_t count = 0;
    struct object *object;
    spa_list_for_each(object, &client->objects, link) count++;
    return count;
}

static void onGlobal(
    void *context, uint32_t id, uint32_t permissions, const char *type, uint32_t version,
    const struct spa_dict *properties) {
    (void)permissions, (void)version;
    OPWClient *client = context;
    const char *name = property(properties, PW_KEY_METADATA_NAME);
    if (!strcmp(type, PW_TYPE_INTERFACE_Metadata) && name && !strcmp(name, "default")) client->settings = id;
    enum kind kind;
    if (!isWanted(client, type, properties, &kind) || objectCount(client) == MostObjects) return;
    struct object *object = calloc(1, sizeof *object);
    if (!object) return;
    object->client = client;
    object->kind = kind;
    object->id = id;
    const char *node = property(properties, PW_KEY_NODE_ID);
    object->node = kind == Port && node ? (uint32_t)strtoul(node, NULL, 10) : id;
    object->proxy = pw_registry_bind(client->registry, id, type, versionOf(kind), 0);
    if (!object->proxy) {
        free(object);
        return;
    }
    spa_list_append(&client->objects, &object->link);
    listen(object);
    noteChange(client);
}

static void onGlobalRemove(void *context, uint32_t id) {
    OPWClient *client = context;
    if (client->settings == id) client->settings = SPA_ID_INVALID;
    struct object *object = find(client, id);
    if (!object) return;
    removeObject(object);
    client->removals++;
    noteChange(client);
}

static const struct pw_registry_events registryEvents = {
    PW_VERSION_REGISTRY_EVENTS, .global = onGlobal, .global_remove = onGlobalRemove};

// MARK: Core

static void onDone(void *context, uint32_t id, int sequence) {
    OPWClient *client = context;
    if (id != PW_ID_CORE || sequence != client->sequence || client->roundsLeft == 0) return;
    if (--client->roundsLeft > 0) client->sequence = pw_core_sync(client->core, PW_ID_CORE, client->sequence);
}

static void onError(void *context, uint32_t id, int sequence, int status, const char *message) {
    (void)sequence, (void)message;
    OPWClient *client = context;
    // Errors of other objects, such as a target that is gone, show in the state of the stream.
    if (id == PW_ID_CORE && (status == -EPIPE || status == -ECONNRESET || status == -EPROTO)) client->failure = status;
}

static const struct pw_core_events coreEvents = {PW_VERSION_CORE_EVENTS, .done = onDone, .error = onError};

// MARK: Client

static int connectCore(OPWClient *client, int descriptor, const char *name) {
    const struct spa_dict_item items[] = {SPA_DICT_ITEM_INIT(PW_KEY_APP_NAME, name)};
    const struct spa_dict dictionary = SPA_DICT_INIT_ARRAY(items);
    // Frames need not be locked in memory, which takes as long as the rest of the agreement on buffers.
    const struct spa_dict_item settings[] = {SPA_DICT_ITEM_INIT("mem.allow-mlock", "false")};
    client->context = library.pw_context_new(
        client->loop, library.pw_properties_new_dict(&SPA_DICT_INIT_ARRAY(settings)), 0);
    if (!client->context) {
        const int status = -errno;
        if (descriptor >= 0) close(descriptor);
        return status;
    }
    struct pw_properties *properties = library.pw_properties_new_dict(&dictionary);
    // It closes the descriptor if it fails.
    client->core = descriptor >= 0 ? library.pw_context_connect_fd(client->context, descriptor, properties, 0)
                                   : library.pw_context_connect(client->context, properties, 0);
    if (!client->core) return -errno;
    OPWKeepPlugIns();
    pw_core_add_listener(client->core, &client->coreListener, &coreEvents, client);
    client->registry = pw_core_get_registry(client->core, PW_VERSION_REGISTRY, 0);
    if (!client->registry) return -errno;
    pw_registry_add_listener(client->registry, &client->registryListener, &registryEvents, client);
    noteChange(client);
    return 0;
}

OPWClient *OPWClientMake(int descriptor, const char *name, int *error) {
    OPWClient *client = calloc(1, sizeof *client);
    if (client) {
        spa_list_init(&client->objects);
        client->settings = SPA_ID_INVALID;
        client->loop = library.pw_loop_new(NULL);
    }
    if (!client || !client->loop) {
        *error = -ENOMEM;
        if (descriptor >= 0) close(descriptor);
        free(client);
        return NULL;
    }
    pw_loop_enter(client->loop);
    const int status = connectCore(client, descriptor, name);
    if (status == 0) return client;
    *error = status < 0 ? status : -EIO;
    OPWClientFree(client);
    return NULL;
}

void OPWClientFree(OPWClient *client) {
    struct object *object, *next;
    spa_list_for_each_safe(object, next, &client->objects, link) removeObject(object);
    if (client->registry) {
        spa_hook_remove(&client->registryListener);
        library.pw_proxy_destroy((struct pw_proxy *)client->registry);
    }
    if (client->core) {
        spa_hook_remove(&client->coreListener);
        library.pw_core_disconnect(client->core);
    }
    pw_loop_leave(client->loop);
    if (client->context) library.pw_context_destroy(client->context);
    library.pw_loop_destroy(client->loop);
    free(client);
}

int OPWClientDescriptor(OPWClient *client) { return pw_loop_get_fd(client->loop); }

int OPWClientIterate(OPWClient *client) {
    // Events that are left, or that this call causes, keep the descriptor readable.
    if (client->failure == 0) (void)pw_loop_iterate(client->loop, 0);
    return client->failure;
}

bool OPWClientIsComplete(OPWClient *client) { return client->roundsLeft == 0; }

uint32_t OPWClientRemovalCount(OPWClient *client) { return client->removals; }

bool OPWClientHasSessionManager(OPWClient *client) { return client->settings != SPA_ID_INVALID; }

void OPWClientVisit(OPWClient *client, void *context, OPWObjectVisitor visitObject, OPWOfferVisitor visitOffer) {
    struct object *object;
    spa_list_for_each(object, &client->objects, link) {
        if (object->kind == Port || !object->hasInfo) continue;
        const OPWObject seen = {
            .id = object->id, .isDevice = object->kind == Device, .propertyCount = object->propertyCount,
            .keys = (const char *const *)object->keys, .values = (const char *const *)object->values};
        visitObject(context, &seen);
    }
    // After all nodes, so that each node of an offer is known.
    spa_list_for_each(object, &client->objects, link)
        for (uint32_t i = 0; i < object->podCount; i++)
            OPWVisitOffers(object->pods[i], object->node, context, visitOffer);
}

#endif
