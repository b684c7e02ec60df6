// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/**
 * The rectangle of a picture of size `picture` in a box of size `box`, as the server computes it.
 * @param {'resize'|'resizeAspect'|'resizeAspectFill'} gravity
 * @returns {{x: number, y: number, width: number, height: number}} in units of the box
 */
export function placed(picture, box, gravity) {
  if (gravity === 'resize' || !picture.width || !picture.height) return { x: 0, y: 0, ...size(box) };
  const across = box.width / picture.width;
  const down = box.height / picture.height;
  const scale = gravity === 'resizeAspectFill' ? Math.max(across, down) : Math.min(across, down);
  const width = picture.width * scale;
  const height = picture.height * scale;
  return { x: (box.width - width) / 2, y: (box.height - height) / 2, width, height };
}

/** The point in fractions of the picture; null outside of the picture. */
export function unitPoint(point, picture, box, gravity) {
  const rect = placed(picture, box, gravity);
  const x = (point.x - rect.x) / rect.width;
  const y = (point.y - rect.y) / rect.height;
  return x >= 0 && x <= 1 && y >= 0 && y <= 1 ? { x, y } : null;
}

/** The size of a camera's frames after rotation by its orientation. */
export function shownSize(camera) {
  const format = camera?.format;
  if (!format) return null;
  const isTransposed = camera.orientation === 'left' || camera.orientation === 'right';
  return isTransposed ? { width: format.height, height: format.width } : size(format);
}

function size({ width, height }) {
  return { width, height };
}
