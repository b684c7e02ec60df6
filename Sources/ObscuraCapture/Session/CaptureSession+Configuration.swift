// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension CaptureSession {
    /// The changes made within ``CaptureSession/configure(_:)``. Either all changes take effect at once, or none.
    public struct Configuration {
        var graph: SessionGraph

        /// The preset that selects the modes of the cameras (default: `high`). Does not apply to a source with a single
        /// mode.
        public var preset: Preset {
            get { graph.preset }
            set { graph.preset = newValue }
        }

        /// The inputs, in the order in which they were added.
        public var inputs: [CaptureDeviceInput] { graph.inputs }
        /// The outputs, in the order in which they were added.
        public var outputs: [CaptureOutput] { graph.outputs }

        /// Adds an input.
        ///
        /// - Throws: ``ObscuraError/Code/invalidConfiguration`` if the input is already in the session.
        public mutating func addInput(_ input: CaptureDeviceInput) throws(ObscuraError) {
            try graph.add(input)
        }

        /// Removes an input. The outputs of the input are connected to the first remaining input of their media type.
        /// If no such input remains, the outputs are connected to the next input of this type that is added.
        public mutating func removeInput(_ input: CaptureDeviceInput) {
            graph.remove(input)
        }

        /// Replaces an input by another. The outputs of the old input are connected to the new input.
        ///
        /// - Throws: ``ObscuraError/Code/invalidConfiguration`` if the old input is not in the session.
        public mutating func replaceInput(
            _ input: CaptureDeviceInput, with other: CaptureDeviceInput
        ) throws(ObscuraError) {
            try graph.replace(input, with: other)
        }

        /// Adds an output. The output is connected to the first input of its media type, unless
        /// ``connect(_:to:)-(CaptureOutput,_)`` selects another input. If an output has several connections for one
        /// media type, its second connection is connected to the second input, and so on.
        ///
        /// - Throws: ``ObscuraError/Code/invalidConfiguration`` if the output is already in the session.
        public mutating func addOutput(_ output: CaptureOutput) throws(ObscuraError) {
            try graph.add(output)
        }

        /// Removes an output and ends its readers.
        public mutating func removeOutput(_ output: CaptureOutput) {
            graph.remove(output)
        }

        /// Connects an output to an input.
        ///
        /// - Throws: ``ObscuraError/Code/invalidConfiguration`` if the input or the output is not in the session, or if the
        ///   output has several connections for a media type of the input.
        public mutating func connect(
            _ output: CaptureOutput, to input: CaptureDeviceInput
        ) throws(ObscuraError) {
            try graph.connect(output, to: input)
        }

        /// Connects one of the connections of an output to an input.
        ///
        /// - Throws: ``ObscuraError/Code/invalidConfiguration`` if the input or the output is not in the session, or if the
        ///   input does not deliver the media type.
        public mutating func connect(
            _ connection: CaptureConnection, to input: CaptureDeviceInput
        ) throws(ObscuraError) {
            try graph.connect(connection, to: input)
        }

        /// Selects one of the device's formats instead of the format that the preset selects. With nil the preset
        /// selects the format again.
        ///
        /// - Throws: ``ObscuraError/Code/invalidConfiguration`` if the input is not in the session.
        public mutating func setFormat(
            _ format: VideoFormat?, for input: CaptureDeviceInput
        ) throws(ObscuraError) {
            try graph.setFormat(format, for: input)
        }

        /// Selects the audio format of a device; nil leaves the choice to the device. If the device does not support
        /// the format, the device uses a different format.
        ///
        /// - Throws: ``ObscuraError/Code/invalidConfiguration`` if the input is not in the session.
        public mutating func setAudioFormat(
            _ format: AudioFormat?, for input: CaptureDeviceInput
        ) throws(ObscuraError) {
            try graph.setAudioFormat(format, for: input)
        }
    }
}
