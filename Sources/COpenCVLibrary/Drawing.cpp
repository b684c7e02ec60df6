// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#ifdef OBSCURA_VISION

#include "functions.hpp"
#include "guarded.hpp"

#include <opencv2/imgproc.hpp>

/// The caller's memory as a cv::Mat, without a copy; OpenCV draws into it.
static cv::Mat canvas(const OCVCanvas &target) {
    return cv::Mat(target.height, target.width, CV_8UC4, target.bytes, static_cast<size_t>(target.bytesPerRow));
}

static cv::Scalar scalar(OCVColor color) { return cv::Scalar(color.blue, color.green, color.red, color.alpha); }

OCVStatus obscura::drawRect(OCVCanvas target, OCVRect rect, OCVColor color, int32_t lineWidth, char *message) {
    return guarded(message, [&] {
        cv::Mat picture = canvas(target);
        cv::rectangle(picture, cv::Rect(rect.x, rect.y, rect.width, rect.height), scalar(color), lineWidth, cv::LINE_8);
        return OCVStatusDone;
    });
}

OCVStatus obscura::drawText(OCVCanvas target, const char *text, int32_t x, int32_t y, OCVColor color, double scale,
                            int32_t lineWidth, char *message) {
    return guarded(message, [&] {
        cv::Mat picture = canvas(target);
        cv::putText(picture, text, cv::Point(x, y), cv::FONT_HERSHEY_SIMPLEX, scale, scalar(color), lineWidth,
                    cv::LINE_8);
        return OCVStatusDone;
    });
}

#endif
