// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The memory of a buffer, which may outlive its stream: a reader can hold a frame for as long as it likes.

// For mremap.
#define _GNU_SOURCE
#include "library.h"

#if OBSCURA_PIPEWIRE

#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/magic.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

struct part {
    void *mapping;
    size_t mappedCount;
    OPWPart area;
};

struct OPWMemory {
    atomic_int references;
    /// The producer's count of the readers of the buffer, which includes this memory; NULL while the stream has it.
    uint32_t *busy;
    void *busyPage;
    uint32_t partCount;
    struct part parts[OPWMostPlanes];
};

static void keepMapping(struct part *part, void *mapping, size_t lead, const struct spa_data *data) {
    if (mapping == MAP_FAILED) return;
    part->mapping = mapping;
    part->mappedCount = lead + data->maxsize;
    part->area.base = (const char *)mapping + lead;
    part->area.byteCount = data->maxsize;
}

/// Returns the number of bytes that can be read for as long as the descriptor is mapped; -1 if it is unknown. Reading
/// beyond the end would end the process, and a producer can shrink a file unless it is sealed, or call it a DMA-BUF.
static off_t lastingSize(int descriptor) {
    struct statfs system;
    if (!fstatfs(descriptor, &system) && system.f_type == DMA_BUF_MAGIC) return lseek(descriptor, 0, SEEK_END);
    // Fails if the producer allows no more seals; those of the daemon include this one.
    (void)fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK);
    const int seals = fcntl(descriptor, F_GET_SEALS);
    struct stat status;
    return seals >= 0 && (seals & F_SEAL_SHRINK) && !fstat(descriptor, &status) ? status.st_size : -1;
}

/// Maps a part of a file or of a DMA-BUF.
static void mapDescriptor(const struct spa_data *data, size_t page, struct part *part) {
    const bool isDMA = data->type == SPA_DATA_DmaBuf;
    const int descriptor = (int)data->fd;
    const size_t begin = data->mapoffset / page * page, lead = data->mapoffset - begin;
    if (lastingSize(descriptor) < (off_t)data->mapoffset + data->maxsize) return;
    keepMapping(
        part, mmap(NULL, lead + data->maxsize, PROT_READ, MAP_SHARED, descriptor, (off_t)begin), lead, data);
    // The stream closes its own descriptor when it ends.
    if (isDMA && part->mapping) part->area.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

/// Maps memory that libpipewire has mapped, a second time: its own mapping ends with the stream. A size of zero makes
/// mremap duplicate a shared mapping, and fail for memory that is not shared.
static void *mapAgain(void *begin, size_t byteCount) { return mremap(begin, 0, byteCount, MREMAP_MAYMOVE); }

static void mapDataAgain(const struct spa_data *data, size_t page, struct part *part) {
    const size_t lead = (uintptr_t)data->data % page;
    keepMapping(part, mapAgain((char *)data->data - lead, lead + data->maxsize), lead, data);
    if (part->mapping) (void)mprotect(part->mapping, part->mappedCount, PROT_READ);
}

static void mapPart(const struct spa_data *data, bool borrows, struct part *part) {
    part->area.descriptor = -1;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (data->maxsize == 0) return;
    if (data->type == SPA_DATA_MemPtr && data->data) {
        mapDataAgain(data, page, part);
        if (!part->mapping && borrows) part->area = (OPWPart){data->data, data->maxsize, -1};
    } else if ((data->type == SPA_DATA_MemFd || data->type == SPA_DATA_DmaBuf) && data->fd >= 0) {
        mapDescriptor(data, page, part);
    }
}

OPWMemory *OPWMemoryMake(const struct spa_buffer *buffer, bool borrows) {
    OPWMemory *memory = calloc(1, sizeof *memory);
    if (!memory) return NULL;
    atomic_init(&memory->references, 1);
    memory->partCount = SPA_MIN(buffer->n_datas, (uint32_t)OPWMostPlanes);
    for (uint32_t i = 0; i < memory->partCount; i++) mapPart(&buffer->datas[i], borrows, &memory->parts[i]);
    return memory;
}

void OPWMemoryKeepBusy(OPWMemory *memory, const struct spa_buffer *buffer) {
    struct spa_meta_busy *busy = spa_buffer_find_meta_data(buffer, SPA_META_Busy, sizeof *busy);
    if (!busy || memory->busy) return;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), lead = (uintptr_t)&busy->count % page;
    void *mapping = mapAgain((char *)&busy->count - lead, page);
    if (mapping == MAP_FAILED) {
        // Better overwritten than never filled again.
        __atomic_sub_fetch(&busy->count, 1, __ATOMIC_SEQ_CST);
        return;
    }
    memory->busyPage = mapping;
    memory->busy = (uint32_t *)((char *)mapping + lead);
}

void OPWMemoryRetain(OPWMemory *memory) { atomic_fetch_add(&memory->references, 1); }

void OPWMemoryRelease(OPWMemory *memory) {
    if (atomic_fetch_sub(&memory->references, 1) > 1) return;
    if (memory->busy) {
        __atomic_sub_fetch(memory->busy, 1, __ATOMIC_SEQ_CST);
        munmap(memory->busyPage, (size_t)sysconf(_SC_PAGESIZE));
    }
    for (uint32_t i = 0; i < memory->partCount; i++) {
        struct part *part = &memory->parts[i];
        if (part->mapping) munmap(part->mapping, part->mappedCount);
        if (part->area.descriptor >= 0) close(part->area.descriptor);
    }
    free(memory);
}

uint32_t OPWMemoryPartCount(const OPWMemory *memory) { return memory->partCount; }

OPWPart OPWMemoryPart(const OPWMemory *memory, uint32_t index) { return memory->parts[index].area; }

void OPWMemoryMarkReading(const OPWMemory *memory, bool begins) {
    const struct dma_buf_sync sync = {
        .flags = DMA_BUF_SYNC_READ | (begins ? DMA_BUF_SYNC_START : DMA_BUF_SYNC_END)};
    for (uint32_t i = 0; i < memory->partCount; i++) {
        const int descriptor = memory->parts[i].area.descriptor;
        // Best effort: most exporters need nothing.
        if (descriptor >= 0) (void)ioctl(descriptor, DMA_BUF_IOCTL_SYNC, &sync);
    }
}

#endif
