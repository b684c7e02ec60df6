// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#ifdef OBSCURA_VISION

#include "guarded.hpp"
#include "wholeness.hpp"

#include <string>
#include <vector>

namespace {

const char *const notOne = "it holds no cascade in the format of OpenCV 2.4 and later";
const char *const damaged = "it is damaged";

void requireWholeFeature(const cv::FileNode &feature, bool isHaar, int width, int height) {
    const cv::FileNode rects = isHaar ? feature["rects"] : feature;
    const bool isTilted = isHaar && static_cast<int>(feature["tilted"]) != 0;
    require(rects.isSeq() || rects.isMap(), damaged);
    std::vector<cv::FileNode> places;
    if (isHaar) {
        require(rects.size() >= 1 && rects.size() <= 3, damaged);
        for (const auto &rect : rects) places.push_back(rect);
    } else {
        places.push_back(feature["rect"]);
    }
    for (const auto &place : places) {
        require(place.isSeq() && place.size() >= 4, damaged);
        int sides[4];
        for (int i = 0; i < 4; i++) sides[i] = static_cast<int>(place[i]);
        const auto [x, y, w, h] = sides;
        require(x >= 0 && y >= 0 && w >= 0 && h >= 0 && w <= width && h <= height && x <= width && y <= height, damaged);
        if (!isHaar) {
            // LBP uses three by three rectangles of this size.
            require(x + 3 * w <= width && y + 3 * h <= height, damaged);
        } else if (isTilted) {
            require(x - h >= 0 && x + w <= width && y + w + h <= height, damaged);
        } else {
            require(x + w <= width && y + h <= height, damaged);
        }
    }
}

/// A tree is a list of nodes with two children each: a positive number is the index of a later node, any other number
/// the negated index of a leaf.
void requireWholeTree(const cv::FileNode &tree, int nodeLength, int featureCount) {
    const cv::FileNode nodes = tree["internalNodes"], leaves = tree["leafValues"];
    require(nodes.isSeq() && leaves.isSeq() && nodes.size() >= 1, damaged);
    require(nodes.size() % static_cast<size_t>(nodeLength) == 0, damaged);
    const int nodeCount = static_cast<int>(nodes.size()) / nodeLength;
    require(static_cast<int>(leaves.size()) == nodeCount + 1, damaged);
    auto value = nodes.begin();
    for (int node = 0; node < nodeCount; node++) {
        for (int i = 0; i < nodeLength; i++, ++value) {
            if (i > 2) continue;
            const int number = static_cast<int>(*value);
            if (i == 2) {
                require(number >= 0 && number < featureCount, damaged);
            } else {
                require(number > 0 ? number > node && number < nodeCount : number >= -nodeCount, damaged);
            }
        }
    }
}

} // namespace

void requireWhole(const cv::FileNode &cascade) {
    require(cascade.isMap() && cascade["stages"].isSeq() && cascade["features"].isSeq(), notOne);
    const std::string kind = static_cast<std::string>(cascade["featureType"]);
    require(static_cast<std::string>(cascade["stageType"]) == "BOOST" && (kind == "HAAR" || kind == "LBP"), notOne);
    const bool isHaar = kind == "HAAR";
    const int width = static_cast<int>(cascade["width"]), height = static_cast<int>(cascade["height"]);
    require(width > 2 && height > 2 && width <= 1024 && height <= 1024, damaged);
    const int categories = static_cast<int>(cascade["featureParams"]["maxCatCount"]);
    require(isHaar ? categories == 0 : categories > 0 && categories <= 256, damaged);
    // A node has two children, a feature, and a threshold or a bit set of categories with 32 bits per number.
    const int nodeLength = 3 + (categories > 0 ? (categories + 31) / 32 : 1);
    const cv::FileNode features = cascade["features"], stages = cascade["stages"];
    for (const auto &feature : features) requireWholeFeature(feature, isHaar, width, height);
    require(stages.size() >= 1, damaged);
    for (const auto &stage : stages) {
        const cv::FileNode trees = stage["weakClassifiers"];
        require(trees.isSeq() && trees.size() >= 1, damaged);
        for (const auto &tree : trees) requireWholeTree(tree, nodeLength, static_cast<int>(features.size()));
    }
}

#endif
