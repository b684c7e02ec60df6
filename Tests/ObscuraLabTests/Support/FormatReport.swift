// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import TestSupport

/// A library for `LD_PRELOAD` that reports UYVY instead of the loopback device's YUYV.
///
/// Both have the same number of bytes per frame, and the device stores bytes as they are written. So a process with the
/// library has a device whose writer has changed the format. Debian's v4l2loopback keeps the format as long as a reader
/// has the device open.
struct FormatReport {
    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <linux/videodev2.h>
        #include <stdarg.h>
        #include <unistd.h>

        int ioctl(int descriptor, unsigned long request, ...) {
            int (*next)(int, unsigned long, void *) = dlsym(RTLD_NEXT, "ioctl");
            va_list arguments;
            va_start(arguments, request);
            struct v4l2_format *format = va_arg(arguments, void *);
            va_end(arguments);
            int status = next(descriptor, request, format);
            if (status == 0 && request == VIDIOC_G_FMT && access(CHANGE, F_OK) == 0)
                format->fmt.pix.pixelformat = V4L2_PIX_FMT_UYVY;
            return status;
        }
        """

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let source = try folder.write("report.c", Self.source)
        try Lab.run("cc", "-shared", "-fPIC", "-DCHANGE=\"\(folder("changed"))\"", "-o", folder("report.so"), source)
    }

    /// The variable for the environment of the process.
    var variable: String { "LD_PRELOAD=" + folder("report.so") }

    /// Reports UYVY from now on.
    func change() throws {
        _ = try folder.write("changed", "")
    }
}
