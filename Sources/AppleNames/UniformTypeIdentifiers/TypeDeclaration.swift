// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// A type and its place among the others.
struct TypeDeclaration: Sendable {
    let identifier: String
    /// The identifiers of the types to which it conforms directly.
    let supertypes: [String]
    let tags: [UTTagClass: [String]]

    init(_ identifier: String, _ supertypes: [String], extensions: [String] = [], mimeTypes: [String] = []) {
        self.identifier = identifier
        self.supertypes = supertypes
        tags = [.filenameExtension: extensions, .mimeType: mimeTypes].filter { !$0.value.isEmpty }
    }

    /// All types. Of several types with one tag, the usual one comes first.
    static let all = general + texts + documents + images + movies + sounds

    static let byIdentifier = Dictionary(uniqueKeysWithValues: all.map { ($0.identifier, $0) })

    static let byTag = {
        var found: [UTTagClass: [String: [TypeDeclaration]]] = [:]
        for type in all {
            for (tagClass, tags) in type.tags {
                for tag in tags { found[tagClass, default: [:]][tag, default: []].append(type) }
            }
        }
        return found
    }()

    private static let general = [
        TypeDeclaration("public.item", []),
        TypeDeclaration("public.content", []),
        TypeDeclaration("public.composite-content", ["public.content"]),
        TypeDeclaration("public.data", ["public.item"]),
        TypeDeclaration("public.directory", ["public.item"]),
        TypeDeclaration("public.folder", ["public.directory"]),
        TypeDeclaration("public.url", ["public.data"]),
        TypeDeclaration("public.file-url", ["public.url"]),
    ]

    private static let texts = [
        TypeDeclaration("public.text", ["public.data", "public.content"]),
        TypeDeclaration(
            "public.plain-text", ["public.text"], extensions: ["txt", "text"], mimeTypes: ["text/plain"]),
        TypeDeclaration("public.utf8-plain-text", ["public.plain-text"]),
        TypeDeclaration("public.rtf", ["public.text"], extensions: ["rtf"], mimeTypes: ["text/rtf"]),
        TypeDeclaration("public.html", ["public.text"], extensions: ["html", "htm"], mimeTypes: ["text/html"]),
        TypeDeclaration(
            "public.xml", ["public.text"], extensions: ["xml"], mimeTypes: ["application/xml", "text/xml"]),
        TypeDeclaration("public.json", ["public.text"], extensions: ["json"], mimeTypes: ["application/json"]),
        TypeDeclaration("public.delimited-values-text", ["public.text"]),
        TypeDeclaration(
            "public.comma-separated-values-text", ["public.delimited-values-text"], extensions: ["csv"],
            mimeTypes: ["text/csv"]),
    ]

    private static let documents = [
        TypeDeclaration(
            "com.adobe.pdf", ["public.data", "public.composite-content"], extensions: ["pdf"],
            mimeTypes: ["application/pdf"]),
        TypeDeclaration("public.archive", []),
        TypeDeclaration(
            "public.zip-archive", ["public.data", "public.archive"], extensions: ["zip"],
            mimeTypes: ["application/zip"]),
    ]

    private static let images = [
        TypeDeclaration("public.image", ["public.data", "public.content"]),
        TypeDeclaration(
            "public.jpeg", ["public.image"], extensions: ["jpeg", "jpg", "jpe"], mimeTypes: ["image/jpeg", "image/jpg"]),
        TypeDeclaration("public.png", ["public.image"], extensions: ["png"], mimeTypes: ["image/png"]),
        TypeDeclaration("public.tiff", ["public.image"], extensions: ["tiff", "tif"], mimeTypes: ["image/tiff"]),
        TypeDeclaration("com.compuserve.gif", ["public.image"], extensions: ["gif"], mimeTypes: ["image/gif"]),
        TypeDeclaration("com.microsoft.bmp", ["public.image"], extensions: ["bmp", "dib"], mimeTypes: ["image/bmp"]),
        TypeDeclaration(
            "com.microsoft.ico", ["public.image"], extensions: ["ico"], mimeTypes: ["image/vnd.microsoft.icon"]),
        TypeDeclaration(
            "public.heif-standard", ["public.image"], extensions: ["heif", "hif"], mimeTypes: ["image/heif"]),
        TypeDeclaration("public.heic", ["public.heif-standard"], extensions: ["heic"], mimeTypes: ["image/heic"]),
        TypeDeclaration("public.avif", ["public.image"], extensions: ["avif"], mimeTypes: ["image/avif"]),
        TypeDeclaration("org.webmproject.webp", ["public.image"], extensions: ["webp"], mimeTypes: ["image/webp"]),
        TypeDeclaration(
            "public.svg-image", ["public.image"], extensions: ["svg"], mimeTypes: ["image/svg+xml"]),
        TypeDeclaration("public.camera-raw-image", ["public.image"]),
        TypeDeclaration(
            "com.adobe.raw-image", ["public.camera-raw-image"], extensions: ["dng"],
            mimeTypes: ["image/x-adobe-dng"]),
    ]

    private static let movies = [
        TypeDeclaration("public.audiovisual-content", ["public.data", "public.content"]),
        TypeDeclaration("public.movie", ["public.audiovisual-content"]),
        TypeDeclaration("public.video", ["public.movie"]),
        TypeDeclaration(
            "com.apple.quicktime-movie", ["public.movie"], extensions: ["mov", "qt"], mimeTypes: ["video/quicktime"]),
        TypeDeclaration(
            "public.mpeg-4", ["public.movie"], extensions: ["mp4", "mpg4"], mimeTypes: ["video/mp4"]),
        TypeDeclaration(
            "com.apple.m4v-video", ["public.mpeg-4"], extensions: ["m4v"], mimeTypes: ["video/x-m4v"]),
        TypeDeclaration(
            "public.mpeg", ["public.movie"], extensions: ["mpg", "mpeg", "mpe"], mimeTypes: ["video/mpeg"]),
        TypeDeclaration(
            "public.mpeg-2-video", ["public.video"], extensions: ["m2v"], mimeTypes: ["video/mpeg2"]),
        TypeDeclaration(
            "public.mpeg-2-transport-stream", ["public.movie"], extensions: ["ts"], mimeTypes: ["video/mp2t"]),
        TypeDeclaration(
            "public.avi", ["public.movie"], extensions: ["avi"], mimeTypes: ["video/avi", "video/x-msvideo"]),
        TypeDeclaration("public.3gpp", ["public.movie"], extensions: ["3gp", "3gpp"], mimeTypes: ["video/3gpp"]),
        TypeDeclaration(
            "org.matroska.mkv", ["public.movie"], extensions: ["mkv"], mimeTypes: ["video/x-matroska"]),
        TypeDeclaration("org.webmproject.webm", ["public.movie"], extensions: ["webm"], mimeTypes: ["video/webm"]),
    ]

    private static let sounds = [
        TypeDeclaration("public.audio", ["public.audiovisual-content"]),
        TypeDeclaration(
            "public.mp3", ["public.audio"], extensions: ["mp3", "mpga"], mimeTypes: ["audio/mpeg", "audio/mp3"]),
        TypeDeclaration(
            "public.mpeg-4-audio", ["public.mpeg-4", "public.audio"], extensions: ["mp4"], mimeTypes: ["audio/mp4"]),
        TypeDeclaration(
            "com.apple.m4a-audio", ["public.mpeg-4-audio"], extensions: ["m4a"], mimeTypes: ["audio/x-m4a"]),
        TypeDeclaration("public.aac-audio", ["public.audio"], extensions: ["aac"], mimeTypes: ["audio/aac"]),
        TypeDeclaration(
            "public.aiff-audio", ["public.audio"], extensions: ["aiff", "aif"], mimeTypes: ["audio/aiff"]),
        TypeDeclaration(
            "com.microsoft.waveform-audio", ["public.audio"], extensions: ["wav", "wave"],
            mimeTypes: ["audio/vnd.wave", "audio/wav", "audio/x-wav"]),
        TypeDeclaration(
            "org.xiph.flac", ["public.audio"], extensions: ["flac"], mimeTypes: ["audio/flac"]),
    ]
}
