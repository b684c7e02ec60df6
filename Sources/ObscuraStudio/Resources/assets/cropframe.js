// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { element } from './dom.js';
import { moved, resized, WHOLE } from './rects.js';

const CORNERS = { nw: 'Upper left corner', ne: 'Upper right corner', sw: 'Lower left corner', se: 'Lower right corner' };
const STEP = 0.01;
const LEAP = 0.05;

/** The crop frame over a picture; dragged, or moved with the arrow keys. */
export class CropFrame {
  /** @param {(rect: import('./rects.js').Rect) => void} onChange */
  constructor(box, onChange) {
    this.box = box;
    this.onChange = onChange;
    this.frame = element('div', {
      id: 'crop-frame', class: 'crop-frame', tabindex: 0, role: 'group',
      'aria-label': 'Crop frame. Arrow keys move it; with Shift they resize it.',
    });
    this.frame.append(element('span', { class: 'crop-thirds' }));
    for (const [corner, label] of Object.entries(CORNERS)) {
      this.frame.append(element('button', { type: 'button', class: `crop-handle ${corner}`, 'aria-label': label, data: { corner } }));
    }
    this.frame.addEventListener('pointerdown', (event) => this.#down(event));
    this.frame.addEventListener('keydown', (event) => this.#key(event));
    box.append(this.frame);
    this.set(WHOLE);
  }

  /** The fixed ratio of width to height in fractions; null for none. */
  ratio = null;

  set(rect) {
    this.rect = { ...rect };
    const { style } = this.frame;
    for (const [side, value] of [['left', rect.x], ['top', rect.y], ['width', rect.width], ['height', rect.height]]) {
      style.setProperty(side, `${(value * 100).toFixed(3)}%`);
    }
    Object.assign(this.frame.dataset, { x: rect.x.toFixed(4), y: rect.y.toFixed(4), width: rect.width.toFixed(4), height: rect.height.toFixed(4) });
  }

  #change(rect) {
    this.set(rect);
    this.onChange(this.rect);
  }

  #down(event) {
    if (event.button !== 0) return;
    const corner = event.target.dataset.corner;
    const start = { x: event.clientX, y: event.clientY };
    const { rect } = this;
    const box = this.box.getBoundingClientRect();
    const target = event.target;
    target.setPointerCapture(event.pointerId);
    const ends = new AbortController();
    const { signal } = ends;
    const move = (now) => {
      const dx = (now.clientX - start.x) / box.width;
      const dy = (now.clientY - start.y) / box.height;
      this.#change(corner ? resized(rect, corner, dx, dy, this.ratio) : moved(rect, dx, dy));
    };
    target.addEventListener('pointermove', move, { signal });
    target.addEventListener('pointerup', () => ends.abort(), { signal });
    target.addEventListener('pointercancel', () => ends.abort(), { signal });
    event.preventDefault();
    target.focus({ preventScroll: true });
  }

  #key(event) {
    const [across, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    if (!across && !down) return;
    event.preventDefault();
    const step = event.ctrlKey ? LEAP : STEP;
    const corner = event.target.dataset.corner ?? (event.shiftKey ? 'se' : null);
    this.#change(corner
      ? resized(this.rect, corner, across * step, down * step, this.ratio)
      : moved(this.rect, across * step, down * step));
  }
}
