// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { element } from './dom.js';

/** The size of an eye's region, as a fraction of the picture's shorter side. */
const EYE = 0.07;
const STEP = 0.01;

/** Marks on red eyes, set by clicking or with the arrow keys and Enter. */
export class RedEyes {
  /** @param {(eyes: import('./rects.js').Rect[]) => void} onChange */
  constructor(box, layer, onChange) {
    this.box = box;
    this.layer = layer;
    this.onChange = onChange;
    layer.setAttribute('aria-label', 'Red-eye cursor. Arrow keys move it, Enter marks an eye.');
    layer.setAttribute('role', 'group');
    layer.addEventListener('click', (event) => {
      const box = layer.getBoundingClientRect();
      this.#toggle({ x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height });
    });
    layer.addEventListener('keydown', (event) => this.#key(event));
  }

  isActive = false;
  #eyes = [];
  #size = { width: 1, height: 1 };
  #cursor = { x: 0.5, y: 0.5 };

  setActive(isActive) {
    this.isActive = isActive;
    this.box.classList.toggle('marks-eyes', isActive);
    if (isActive) this.layer.tabIndex = 0;
    else this.layer.removeAttribute('tabindex');
  }

  draw(eyes, size) {
    this.#eyes = eyes;
    this.#size = size;
    const marks = eyes.map((eye) => place(element('span', { class: 'eye-mark' }), eye));
    const cursor = place(element('span', { class: 'eye-cursor' }), this.#around(this.#cursor));
    this.layer.replaceChildren(...marks, ...(this.isActive ? [cursor] : []));
  }

  #around({ x, y }) {
    const side = EYE * Math.min(this.#size.width, this.#size.height);
    const [width, height] = [side / this.#size.width, side / this.#size.height];
    return { x: x - width / 2, y: y - height / 2, width, height };
  }

  #toggle(point) {
    if (!this.isActive) return;
    this.#cursor = point;
    const hit = this.#eyes.find((eye) => (
      point.x >= eye.x && point.x <= eye.x + eye.width && point.y >= eye.y && point.y <= eye.y + eye.height));
    this.onChange(hit ? this.#eyes.filter((eye) => eye !== hit) : [...this.#eyes, this.#around(point)]);
  }

  #key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) {
      const limited = (value) => Math.min(1, Math.max(0, value));
      this.#cursor = { x: limited(this.#cursor.x + step[0] * STEP), y: limited(this.#cursor.y + step[1] * STEP) };
      this.draw(this.#eyes, this.#size);
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.#toggle(this.#cursor);
    } else {
      return;
    }
    event.preventDefault();
  }
}

function place(mark, rect) {
  for (const [side, value] of [['left', rect.x], ['top', rect.y], ['width', rect.width], ['height', rect.height]]) {
    mark.style.setProperty(side, `${value * 100}%`);
  }
  return mark;
}
