// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#ifdef OBSCURA_VISION

#include "functions.hpp"
#include "guarded.hpp"
#include "stumps.h"
#include "wholeness.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace {

const char *const otherKind = "it is not a cascade of stumps over upright features";

void read(const cv::FileNode &node, OCVStump &stump) {
    require(static_cast<int>(node["tilted"]) == 0, otherKind);
    int index = 0;
    for (const auto &values : node["rects"]) {
        require(values.size() == 5, otherKind);
        stump.rects[index] = {static_cast<int>(values[0]), static_cast<int>(values[1]), static_cast<int>(values[2]),
                              static_cast<int>(values[3])};
        stump.weights[index++] = static_cast<float>(values[4]);
    }
}

/// - Precondition: requireWhole accepted the cascade.
void read(const cv::FileNode &root, OCVStumps &cascade, std::vector<OCVStump> &stumps) {
    require(static_cast<std::string>(root["featureType"]) == "HAAR", otherKind);
    cascade.width = static_cast<int>(root["width"]);
    cascade.height = static_cast<int>(root["height"]);
    // The sum of a window's squares must fit in 31 bits.
    require(cascade.width <= 64 && cascade.height <= 64, otherKind);
    const cv::FileNode stages = root["stages"], features = root["features"];
    require(stages.size() <= OCVMostStages, otherKind);
    for (const auto &stage : stages) {
        const cv::FileNode trees = stage["weakClassifiers"];
        // OpenCV subtracts the same, so that a sum equal to the threshold passes.
        const float threshold = static_cast<float>(stage["stageThreshold"]) - 1e-5f;
        cascade.stages[cascade.stageCount++] = {static_cast<int32_t>(trees.size()), threshold};
        for (const auto &tree : trees) {
            const cv::FileNode nodes = tree["internalNodes"], leaves = tree["leafValues"];
            require(nodes.size() == 4, otherKind);
            OCVStump stump = {};
            read(features[static_cast<int>(nodes[2])], stump);
            stump.threshold = static_cast<float>(nodes[3]);
            stump.below = static_cast<float>(leaves[0]);
            stump.above = static_cast<float>(leaves[1]);
            stumps.push_back(stump);
        }
    }
}

void listWhatIsLookedAt(OCVStumps &cascade) {
    for (int first = 0; first < 2; first++) {
        for (int stopped = 0; stopped < 256; stopped++) {
            int result = 0;
            bool isLeftOut = first == 1;
            for (int lane = 0; lane < 8; lane++) {
                if (!isLeftOut) result |= 1 << lane;
                isLeftOut = !isLeftOut && (stopped >> lane & 1);
            }
            cascade.lookedAt[first][stopped] = static_cast<uint8_t>(result);
        }
    }
}

} // namespace

OCVStumps *obscura::openStumps(const char *path, char *message) {
    OCVStumps *result = nullptr;
    guarded(message, [&] {
        cv::FileStorage file(path, cv::FileStorage::READ);
        require(file.isOpened(), "OpenCV cannot open it");
        const cv::FileNode root = file.getFirstTopLevelNode();
        requireWhole(root);
        OCVStumps cascade = {};
        std::vector<OCVStump> stumps;
        read(root, cascade, stumps);
        listWhatIsLookedAt(cascade);
        cascade.stumpCount = static_cast<int32_t>(stumps.size());
        auto made = std::make_unique<OCVStumps>(cascade);
        auto copy = std::make_unique<OCVStump[]>(stumps.size());
        std::copy(stumps.begin(), stumps.end(), copy.get());
        made->stumps = copy.release();
        result = made.release();
        return OCVStatusDone;
    });
    return result;
}

void obscura::closeStumps(OCVStumps *stumps) {
    delete[] stumps->stumps;
    delete stumps;
}

#endif
