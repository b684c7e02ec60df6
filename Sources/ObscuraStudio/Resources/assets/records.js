// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/** The length of the header of each frame on the link, in bytes. */
export const HEADER_LENGTH = 24;
export const JPEG = 1;

/**
 * @typedef {object} PictureRecord
 * @property {number} kind
 * @property {boolean} isKeyFrame
 * @property {number} tile
 * @property {number} sequence of the tile's stream, for the acknowledgement
 * @property {bigint} hostTime of capture, in nanoseconds of the server's clock
 * @property {number} width
 * @property {number} height
 * @property {number} ageMicroseconds since the capture, when it was sent
 * @property {Uint8Array} picture
 */

/**
 * @param {ArrayBuffer} buffer
 * @returns {PictureRecord|null} null if it is not a record
 */
export function parseRecord(buffer) {
  if (buffer.byteLength < HEADER_LENGTH) return null;
  const view = new DataView(buffer);
  return {
    kind: view.getUint8(0),
    isKeyFrame: (view.getUint8(1) & 1) === 1,
    tile: view.getUint16(2, true),
    sequence: view.getUint32(4, true),
    hostTime: view.getBigUint64(8, true),
    width: view.getUint16(16, true),
    height: view.getUint16(18, true),
    ageMicroseconds: view.getUint32(20, true),
    picture: new Uint8Array(buffer, HEADER_LENGTH),
  };
}
