// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// A clock that is off, for a sender: preloaded into its process, it makes CLOCK_MONOTONIC and CLOCK_REALTIME run faster
// by $CLOCK_DRIFT millionths from the start of the process on.
//
// Deadlines of condition variables and sleeps are converted back, because the kernel's clock is right. Those of timers are
// not (libdispatch has some): they come late by what the clock is fast, and no frame waits for them. Durations are not
// either: the difference is too small to matter.

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t second = 1000000000, million = 1000000;
// In seconds of CLOCK_REALTIME.
static const time_t year_2001 = 1000000000;
static int64_t drift, monotonic_start, real_start;

// The time of the kernel's clock, in nanoseconds; libc's function is replaced below.
static int64_t right_time(clockid_t clock) {
    struct timespec time = {0, 0};
    syscall(SYS_clock_gettime, clock, &time);
    return time.tv_sec * second + time.tv_nsec;
}

__attribute__((constructor)) static void start(void) {
    const char *value = getenv("CLOCK_DRIFT");
    drift = value ? atoll(value) : 0;
    monotonic_start = right_time(CLOCK_MONOTONIC);
    real_start = right_time(CLOCK_REALTIME);
}

static int64_t wrong_time(clockid_t clock) {
    int64_t start = clock == CLOCK_MONOTONIC ? monotonic_start : real_start;
    int64_t time = right_time(clock);
    return time + (time - start) * drift / million;
}

static struct timespec timespec_of(int64_t time) {
    return (struct timespec){time / second, time % second};
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME) return (int)syscall(SYS_clock_gettime, clock, time);
    *time = timespec_of(wrong_time(clock));
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    int64_t now = wrong_time(CLOCK_REALTIME);
    *time = (struct timeval){now / second, now % second / 1000};
    return 0;
}

static struct timespec right_deadline(const struct timespec *deadline, int64_t start) {
    int64_t time = deadline->tv_sec * second + deadline->tv_nsec;
    return time <= start ? *deadline : timespec_of(start + (int64_t)((__int128)(time - start) * million / (million + drift)));
}

int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict deadline
) {
    // Which clock the condition variable has is not known from outside. Only times of CLOCK_REALTIME are past 2001.
    int is_monotonic = deadline->tv_sec < year_2001;
    struct timespec right = right_deadline(deadline, is_monotonic ? monotonic_start : real_start);
    return pthread_cond_clockwait(condition, mutex, is_monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME, &right);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
    struct timespec right = *time;
    if (flags & TIMER_ABSTIME) right = right_deadline(time, clock == CLOCK_MONOTONIC ? monotonic_start : real_start);
    return syscall(SYS_clock_nanosleep, clock, flags, &right, rest) ? errno : 0;
}
