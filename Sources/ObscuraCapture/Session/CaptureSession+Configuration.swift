// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension CaptureSession {
    /// What is being changed within ``CaptureSession/configure(_:)``: all of it takes effect at once, or
    /// none of it.
    public struct Configuration {
        var graph: SessionGraph

        /// Which mode the cameras run in; `high` unless set. A source with one mode keeps it.
        public var preset: Preset {
            get { graph.preset }
            set { graph.preset = newValue }
        }

        /// The cameras, in the order in which they were added.
        public var inputs: [CaptureDeviceInput] { graph.inputs }
        /// The outputs, in the order in which they were added.
        public var outputs: [any CaptureOutput] { graph.outputs }

        /// - Throws: ``ObscuraError/Code/invalidConfiguration`` if it is there already.
        public mutating func addInput(_ input: CaptureDeviceInput) throws(ObscuraError) {
            try graph.add(input)
        }

        /// Outputs that took from it take from the first input that is left or comes.
        public mutating func removeInput(_ input: CaptureDeviceInput) {
            graph.remove(input)
        }

        /// Puts another device in the place of one: what took from the one takes from the other.
        ///
        /// - Throws: ``ObscuraError/Code/invalidConfiguration`` if it is not in the session.
        public mutating func replaceInput(
            _ input: CaptureDeviceInput, with other: CaptureDeviceInput
        ) throws(ObscuraError) {
            try graph.replace(input, with: other)
        }

        /// The output takes from the first input, unless it is connected to another one.
        ///
        /// - Throws: ``ObscuraError/Code/invalidConfiguration`` if it is there already.
        public mutating func addOutput(_ output: any CaptureOutput) throws(ObscuraError) {
            try graph.add(output)
        }

        /// Its readers end.
        public mutating func removeOutput(_ output: any CaptureOutput) {
            graph.remove(output)
        }

        /// - Throws: ``ObscuraError/Code/invalidConfiguration`` if one of the two is not in the session.
        public mutating func connect(
            _ output: any CaptureOutput, to input: CaptureDeviceInput
        ) throws(ObscuraError) {
            try graph.connect(output, to: input)
        }

        /// Chooses one of the device's formats, whatever the preset says; nil goes by the preset again.
        ///
        /// - Throws: ``ObscuraError/Code/invalidConfiguration`` if the input is not in the session.
        public mutating func setFormat(
            _ format: VideoFormat?, for input: CaptureDeviceInput
        ) throws(ObscuraError) {
            try graph.setFormat(format, for: input)
        }

        /// Chooses in which form a device gives sound; nil leaves it to the device. A device that has no such form
        /// gives the nearest one.
        ///
        /// - Throws: ``ObscuraError/Code/invalidConfiguration`` if the input is not in the session.
        public mutating func setAudioFormat(
            _ format: AudioFormat?, for input: CaptureDeviceInput
        ) throws(ObscuraError) {
            try graph.setAudioFormat(format, for: input)
        }
    }
}
