// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import COpenCV
internal import ObscuraBase
internal import ObscuraMedia

/// OpenCV, which is loaded on first use with the library ObscuraOpenCV.
enum OpenCV {
    /// Returns the functions of the library. The first call loads it, which takes some milliseconds.
    ///
    /// - Throws: ``ObscuraError/Code/libraryMissing``, each time.
    static func functions() throws(ObscuraError) -> OCVFunctions { try loaded.get() }

    /// Returns the version of OpenCV that the library was built with, such as 4.6.0.
    static func version() throws(ObscuraError) -> String { String(cString: try functions().version) }

    /// The loaded table. Safe because it is constant, and so are the functions to which it points.
    private nonisolated(unsafe) static let loaded = load()

    /// Loads the library; `folder` is nil for that of the program.
    static func load(_ name: String = "ObscuraOpenCV", in folder: String? = nil) -> Result<OCVFunctions, ObscuraError> {
        do throws(OptionalLibrary.Failure) {
            let library = try OptionalLibrary(name, in: folder)
            let version = Int32(OCVInterface)
            return .success(try library.table("OCVGetFunctions", version: version, as: OCVFunctions.self))
        } catch {
            let packages = ["libopencv-objdetect-dev", "libopencv-dnn-dev"]
            return .failure(.libraryMissing(.vision, "OpenCV", library: name, error, packages: packages))
        }
    }
}
