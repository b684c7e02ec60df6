// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// GPU memory (VA-API), for an encoder that accepts frames only from there. Not thread-safe: use one thread at a time.
package final class HardwareFrames {
    private var device: UnsafeMutablePointer<AVBufferRef>?
    private var frames: UnsafeMutablePointer<AVBufferRef>?

    /// Returns nil if there is no such GPU.
    package init?(size: PixelSize) {
        guard libav.av_hwdevice_ctx_create(&device, AV_HWDEVICE_TYPE_VAAPI, nil, nil, 0) >= 0, let device,
            let made = libav.av_hwframe_ctx_alloc(device)
        else { return nil }
        frames = made
        made.pointee.data.withMemoryRebound(to: AVHWFramesContext.self, capacity: 1) { context in
            context.pointee.format = AV_PIX_FMT_VAAPI
            context.pointee.sw_format = AV_PIX_FMT_NV12
            context.pointee.width = Int32(size.width)
            context.pointee.height = Int32(size.height)
            context.pointee.initial_pool_size = 20
        }
        guard libav.av_hwframe_ctx_init(made) >= 0 else { return nil }
    }

    deinit {
        libav.av_buffer_unref(&frames)
        libav.av_buffer_unref(&device)
    }

    /// Sets the encoder to use frames of this GPU.
    func attach(to encoder: UnsafeMutablePointer<AVCodecContext>) {
        encoder.pointee.pix_fmt = AV_PIX_FMT_VAAPI
        encoder.pointee.hw_frames_ctx = frames.flatMap { libav.av_buffer_ref($0) }
    }

    /// Copies a frame to GPU memory.
    package func upload(_ frame: Frame) throws(ObscuraError) -> Frame {
        guard let uploaded = Frame(), let frames else { throw .outOfMemory(.recording, "frame") }
        var status = libav.av_hwframe_get_buffer(frames, uploaded.pointer, 0)
        if status >= 0 { status = libav.av_hwframe_transfer_data(uploaded.pointer, frame.pointer, 0) }
        if status >= 0 { status = libav.av_frame_copy_props(uploaded.pointer, frame.pointer) }
        guard status >= 0 else {
            throw ObscuraError(
                .recording, .encoderFailed, subject: "VA-API",
                reason: "a frame cannot be copied to the GPU: \(FFmpegCode.text(status))")
        }
        return uploaded
    }
}
