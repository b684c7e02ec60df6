// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/**
 * An HLS media playlist: its first sequence number, the addresses of its segments and of the initialization segment,
 * the duration of the longest in seconds, and whether the broadcast is over.
 */
export function parsePlaylist(text, base) {
  const list = { map: null, first: 0, segments: [], longest: 0, isEnded: false };
  for (const line of text.split(/\r?\n/)) {
    const [, tag, value] = line.match(/^#(EXT[A-Z0-9-]*):?(.*)/) ?? [];
    if (tag === 'EXT-X-MEDIA-SEQUENCE') list.first = Number(value);
    else if (tag === 'EXT-X-MAP') list.map = new URL(value.match(/URI="([^"]*)"/)?.[1] ?? '', base);
    else if (tag === 'EXTINF') list.longest = Math.max(list.longest, parseFloat(value));
    else if (tag === 'EXT-X-ENDLIST') list.isEnded = true;
    else if (line && !line.startsWith('#')) list.segments.push(new URL(line, base));
  }
  return list;
}

/** The MIME type of an initialization segment, from its sample descriptions. */
export function mediaType(bytes) {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const codecs = [];
  const description = text.indexOf('avcC');
  if (description >= 0) {
    const profile = bytes.subarray(description + 5, description + 8);
    codecs.push(`avc1.${Array.from(profile, (byte) => byte.toString(16).padStart(2, '0')).join('')}`);
  }
  if (text.includes('mp4a')) codecs.push('mp4a.40.2');
  return `video/mp4; codecs="${codecs.join(', ')}"`;
}
