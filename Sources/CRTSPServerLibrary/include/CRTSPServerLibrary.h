// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

// The shared library ObscuraRTSPServer, which the target ObscuraBroadcast loads on first use. It is the only part of
// Obscura that needs GStreamer.
#ifndef OBSCURA_RTSP_SERVER_LIBRARY_H
#define OBSCURA_RTSP_SERVER_LIBRARY_H

#include "CRTSPServer.h"

/// Returns the functions, which are constant. ObscuraBroadcast finds this one by its name.
const RTSPFunctions *obscura_rtsp_functions(void);

#endif
