// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/**
 * Parts of a picture in fractions of its sides, as pure values.
 * @typedef {{x: number, y: number, width: number, height: number}} Rect
 */
export const WHOLE = Object.freeze({ x: 0, y: 0, width: 1, height: 1 });
const LEAST = 0.05;
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** The largest centered part with this ratio of fractions (not of pixels); the whole for null. */
export function fitted(ratio) {
  if (!ratio) return { ...WHOLE };
  const width = Math.min(1, ratio);
  const height = Math.min(1, 1 / ratio);
  return { x: (1 - width) / 2, y: (1 - height) / 2, width, height };
}

export function moved(rect, dx, dy) {
  return { ...rect, x: clamp(rect.x + dx, 0, 1 - rect.width), y: clamp(rect.y + dy, 0, 1 - rect.height) };
}

/**
 * The part after dragging one corner; the opposite one stays.
 * @param {Rect} rect
 * @param {'nw'|'ne'|'sw'|'se'} corner
 * @param {number|null} ratio the fixed ratio; null for none
 * @returns {Rect}
 */
export function resized(rect, corner, dx, dy, ratio = null) {
  const isWest = corner.includes('w');
  const isNorth = corner.includes('n');
  const anchorX = isWest ? rect.x + rect.width : rect.x;
  const anchorY = isNorth ? rect.y + rect.height : rect.y;
  const roomX = isWest ? anchorX : 1 - anchorX;
  const roomY = isNorth ? anchorY : 1 - anchorY;
  let width = clamp(rect.width + (isWest ? -dx : dx), Math.min(LEAST, roomX), roomX);
  let height = clamp(rect.height + (isNorth ? -dy : dy), Math.min(LEAST, roomY), roomY);
  if (ratio) {
    // The side that was dragged farther decides; both must stay inside.
    const isWide = Math.abs(dx) >= Math.abs(dy) * ratio;
    width = Math.min(Math.max(LEAST, LEAST * ratio, isWide ? width : height * ratio), roomX, roomY * ratio);
    height = width / ratio;
  }
  return { x: isWest ? anchorX - width : anchorX, y: isNorth ? anchorY - height : anchorY, width, height };
}

/** The same part after the picture was rotated clockwise by this number of quarter turns. */
export function turned(rect, quarters) {
  let result = rect;
  for (let turn = 0; turn < (((quarters % 4) + 4) % 4); turn += 1) {
    result = { x: 1 - result.y - result.height, y: result.x, width: result.height, height: result.width };
  }
  return result;
}

export function mirrored(rect) {
  return { ...rect, x: 1 - rect.x - rect.width };
}

/** `rect` of the whole, in fractions of `part`. */
export function within(rect, part) {
  return {
    x: (rect.x - part.x) / part.width, y: (rect.y - part.y) / part.height,
    width: rect.width / part.width, height: rect.height / part.height,
  };
}

/** `rect` of `part`, in fractions of the whole. */
export function outOf(rect, part) {
  return {
    x: part.x + rect.x * part.width, y: part.y + rect.y * part.height,
    width: rect.width * part.width, height: rect.height * part.height,
  };
}

/** The part of `rect` inside the picture; null if there is none. */
export function clipped(rect) {
  const x = clamp(rect.x, 0, 1);
  const y = clamp(rect.y, 0, 1);
  const width = clamp(rect.x + rect.width, 0, 1) - x;
  const height = clamp(rect.y + rect.height, 0, 1) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** The scale of the largest upright part of the same shape in a picture rotated by `degrees`. */
export function straightScale({ width, height }, degrees) {
  const angle = (Math.abs(degrees) * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  return Math.min(width / (width * cosine + height * sine), height / (width * sine + height * cosine));
}

/** The position of a part when the straightening of a picture of `size` changes from `from` to `to` degrees. */
export function restraightened(rect, size, from, to) {
  const [before, after] = [straightScale(size, from), straightScale(size, to)];
  const x = (rect.x + rect.width / 2 - 0.5) * size.width * before;
  const y = (rect.y + rect.height / 2 - 0.5) * size.height * before;
  const angle = ((to - from) * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const width = (rect.width * before) / after;
  const height = (rect.height * before) / after;
  return {
    x: 0.5 + (cosine * x - sine * y) / (size.width * after) - width / 2,
    y: 0.5 + (sine * x + cosine * y) / (size.height * after) - height / 2,
    width, height,
  };
}
