// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// As on Apple's platforms, `import Vision` also provides the types of images.
@_exported public import CoreImage
@_exported public import CoreMedia
@_exported public import Foundation
