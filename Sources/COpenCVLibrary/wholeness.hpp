// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// OpenCV does not validate a cascade: with a rectangle outside the window, or an invalid node index in a tree, it reads
// out of bounds. Therefore each file is validated first.
#ifndef OBSCURA_OPENCV_WHOLENESS_HPP
#define OBSCURA_OPENCV_WHOLENESS_HPP

#include <exception>
#include <opencv2/core.hpp>

/// The error for a file that is not a cascade, is incomplete, or is of another kind than requested.
struct Unsuitable : std::exception {
    const char *words;
    explicit Unsuitable(const char *words) : words(words) {}
    const char *what() const noexcept override { return words; }
};

inline void require(bool condition, const char *words) {
    if (!condition) throw Unsuitable(words);
}

/// Throws unless all indices in the cascade are valid, and all rectangles are inside its window.
void requireWhole(const cv::FileNode &cascade);

#endif
