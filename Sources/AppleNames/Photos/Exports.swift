// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// As on Apple's platforms, `import Photos` also provides the names of Foundation. Images are those of UIKit.
@_exported public import Foundation
