// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The wrapper of all functions that can fail: no exception leaves it.
#ifndef OBSCURA_OPENCV_GUARDED_HPP
#define OBSCURA_OPENCV_GUARDED_HPP

#if !__has_include(<opencv2/objdetect.hpp>) || !__has_include(<opencv2/dnn.hpp>)
#error "OpenCV is missing. On Debian and Ubuntu: sudo apt-get install libopencv-core-dev libopencv-imgproc-dev libopencv-objdetect-dev libopencv-dnn-dev (or build without the trait Vision)"
#endif

#include <cstdio>
#include <exception>
#include <opencv2/core.hpp>

#include "COpenCV.h"

/// Copies the first line of a text to the message of the caller.
inline void say(char *message, const char *text) {
    std::snprintf(message, OCVWordsCapacity, "%s", text);
    for (char *end = message; *end; end++) {
        if (*end == '\n' || *end == '\r') {
            *end = 0;
            break;
        }
    }
}

/// Runs `body`, which returns a status, and converts any exception to a status and a message.
template <typename Body> OCVStatus guarded(char *message, Body body) noexcept {
    message[0] = 0;
    try {
        return body();
    } catch (const cv::Exception &exception) {
        say(message, exception.err.c_str());
    } catch (const std::exception &exception) {
        say(message, exception.what());
    } catch (...) {
        say(message, "an unknown exception");
    }
    return OCVStatusFailed;
}

/// The caller's picture as a cv::Mat, without a copy; for reading only.
inline cv::Mat matrix(const OCVPicture &picture, int type) {
    return cv::Mat(picture.height, picture.width, type, const_cast<uint8_t *>(picture.bytes),
                   static_cast<size_t>(picture.bytesPerRow));
}

#endif
