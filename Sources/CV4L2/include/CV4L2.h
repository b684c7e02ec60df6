// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The kernel's video interface (linux/videodev2.h), with functions only for what Swift cannot express: ioctl is
// variadic, and the numbers of its requests are macros with sizeof.
// https://docs.kernel.org/userspace-api/media/v4l/v4l2.html
#ifndef OBSCURA_V4L2_H
#define OBSCURA_V4L2_H

#if !__has_include(<linux/videodev2.h>)
#error "The kernel's headers are missing. On Debian and Ubuntu: sudo apt-get install linux-libc-dev"
#endif

#include <errno.h>
#include <linux/netlink.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>

// Issues a request. Returns 0 or the errno. A request that is interrupted by a signal is repeated. Each function below
// issues one request; its name is the kernel's, written out and without the prefix.
static inline int obscuraVideoRequest(int descriptor, unsigned long request, void *_Nonnull argument) {
    int status;
    do {
        status = ioctl(descriptor, request, argument);
    } while (status < 0 && errno == EINTR);
    return status < 0 ? errno : 0;
}

#define OBSCURA_REQUEST(name, request, type)                                                                 \
    static inline int obscura##name(int descriptor, type *_Nonnull argument) {                               \
        return obscuraVideoRequest(descriptor, request, argument);                                           \
    }

OBSCURA_REQUEST(QueryCapabilities, VIDIOC_QUERYCAP, struct v4l2_capability)
OBSCURA_REQUEST(EnumerateFormats, VIDIOC_ENUM_FMT, struct v4l2_fmtdesc)
OBSCURA_REQUEST(EnumerateSizes, VIDIOC_ENUM_FRAMESIZES, struct v4l2_frmsizeenum)
OBSCURA_REQUEST(EnumerateIntervals, VIDIOC_ENUM_FRAMEINTERVALS, struct v4l2_frmivalenum)
OBSCURA_REQUEST(GetFormat, VIDIOC_G_FMT, struct v4l2_format)
OBSCURA_REQUEST(SetFormat, VIDIOC_S_FMT, struct v4l2_format)
OBSCURA_REQUEST(GetParameters, VIDIOC_G_PARM, struct v4l2_streamparm)
OBSCURA_REQUEST(SetParameters, VIDIOC_S_PARM, struct v4l2_streamparm)
OBSCURA_REQUEST(RequestBuffers, VIDIOC_REQBUFS, struct v4l2_requestbuffers)
OBSCURA_REQUEST(QueryBuffer, VIDIOC_QUERYBUF, struct v4l2_buffer)
OBSCURA_REQUEST(ExportBuffer, VIDIOC_EXPBUF, struct v4l2_exportbuffer)
OBSCURA_REQUEST(QueueBuffer, VIDIOC_QBUF, struct v4l2_buffer)
OBSCURA_REQUEST(DequeueBuffer, VIDIOC_DQBUF, struct v4l2_buffer)
OBSCURA_REQUEST(StreamOn, VIDIOC_STREAMON, int)
OBSCURA_REQUEST(StreamOff, VIDIOC_STREAMOFF, int)
OBSCURA_REQUEST(QueryControl, VIDIOC_QUERY_EXT_CTRL, struct v4l2_query_ext_ctrl)
OBSCURA_REQUEST(QueryMenu, VIDIOC_QUERYMENU, struct v4l2_querymenu)
OBSCURA_REQUEST(GetControls, VIDIOC_G_EXT_CTRLS, struct v4l2_ext_controls)
OBSCURA_REQUEST(GetInput, VIDIOC_G_INPUT, int)
OBSCURA_REQUEST(SubscribeEvent, VIDIOC_SUBSCRIBE_EVENT, struct v4l2_event_subscription)
OBSCURA_REQUEST(DequeueEvent, VIDIOC_DQEVENT, struct v4l2_event)
OBSCURA_REQUEST(SetControls, VIDIOC_S_EXT_CTRLS, struct v4l2_ext_controls)

#undef OBSCURA_REQUEST

#endif
