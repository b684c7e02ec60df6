// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#ifdef OBSCURA_VISION

#include "functions.hpp"
#include "guarded.hpp"

#include <algorithm>
#include <memory>
#include <opencv2/core/version.hpp>
#include <opencv2/objdetect.hpp>

// FaceDetectorYN exists since OpenCV 4.5.4.
#if CV_VERSION_MAJOR > 4 || CV_VERSION_MINOR > 5 || (CV_VERSION_MINOR == 5 && CV_VERSION_REVISION >= 4)
#define OBSCURA_HAS_YUNET 1
#else
#define OBSCURA_HAS_YUNET 0
#endif

struct OCVNetwork {
#if OBSCURA_HAS_YUNET
    cv::Ptr<cv::FaceDetectorYN> detector;
#endif
};

OCVStatus obscura::openNetwork(const char *path, OCVNetwork **network, char *message) {
    *network = nullptr;
    return guarded(message, [&] {
#if OBSCURA_HAS_YUNET
        auto made = std::make_unique<OCVNetwork>();
        // A placeholder: findWithNetwork sets the size of each picture.
        made->detector = cv::FaceDetectorYN::create(path, "", cv::Size(320, 320));
        if (made->detector.empty()) return OCVStatusFailed;
        *network = made.release();
        return OCVStatusDone;
#else
        say(message, path);
        return OCVStatusUnsupported;
#endif
    });
}

void obscura::closeNetwork(OCVNetwork *network) { delete network; }

OCVStatus obscura::findWithNetwork(OCVNetwork *network, OCVPicture picture, OCVNetworkFace *found, int32_t capacity,
                                   int32_t *count, char *message) {
    *count = 0;
    return guarded(message, [&] {
#if OBSCURA_HAS_YUNET
        network->detector->setInputSize(cv::Size(picture.width, picture.height));
        cv::Mat faces;
        network->detector->detect(matrix(picture, CV_8UC3), faces);
        // A row: x, y, width, height, five points (eyes, tip of the nose, corners of the mouth), score.
        if (faces.empty() || faces.cols < 15 || faces.type() != CV_32FC1) return OCVStatusDone;
        const int32_t most = std::min(faces.rows, static_cast<int>(capacity));
        for (int32_t i = 0; i < most; i++) {
            const float *row = faces.ptr<float>(i);
            found[i] = {row[0], row[1], row[2], row[3], {row[4], row[5], row[6], row[7]},
                        {row[10], row[11], row[12], row[13]}, row[14]};
        }
        *count = most;
        return OCVStatusDone;
#else
        (void)network, (void)picture, (void)found, (void)capacity;
        return OCVStatusUnsupported;
#endif
    });
}

#endif
