// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The sound of the engine, and not the C structure of that name.
typealias AudioBuffer = Obscura.AudioBuffer
