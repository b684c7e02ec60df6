// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// As on Apple's platforms, `import AVFoundation` also provides these modules; CoreMedia provides CoreVideo and
// the names of Core Graphics.
@_exported public import CoreMedia
@_exported public import Dispatch
@_exported public import Foundation
