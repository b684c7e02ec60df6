// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia

/// The sound of the engine, and not the C structure of that name in CoreMedia.
typealias AudioBuffer = ObscuraMedia.AudioBuffer
