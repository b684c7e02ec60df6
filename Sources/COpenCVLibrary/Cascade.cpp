// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#ifdef OBSCURA_VISION

#include "functions.hpp"
#include "guarded.hpp"
#include "wholeness.hpp"

#include <algorithm>
#include <memory>
#include <opencv2/objdetect.hpp>
#include <vector>

struct OCVCascade {
    cv::CascadeClassifier classifier;
};

/// The tolerance with which detectMultiScale groups windows.
static const double groupTolerance = 0.2;

static int32_t handOut(const std::vector<cv::Rect> &bounds, const std::vector<int> &neighbours, OCVFound *found,
                       int32_t capacity) {
    const auto count = std::min(bounds.size(), static_cast<size_t>(capacity));
    for (size_t i = 0; i < count; i++) {
        const cv::Rect &rect = bounds[i];
        found[i] = {{rect.x, rect.y, rect.width, rect.height}, i < neighbours.size() ? neighbours[i] : 0};
    }
    return static_cast<int32_t>(count);
}

OCVCascade *obscura::openCascade(const char *path, char *message) {
    OCVCascade *cascade = nullptr;
    guarded(message, [&] {
        const cv::FileStorage file(path, cv::FileStorage::READ);
        require(file.isOpened(), "OpenCV cannot open it");
        requireWhole(file.getFirstTopLevelNode());
        auto made = std::make_unique<OCVCascade>();
        if (!made->classifier.load(path) || made->classifier.empty()) {
            say(message, "OpenCV finds no cascade in it");
            return OCVStatusFailed;
        }
        cascade = made.release();
        return OCVStatusDone;
    });
    return cascade;
}

void obscura::closeCascade(OCVCascade *cascade) { delete cascade; }

OCVStatus obscura::findWithCascade(OCVCascade *cascade, OCVPicture gray, double scaleStep, int32_t neighbours,
                                   int32_t smallestWidth, int32_t smallestHeight, int32_t largestWidth,
                                   int32_t largestHeight, OCVFound *found, int32_t capacity, int32_t *count,
                                   char *message) {
    *count = 0;
    return guarded(message, [&] {
        std::vector<cv::Rect> bounds;
        std::vector<int> agreeing;
        cascade->classifier.detectMultiScale(matrix(gray, CV_8UC1), bounds, agreeing, scaleStep, neighbours, 0,
                                             cv::Size(smallestWidth, smallestHeight),
                                             cv::Size(largestWidth, largestHeight));
        *count = handOut(bounds, agreeing, found, capacity);
        return OCVStatusDone;
    });
}

OCVStatus obscura::group(OCVFound *windows, int32_t *count, int32_t neighbours, char *message) {
    return guarded(message, [&] {
        std::vector<cv::Rect> bounds;
        for (int32_t i = 0; i < *count; i++) {
            const OCVRect &rect = windows[i].bounds;
            bounds.emplace_back(rect.x, rect.y, rect.width, rect.height);
        }
        std::vector<int> agreeing;
        cv::groupRectangles(bounds, agreeing, neighbours, groupTolerance);
        *count = handOut(bounds, agreeing, windows, *count);
        return OCVStatusDone;
    });
}

#endif
