// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { button, element } from './dom.js';

/** The shapes of the crop frame, each followed by its portrait form. */
export const SHAPES = [
  { name: 'free', label: 'Free' }, { name: 'original', label: 'Original' }, { name: 'square', label: 'Square', ratio: 1 },
  { name: '4x3', label: '4:3', ratio: 4 / 3, upright: '3x4' }, { name: '3x4', label: '3:4', ratio: 3 / 4, upright: '4x3' },
  { name: '3x2', label: '3:2', ratio: 3 / 2, upright: '2x3' }, { name: '2x3', label: '2:3', ratio: 2 / 3, upright: '3x2' },
  { name: '16x9', label: '16:9', ratio: 16 / 9, upright: '9x16' }, { name: '9x16', label: '9:16', ratio: 9 / 16, upright: '16x9' },
];
export const STEEPEST = 45;

/**
 * The shapes for fixed ratios; all shapes for none.
 * @param {{width: number, height: number}[]} ratios
 */
export function shapesOf(ratios) {
  if (!ratios.length) return SHAPES;
  const name = ({ width, height }) => `${width}x${height}`;
  return ratios.map((ratio) => ({
    name: name(ratio), label: `${ratio.width}:${ratio.height}`, ratio: ratio.width / ratio.height,
    upright: ratios.map(name).find((other) => other === `${ratio.height}x${ratio.width}`),
  }));
}

/**
 * The parts of the editor's dialog, by name; the editor provides their actions.
 * @param {Record<string, (value?: any) => void>} does
 * @param {typeof SHAPES} choices the shapes of the crop frame
 */
export function editorDialog(does, choices = SHAPES) {
  const image = element('img', { id: 'editor-image', class: 'editor-image', alt: '', draggable: 'false' });
  const eyes = element('div', { id: 'editor-eyes', class: 'editor-eyes' });
  const box = element('div', { id: 'editor-box', class: 'editor-box' }, element('div', { class: 'editor-clip' }, image), eyes);
  const result = element('img', { id: 'editor-result', class: 'editor-result', alt: '', hidden: true, title: 'Click to continue editing', onclick: () => does.goOn() });
  const stage = element('div', { id: 'editor-stage', class: 'editor-stage' }, box, result);
  const title = element('h2', { id: 'editor-title' });
  const note = element('p', { id: 'editor-note', class: 'hint', hidden: true });
  const shapes = choices.map(({ name, label }) => element('button', {
    type: 'button', class: 'chip', id: `shape-${name}`, text: label, 'aria-pressed': 'false', onclick: () => does.shape(name), data: { shape: name },
  }));
  const degrees = element('input', { id: 'straighten', type: 'range', min: -STEEPEST, max: STEEPEST, step: 0.5, value: 0, oninput: () => does.straighten(degrees.valueAsNumber) });
  const degreesText = element('output', { id: 'straighten-value', for: 'straighten' });
  const toggle = (id, label, drawing, onclick) => button({ id, label, drawing, onclick, 'aria-pressed': 'false' });
  const parts = {
    image, eyes, box, result, stage, title, note, shapes, degrees, degreesText,
    mirror: toggle('editor-mirror', 'Mirror', 'mirror', () => does.mirror()),
    enhance: toggle('editor-enhance', 'Enhance', 'wand', () => does.enhance()),
    redEye: toggle('editor-red-eye', 'Red-eye correction', 'eye', () => does.redEye()),
    enhanceHint: element('p', { class: 'hint', id: 'enhance-hint', hidden: true, text: 'Visible after saving.' }),
    redEyeHint: element('p', { class: 'hint', id: 'red-eye-hint', hidden: true, text: 'Click each red eye; click again to undo. With the keyboard: arrow keys and Enter.' }),
    save: button({ id: 'editor-save', label: 'Save', drawing: 'save', kind: 'primary', onclick: () => does.save() }),
    reset: button({ id: 'editor-reset', label: 'Reset', drawing: 'reset', onclick: () => does.reset() }),
    place: element('div', { class: 'row', id: 'editor-place', hidden: true },
      button({ id: 'editor-earlier', label: 'Move earlier', drawing: 'left', onclick: () => does.move(-1) }),
      button({ id: 'editor-later', label: 'Move later', drawing: 'right', onclick: () => does.move(1) })),
    file: element('div', { class: 'row' }),
    turns: [
      button({ id: 'rotate-left', label: 'Rotate left', drawing: 'rotate-left', onclick: () => does.turn(-1) }),
      button({ id: 'rotate-right', label: 'Rotate right', drawing: 'rotate-right', onclick: () => does.turn(1) }),
    ],
  };
  parts.close = button({ id: 'editor-close', label: 'Close', drawing: 'close', isIconOnly: true, kind: 'quiet', onclick: () => does.close() });
  parts.dialog = element('dialog', { id: 'editor', class: 'dialog editor', 'aria-labelledby': 'editor-title' },
    element('header', { class: 'dialog-head' }, title, parts.close),
    stage,
    element('div', { class: 'editor-tools' }, note,
      element('div', { role: 'toolbar', 'aria-label': 'Crop shape', class: 'chips' }, ...shapes),
      element('div', { class: 'row' }, ...parts.turns, parts.mirror),
      element('label', { class: 'field' }, element('span', { text: 'Straighten' }), degrees, degreesText),
      element('div', { class: 'row' }, parts.enhance, parts.redEye), parts.enhanceHint, parts.redEyeHint,
      element('div', { class: 'row end' }, parts.reset, parts.save),
      parts.file, parts.place));
  return parts;
}
