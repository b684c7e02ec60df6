// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { clipped, mirrored, outOf, turned, within } from './rects.js';

/**
 * The edits of the editor: at most one of each kind, in the order rotate, mirror, straighten, crop, red eyes, light.
 *
 * @typedef {object} Edits
 * @property {number} turn clockwise, in quarters, 0 to 3
 * @property {boolean} isMirrored after the turn
 * @property {number} degrees of the straightening, clockwise
 * @property {import('./rects.js').Rect|null} crop of the straightened picture
 * @property {import('./rects.js').Rect[]} eyes of the straightened picture, before the crop
 * @property {boolean} isEnhanced
 */
const TURNS = [null, 'right', 'down', 'left'];
const EXACT = 1e5;

/** @returns {Edits} */
export function noEdits() {
  return { turn: 0, isMirrored: false, degrees: 0, crop: null, eyes: [], isEnhanced: false };
}

/** The recipe as the API represents it. */
export function recipeOf(edits) {
  const list = [];
  if (edits.turn) list.push({ kind: 'rotate', turn: TURNS[edits.turn] });
  if (edits.isMirrored) list.push({ kind: 'mirror' });
  if (edits.degrees) list.push({ kind: 'straighten', degrees: edits.degrees });
  if (edits.crop) list.push({ kind: 'crop', ...rounded(edits.crop) });
  const parts = edits.eyes.map((eye) => clipped(edits.crop ? within(eye, edits.crop) : eye)).filter(Boolean).map(rounded);
  if (parts.length) list.push({ kind: 'redEye', parts });
  if (edits.isEnhanced) list.push({ kind: 'enhance' });
  return { edits: list };
}

/**
 * The editor's edits for a recipe.
 * @returns {{edits: Edits, isWhole: boolean}} `isWhole` is false if the recipe has edits unknown to the editor
 */
export function editsOf(recipe) {
  const edits = noEdits();
  let isWhole = true;
  for (const edit of recipe?.edits ?? []) {
    switch (edit.kind) {
      case 'rotate':
        turn(edits, TURNS.indexOf(edit.turn));
        break;
      case 'mirror':
        mirror(edits);
        break;
      case 'straighten':
        // After a crop the rotation has another center.
        if (edits.crop || edits.degrees || edits.eyes.length) isWhole = false;
        else edits.degrees = edit.degrees;
        break;
      case 'crop':
        edits.crop = outOf(edit, edits.crop ?? { x: 0, y: 0, width: 1, height: 1 });
        break;
      case 'redEye':
        edits.eyes.push(...edit.parts.map((part) => (edits.crop ? outOf(part, edits.crop) : { ...part })));
        break;
      case 'enhance':
        edits.isEnhanced = true;
        break;
      default:
        isWhole = false;
    }
  }
  return { edits, isWhole };
}

/** Rotates the visible picture clockwise by this number of quarter turns. */
export function turn(edits, quarters) {
  // Mirroring follows the rotation, so a mirrored picture rotates the other way.
  edits.turn = (((edits.turn + (edits.isMirrored ? -quarters : quarters)) % 4) + 4) % 4;
  if (edits.crop) edits.crop = turned(edits.crop, quarters);
  edits.eyes = edits.eyes.map((eye) => turned(eye, quarters));
}

/** Mirrors the visible picture, which also negates the straightening angle. */
export function mirror(edits) {
  edits.isMirrored = !edits.isMirrored;
  edits.degrees = edits.degrees ? -edits.degrees : 0;
  if (edits.crop) edits.crop = mirrored(edits.crop);
  edits.eyes = edits.eyes.map(mirrored);
}

export function isSame(one, other) {
  return JSON.stringify(recipeOf(one)) === JSON.stringify(recipeOf(other));
}

/** Rounds inwards by less than a pixel of any picture, so that no part exceeds its picture. */
function rounded({ x, y, width, height }) {
  const left = Math.round(x * EXACT) / EXACT;
  const top = Math.round(y * EXACT) / EXACT;
  return {
    x: left, y: top,
    width: Math.min(Math.round(width * EXACT) / EXACT, Math.floor((1 - left) * EXACT) / EXACT),
    height: Math.min(Math.round(height * EXACT) / EXACT, Math.floor((1 - top) * EXACT) / EXACT),
  };
}
