// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { button, element, setText, show } from './dom.js';
import { duration } from './format.js';
import { attempt, toast } from './toasts.js';

/** The shortest part, in seconds. */
const SHORTEST = 0.1;
const STEP = 0.01;

/** Controls that cut a part out of the movie that a player shows. The movie itself does not change. */
export class Trimming {
  /**
   * @param {(item: object, from: number, to: number) => Promise<object>} trim sends the request; returns the new movie
   * @param {(item: object) => void} onTrimmed
   */
  constructor(trim, onTrimmed) {
    this.from = slider('trim-from', 'Start', () => this.#move(this.from));
    this.to = slider('trim-to', 'End', () => this.#move(this.to));
    this.part = element('p', { id: 'trim-part', class: 'hint' });
    this.go = button({ id: 'trim', label: 'Trim', drawing: 'edit', disabled: true, onclick: async () => {
      this.go.disabled = true;
      const { item } = this;
      const made = await attempt(() => trim(item, this.from.input.valueAsNumber, this.#isAtEnd ? null : this.to.input.valueAsNumber));
      if (made) toast({ message: `Trimmed as ${made.name}.` });
      // The user may show another item by now, or none.
      if (this.item !== item || !this.video.isConnected) return;
      this.#update();
      if (made) onTrimmed(made);
    } });
    this.element = element('div', { class: 'trimming', role: 'group', 'aria-label': 'Trimming', hidden: true }, this.from.field, this.to.field, this.part, this.go);
  }

  /** @param {object} item a movie; null hides the controls @param {HTMLVideoElement} [video] */
  show(item, video) {
    this.item = item;
    this.video = video;
    show(this.element, Boolean(item?.duration));
    if (!item?.duration) return;
    for (const { input } of [this.from, this.to]) input.max = String(item.duration);
    this.from.input.value = '0';
    this.to.input.value = String(item.duration);
    this.#update();
  }

  /** A slider stops at the last of its steps before the end. */
  get #isAtEnd() {
    return this.to.input.valueAsNumber >= this.item.duration - STEP;
  }

  #move({ input }) {
    const { from, to } = this;
    const [first, last] = [from.input.valueAsNumber, to.input.valueAsNumber];
    if (last - first < SHORTEST) {
      if (input === from.input) from.input.value = String(Math.max(0, last - SHORTEST));
      else to.input.value = String(Math.min(this.item.duration, first + SHORTEST));
    }
    this.video.pause();
    this.video.currentTime = input.valueAsNumber;
    this.#update();
  }

  #update() {
    const [first, last] = [this.from.input.valueAsNumber, this.to.input.valueAsNumber];
    for (const { input, output } of [this.from, this.to]) setText(output, `${input.valueAsNumber.toFixed(2)} s`);
    setText(this.part, `The part has ${duration(last - first)}.`);
    this.go.disabled = first <= 0 && this.#isAtEnd;
  }
}

function slider(id, label, oninput) {
  const input = element('input', { id, type: 'range', min: 0, max: 1, step: STEP, value: 0, oninput });
  const output = element('output', { for: id });
  return { input, output, field: element('label', { class: 'field' }, element('span', { text: label }), input, output) };
}
