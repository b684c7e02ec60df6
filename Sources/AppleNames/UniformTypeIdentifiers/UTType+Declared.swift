// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

extension UTType {
    // MARK: General

    /// The base of files and folders.
    public static let item = known("public.item")
    /// The base of everything that a user views.
    public static let content = known("public.content")
    /// Documents of several kinds of contents.
    public static let compositeContent = known("public.composite-content")
    /// The base of all data, such as the contents of files.
    public static let data = known("public.data")
    /// The base of folders and packages.
    public static let directory = known("public.directory")
    /// A folder.
    public static let folder = known("public.folder")
    /// A URL.
    public static let url = known("public.url")
    /// The URL of a file.
    public static let fileURL = known("public.file-url")

    // MARK: Texts and documents

    /// The base of texts, with or without markup.
    public static let text = known("public.text")
    /// Text without markup.
    public static let plainText = known("public.plain-text")
    /// Text without markup, in UTF-8.
    public static let utf8PlainText = known("public.utf8-plain-text")
    /// Rich Text Format.
    public static let rtf = known("public.rtf")
    /// HTML.
    public static let html = known("public.html")
    /// XML.
    public static let xml = known("public.xml")
    /// JSON.
    public static let json = known("public.json")
    /// Tables as text.
    public static let delimitedText = known("public.delimited-values-text")
    /// Tables with commas between values (`.csv`).
    public static let commaSeparatedText = known("public.comma-separated-values-text")
    /// PDF.
    public static let pdf = known("com.adobe.pdf")
    /// The base of archives.
    public static let archive = known("public.archive")
    /// A ZIP archive.
    public static let zip = known("public.zip-archive")

    // MARK: Images

    /// The base of images.
    public static let image = known("public.image")
    /// JPEG.
    public static let jpeg = known("public.jpeg")
    /// PNG.
    public static let png = known("public.png")
    /// TIFF.
    public static let tiff = known("public.tiff")
    /// GIF.
    public static let gif = known("com.compuserve.gif")
    /// A Windows bitmap.
    public static let bmp = known("com.microsoft.bmp")
    /// A Windows icon.
    public static let ico = known("com.microsoft.ico")
    /// High Efficiency Image File Format.
    public static let heif = known("public.heif-standard")
    /// HEIF with HEVC.
    public static let heic = known("public.heic")
    /// WebP.
    public static let webP = known("org.webmproject.webp")
    /// SVG.
    public static let svg = known("public.svg-image")
    /// The base of the raw formats of cameras.
    public static let rawImage = known("public.camera-raw-image")

    // MARK: Movies and sound

    /// The base of movies and sound.
    public static let audiovisualContent = known("public.audiovisual-content")
    /// The base of movies, with or without sound.
    public static let movie = known("public.movie")
    /// The base of video without sound.
    public static let video = known("public.video")
    /// QuickTime (`.mov`).
    public static let quickTimeMovie = known("com.apple.quicktime-movie")
    /// MPEG-4 (`.mp4`).
    public static let mpeg4Movie = known("public.mpeg-4")
    /// MPEG-1 or MPEG-2.
    public static let mpeg = known("public.mpeg")
    /// MPEG-2 without sound.
    public static let mpeg2Video = known("public.mpeg-2-video")
    /// An MPEG-2 transport stream (`.ts`).
    public static let mpeg2TransportStream = known("public.mpeg-2-transport-stream")
    /// Audio Video Interleave.
    public static let avi = known("public.avi")
    /// The base of sound without video.
    public static let audio = known("public.audio")
    /// MP3.
    public static let mp3 = known("public.mp3")
    /// MPEG-4 with sound only.
    public static let mpeg4Audio = known("public.mpeg-4-audio")
    /// AIFF.
    public static let aiff = known("public.aiff-audio")
    /// WAVE.
    public static let wav = known("com.microsoft.waveform-audio")

    /// A type of this module. The identifier is in the list of declarations, so that the type has tags and supertypes.
    private static func known(_ identifier: String) -> UTType {
        UTType(identifier) ?? UTType(TypeDeclaration(identifier, []))
    }
}
