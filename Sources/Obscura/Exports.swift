// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// A single import provides the whole API.
@_exported public import ObscuraBroadcast
@_exported public import ObscuraCapture
@_exported public import ObscuraDevices
@_exported public import ObscuraImaging
@_exported public import ObscuraMedia
@_exported public import ObscuraMovies
@_exported public import ObscuraVision
