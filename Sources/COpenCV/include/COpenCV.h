// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The parts of OpenCV that find faces, with a face of C, and our own scan with its cascades.
//
// It must be C++ behind this header because OpenCV has had no C interface since version 4. No exception leaves it:
// each function that can fail returns a status, and says why in `message`, a text of OCVWordsCapacity bytes that the
// caller provides. Pictures are only read, and not kept.
//
// One object serves one thread at a time, unless its functions take it as const.
#ifndef OBSCURA_OPENCV_H
#define OBSCURA_OPENCV_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

/// How many bytes a caller provides for what went wrong.
enum { OCVWordsCapacity = 512 };

/// What came of a call.
typedef enum __attribute__((enum_extensibility(closed))) {
    OCVStatusDone = 0,
    /// OpenCV or the C++ library threw an exception, or OpenCV would not read the file.
    OCVStatusFailed = 1,
    /// The OpenCV that this was built with has no such thing.
    OCVStatusUnsupported = 2,
} OCVStatus;

/// Rows of bytes: one each pixel, or three for blue, green, red.
typedef struct {
    const uint8_t *bytes;
    int32_t width, height;
    ptrdiff_t bytesPerRow;
} OCVPicture;

typedef struct {
    int32_t x, y, width, height;
} OCVRect;

/// A face that a cascade found: how many windows agree on it beside its place.
typedef struct {
    OCVRect bounds;
    int32_t neighbours;
} OCVFound;

// MARK: Cascades as OpenCV itself searches with them

typedef struct OCVCascade OCVCascade;

/// Reads a cascade. The result is NULL if it is none.
OCVCascade *_Nullable OCVCascadeOpen(const char *path, char *message);
void OCVCascadeClose(OCVCascade *cascade);

/// CascadeClassifier::detectMultiScale. `largest` may be 0x0 for no limit. At most `capacity` are handed out; `count`
/// says how many.
OCVStatus OCVCascadeFind(OCVCascade *cascade, OCVPicture gray, double scaleStep, int32_t neighbours,
                         int32_t smallestWidth, int32_t smallestHeight, int32_t largestWidth, int32_t largestHeight,
                         OCVFound *found, int32_t capacity, int32_t *count, char *message);

/// cv::groupRectangles with the tolerance of detectMultiScale: of `count` rectangles those remain on which more than
/// `neighbours` agree. The result lies where they lay; `count` becomes how many there are.
OCVStatus OCVGroup(OCVFound *windows, int32_t *count, int32_t neighbours, char *message);

// MARK: Cascades of stumps, as we search with them

/// A cascade whose trees have one node each, over upright Haar features, such as haarcascade_frontalface_alt. It never
/// changes, so that many threads may read it.
typedef struct OCVStumps OCVStumps;

/// Reads such a cascade. The result is NULL if the file holds another kind (or none).
OCVStumps *_Nullable OCVStumpsOpen(const char *path, char *message);
void OCVStumpsClose(OCVStumps *stumps);

/// The sides of the window that the cascade looks through.
int32_t OCVStumpsWidth(const OCVStumps *stumps);
int32_t OCVStumpsHeight(const OCVStumps *stumps);

/// What a scan needs of memory, to be used again by the next one.
typedef struct OCVScratch OCVScratch;

/// NULL where there is no memory.
OCVScratch *_Nullable OCVScratchMake(void);
void OCVScratchFree(OCVScratch *scratch);

/// Which windows of the picture, scaled to levelWidth x levelHeight, are looked at: those whose upper left corner is in
/// left..<right, top..<bottom, each `step`th from `left` and `top` on. The first `lead` columns are looked at only
/// because what is found there decides which ones are left out after them.
typedef struct {
    int32_t levelWidth, levelHeight;
    int32_t left, top, right, bottom;
    int32_t step, lead;
} OCVBand;

/// Which instructions a scan may use.
typedef enum __attribute__((enum_extensibility(closed))) {
    OCVVariantBaseline = 0,
    OCVVariantAVX2 = 1,
} OCVVariant;

/// The fastest that this machine can run.
OCVVariant OCVBestVariant(void);

/// Looks at a band of windows and hands out those that all stages let pass: exactly those of detectMultiScale. The
/// corner of each is put into `found`, as x and y in the scaled picture.
///
/// - Returns: How many there are, at most `capacity`; -1 if there is no memory, -2 for a band that does not lie in the
///   scaled picture.
int32_t OCVStumpsScan(const OCVStumps *stumps, OCVScratch *scratch, OCVPicture gray, OCVBand band, OCVVariant variant,
                      OCVRect *found, int32_t capacity);

// MARK: YuNet

typedef struct OCVNetwork OCVNetwork;

/// A face that a network found, and the middle of each eye and corner of the mouth, those on the left of the picture
/// first.
typedef struct {
    float x, y, width, height;
    float eyes[4];
    float mouth[4];
    float score;
} OCVNetworkFace;

/// FaceDetectorYN with the model at `path`.
OCVStatus OCVNetworkOpen(const char *path, OCVNetwork *_Nullable *_Nonnull network, char *message);
void OCVNetworkClose(OCVNetwork *network);

/// Finds at most `capacity` faces in a picture of blue, green and red; `count` says how many.
OCVStatus OCVNetworkFind(OCVNetwork *network, OCVPicture picture, OCVNetworkFace *found, int32_t capacity,
                         int32_t *count, char *message);

// MARK: Drawing

/// Rows of blue, green, red, alpha that are drawn into.
typedef struct {
    uint8_t *bytes;
    int32_t width, height;
    ptrdiff_t bytesPerRow;
} OCVCanvas;

typedef struct {
    uint8_t blue, green, red, alpha;
} OCVColor;

/// cv::rectangle: the outline of a rectangle, of which parts may lie outside.
OCVStatus OCVDrawRect(OCVCanvas target, OCVRect rect, OCVColor color, int32_t lineWidth, char *message);

/// cv::putText in the font Hershey Simplex, which has about 21 pixels for a capital letter at a scale of 1. The text
/// stands on the row y and begins at the column x.
OCVStatus OCVDrawText(OCVCanvas target, const char *text, int32_t x, int32_t y, OCVColor color, double scale,
                      int32_t lineWidth, char *message);

/// Which version of OpenCV this was built with.
const char *OCVVersion(void);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif

#endif
