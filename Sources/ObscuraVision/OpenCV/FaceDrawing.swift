// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import COpenCV
internal import ObscuraImaging
internal import ObscuraMedia

/// The drawing of faces into BGRA, with OpenCV.
enum FaceDrawing {
    static func draw(_ faces: [Face], _ mask: FaceMask, on picture: inout PixelBuffer) throws {
        guard !faces.isEmpty else { return }
        let (width, height) = (picture.width, picture.height)
        try picture.withMutablePlanes { planes in
            let canvas = OCVCanvas(
                bytes: planes[0].base.assumingMemoryBound(to: UInt8.self), width: Int32(width), height: Int32(height),
                bytesPerRow: planes[0].bytesPerRow)
            for face in faces { try draw(face, mask, on: canvas) }
        }
    }

    private static func draw(_ face: Face, _ mask: FaceMask, on canvas: OCVCanvas) throws {
        // Two pixels at a height of 720.
        let line = Int32(min(max(1, mask.lineWidth ?? Int((Double(canvas.height) / 360).rounded())), 255))
        let color = OCVColor(
            blue: mask.color.blue, green: mask.color.green, red: mask.color.red, alpha: mask.color.alpha)
        try draw(face.bounds, color, line, on: canvas)
        if mask.showsFeatures {
            for feature in [face.leftEye, face.rightEye, face.mouth].compactMap(\.self) {
                try draw(feature, color, max(1, line / 2), on: canvas)
            }
        }
        guard mask.showsLabels, let id = face.id else { return }
        let scale = Double(canvas.height) / 1080 + 0.2
        // Above the box, or inside if there is no space.
        let functions = try OpenCV.functions()
        let above = within(face.bounds.y) - 2 * line
        let y = above > Int32(22 * scale) ? above : within(face.bounds.y) + Int32(24 * scale) + 2 * line
        try OpenCVMessage.check { message in
            "\(id)".withCString { text in
                functions.drawText(canvas, text, within(face.bounds.x), y, color, scale, line, message)
            }
        }
    }

    /// Returns the value, limited to the range of OpenCV's coordinates.
    private static func within(_ value: Int) -> Int32 {
        let limit = 1 << 20
        return Int32(min(max(value, -limit), limit))
    }

    private static func draw(_ rect: PixelRect, _ color: OCVColor, _ line: Int32, on canvas: OCVCanvas) throws {
        let bounds = OCVRect(
            x: within(rect.x), y: within(rect.y), width: within(rect.width), height: within(rect.height))
        let functions = try OpenCV.functions()
        try OpenCVMessage.check { functions.drawRect(canvas, bounds, color, line, $0) }
    }
}
