// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// Obscura's own search with cascades of OpenCV, and the functions of the shared library ObscuraOpenCV, which uses
// OpenCV.
//
// No exception leaves a function: each that can fail returns a status, and writes the cause to `message`, a buffer of
// OCVWordsCapacity bytes that the caller provides. Pictures are only read, and not retained.
//
// Only one thread at a time may use an object, unless its functions take it as const.
#ifndef OBSCURA_OPENCV_H
#define OBSCURA_OPENCV_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

/// The size of the message buffers that callers provide, in bytes.
enum { OCVWordsCapacity = 512 };

/// The result of a call.
typedef enum __attribute__((enum_extensibility(closed))) {
    OCVStatusDone = 0,
    /// OpenCV or the C++ library threw an exception, or OpenCV cannot read the file.
    OCVStatusFailed = 1,
    /// The version of OpenCV that this was built with lacks the feature.
    OCVStatusUnsupported = 2,
} OCVStatus;

/// A picture to read, with one byte per pixel, or three for blue, green and red.
typedef struct {
    const uint8_t *bytes;
    int32_t width, height;
    ptrdiff_t bytesPerRow;
} OCVPicture;

typedef struct {
    int32_t x, y, width, height;
} OCVRect;

// MARK: Obscura's search with cascades of stumps

/// A cascade of trees with one node each and upright Haar features, such as haarcascade_frontalface_alt. It is
/// constant, so that several threads may read it.
typedef struct OCVStumps OCVStumps;

/// Returns the width and height of the cascade's window.
int32_t OCVStumpsWidth(const OCVStumps *stumps);
int32_t OCVStumpsHeight(const OCVStumps *stumps);

/// The memory of a scan, which the next scan reuses.
typedef struct OCVScratch OCVScratch;

/// Creates the memory of a scan. Returns NULL if there is not enough memory.
OCVScratch *_Nullable OCVScratchMake(void);
void OCVScratchFree(OCVScratch *scratch);

/// The windows to evaluate in the picture scaled to levelWidth x levelHeight: those whose upper left corner is in
/// left..<right, top..<bottom, at every `step`th position from `left` and `top`. Windows in the first `lead` columns
/// are not reported; they are evaluated because their results decide which of the following windows OpenCV would skip.
typedef struct {
    int32_t levelWidth, levelHeight;
    int32_t left, top, right, bottom;
    int32_t step, lead;
} OCVBand;

/// The instruction set that a scan may use.
typedef enum __attribute__((enum_extensibility(closed))) {
    OCVVariantBaseline = 0,
    OCVVariantAVX2 = 1,
} OCVVariant;

/// Returns the fastest variant that this machine supports.
OCVVariant OCVBestVariant(void);

/// Evaluates a band of windows, and writes those that pass all stages to `found`: exactly those that detectMultiScale
/// finds. Only the corner is set, as x and y in the scaled picture.
///
/// - Returns: the number of windows, at most `capacity`; -1 if there is not enough memory, -2 for a band that is not
///   inside the scaled picture.
int32_t OCVStumpsScan(const OCVStumps *stumps, OCVScratch *scratch, OCVPicture gray, OCVBand band, OCVVariant variant,
                      OCVRect *found, int32_t capacity);

// MARK: The library ObscuraOpenCV

/// A cascade for OpenCV's search.
typedef struct OCVCascade OCVCascade;

/// A face that a cascade detected, with the number of windows in its group.
typedef struct {
    OCVRect bounds;
    int32_t neighbours;
} OCVFound;

/// The network YuNet.
typedef struct OCVNetwork OCVNetwork;

/// A face that a network detected, with the centers of the eyes and the corners of the mouth as x and y, those on the
/// left side of the picture first.
typedef struct {
    float x, y, width, height;
    float eyes[4];
    float mouth[4];
    float score;
} OCVNetworkFace;

/// A picture of blue, green, red and alpha to draw into.
typedef struct {
    uint8_t *bytes;
    int32_t width, height;
    ptrdiff_t bytesPerRow;
} OCVCanvas;

typedef struct {
    uint8_t blue, green, red, alpha;
} OCVColor;

/// Must change with OCVFunctions, and with each type that it uses: a library of another version is not used.
enum { OCVInterface = 1 };

/// The functions of the library. It is loaded on first use, because OpenCV and its libraries take a quarter of the time
/// to start.
typedef struct {
    /// OCVInterface of the library.
    int32_t interface;
    /// The version of OpenCV that the library was built with.
    const char *version;

    /// Reads a cascade. Returns NULL if the file is not a valid cascade.
    OCVCascade *_Nullable (*_Nonnull openCascade)(const char *path, char *message);
    void (*closeCascade)(OCVCascade *cascade);
    /// CascadeClassifier::detectMultiScale. The largest size may be 0x0 for no limit. Writes at most `capacity`
    /// results, and their number to `count`.
    OCVStatus (*findWithCascade)(OCVCascade *cascade, OCVPicture gray, double scaleStep, int32_t neighbours,
                                 int32_t smallestWidth, int32_t smallestHeight, int32_t largestWidth,
                                 int32_t largestHeight, OCVFound *found, int32_t capacity, int32_t *count,
                                 char *message);
    /// cv::groupRectangles with the tolerance of detectMultiScale: keeps the groups that have more than `neighbours` of
    /// the `count` rectangles. The results replace the rectangles, and their number replaces `count`.
    OCVStatus (*group)(OCVFound *windows, int32_t *count, int32_t neighbours, char *message);

    /// Reads a cascade of stumps. Returns NULL if the file is another kind of cascade, or none.
    OCVStumps *_Nullable (*_Nonnull openStumps)(const char *path, char *message);
    void (*closeStumps)(OCVStumps *stumps);

    /// Creates a FaceDetectorYN with the model at `path`.
    OCVStatus (*openNetwork)(const char *path, OCVNetwork *_Nullable *_Nonnull network, char *message);
    void (*closeNetwork)(OCVNetwork *network);
    /// Detects at most `capacity` faces in a picture of blue, green and red, and writes their number to `count`.
    OCVStatus (*findWithNetwork)(OCVNetwork *network, OCVPicture picture, OCVNetworkFace *found, int32_t capacity,
                                 int32_t *count, char *message);

    /// cv::rectangle: the outline of a rectangle, which may be partly outside the picture.
    OCVStatus (*drawRect)(OCVCanvas target, OCVRect rect, OCVColor color, int32_t lineWidth, char *message);
    /// cv::putText in the font Hershey Simplex, whose capital letters are about 21 pixels high at a scale of 1. The
    /// baseline of the text is at row y, and the text begins at column x.
    OCVStatus (*drawText)(OCVCanvas target, const char *text, int32_t x, int32_t y, OCVColor color, double scale,
                          int32_t lineWidth, char *message);
} OCVFunctions;

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

#endif
