// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CRTSPServer
internal import ObscuraBase
internal import ObscuraMedia

/// GStreamer's RTSP server, which is loaded on first use with the library ObscuraRTSPServer.
enum GStreamer {
    /// The functions of the library. The first call loads it, which takes some milliseconds.
    ///
    /// - Throws: ``ObscuraError/Code/libraryMissing``, each time.
    static func functions() throws(ObscuraError) -> RTSPFunctions { try loaded.get() }

    /// The packages with the elements that the server uses.
    static let plugins = ["gstreamer1.0-plugins-base", "gstreamer1.0-plugins-good"]

    /// The loaded table.
    private static let loaded = load()

    /// Loads the library; `folder` is nil for that of the program.
    static func load(
        _ name: String = "ObscuraRTSPServer", in folder: String? = nil
    ) -> Result<RTSPFunctions, ObscuraError> {
        do throws(OptionalLibrary.Failure) {
            let library = try OptionalLibrary(name, in: folder)
            let version = Int32(RTSPInterface)
            return .success(try library.table("obscura_rtsp_functions", version: version, as: RTSPFunctions.self))
        } catch {
            let packages = ["libgstrtspserver-1.0-0"] + plugins
            return .failure(.libraryMissing(.broadcast, "RTSP server", library: name, error, packages: packages))
        }
    }
}
