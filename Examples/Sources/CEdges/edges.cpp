// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#include "CEdges.h"

#if !__has_include(<opencv2/imgproc.hpp>)
#error "OpenCV's headers are missing: sudo apt-get install libopencv-core-dev libopencv-imgproc-dev"
#endif
#include <opencv2/imgproc.hpp>

// A cv::Mat over existing memory copies nothing. No exception may leave these functions: Swift cannot catch C++
// exceptions, and the process would terminate.

double EdgesSharpness(const uint8_t *luma, int width, int height, size_t bytesPerRow) try {
    const cv::Mat gray(height, width, CV_8UC1, const_cast<uint8_t *>(luma), bytesPerRow);
    cv::Mat edges;
    cv::Laplacian(gray, edges, CV_64F);
    cv::Scalar mean, deviation;
    cv::meanStdDev(edges, mean, deviation);
    return deviation[0] * deviation[0];
} catch (...) {
    return -1;
}

int EdgesDraw(uint8_t *bgra, int width, int height, size_t bytesPerRow) try {
    cv::Mat picture(height, width, CV_8UC4, bgra, bytesPerRow);
    cv::Mat gray, edges;
    cv::cvtColor(picture, gray, cv::COLOR_BGRA2GRAY);
    cv::Canny(gray, edges, 80, 160);
    picture.setTo(cv::Scalar(0, 255, 0, 255), edges);
    return 1;
} catch (...) {
    return 0;
}
