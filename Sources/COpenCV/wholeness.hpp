// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// OpenCV believes a cascade: a rectangle outside of the window, or a tree that leads nowhere, has it read memory that
// is not its own. So each file is looked through before.
#ifndef OBSCURA_OPENCV_WHOLENESS_HPP
#define OBSCURA_OPENCV_WHOLENESS_HPP

#include <exception>
#include <opencv2/core.hpp>

/// A file that is no cascade, not a whole one, or of another kind than is asked for.
struct Unsuitable : std::exception {
    const char *words;
    explicit Unsuitable(const char *words) : words(words) {}
    const char *what() const noexcept override { return words; }
};

inline void require(bool condition, const char *words) {
    if (!condition) throw Unsuitable(words);
}

/// Throws unless all that the cascade refers to lies in it and in its window.
void requireWhole(const cv::FileNode &cascade);

#endif
