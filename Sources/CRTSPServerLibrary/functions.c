// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#ifdef OBSCURA_RTSP_SERVER

#include "CRTSPServerLibrary.h"
#include "server.h"

const RTSPFunctions *obscura_rtsp_functions(void) {
    static const RTSPFunctions functions = {
        .interface = RTSPInterface,
        .open = obscura_rtsp_open,
        .send = obscura_rtsp_send,
        .viewers = obscura_rtsp_viewers,
        .take_key_frame_wish = obscura_rtsp_take_key_frame_wish,
        .close = obscura_rtsp_close,
    };
    return &functions;
}

#endif
