// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { byId, element, reconcile, show } from './dom.js';

/** The lowest displayed level. */
const QUIETEST = -60;
const LOUD = -6;
/** After this time without a level the meters are hidden, in milliseconds. */
const PATIENCE = 1500;

/** The sound levels as bars, one for each channel, with a peak mark. */
export class Meters {
  constructor(store, link) {
    this.store = store;
    link.addEventListener('levels', ({ detail }) => this.#draw(detail));
    store.addEventListener('change', () => {
      if (!store.camera?.microphone) this.#hide();
    });
  }

  #timer = 0;

  #draw({ camera, channels }) {
    if (camera !== this.store.camera?.id || !this.store.camera.microphone) return;
    show(byId('meters'), true);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#hide(), PATIENCE);
    const entries = channels.map((channel, index) => ({ ...channel, index }));
    reconcile(byId('meters'), entries, ({ index }) => String(index), ({ index }) => make(index, channels.length), (meter, channel) => {
      const average = limited(channel.average);
      const peak = limited(channel.peak);
      meter.setAttribute('aria-valuenow', average.toFixed(1));
      meter.setAttribute('aria-valuetext', `${average.toFixed(0)} decibels`);
      meter.classList.toggle('loud', peak > LOUD);
      meter.style.setProperty('--level', fraction(average).toFixed(3));
      meter.style.setProperty('--peak', fraction(peak).toFixed(3));
    });
  }

  #hide() {
    show(byId('meters'), false);
  }
}

function make(index, count) {
  const name = count === 1 ? 'Sound level' : count === 2 ? `Level, ${index === 0 ? 'left' : 'right'}` : `Level, channel ${index + 1}`;
  return element('div', {
    class: 'meter', role: 'meter', 'aria-label': name, 'aria-valuemin': QUIETEST, 'aria-valuemax': 0,
    'aria-valuenow': QUIETEST, data: { channel: String(index) },
  }, element('span', { class: 'meter-bar' }), element('span', { class: 'meter-peak' }));
}

function limited(decibels) {
  return Number.isFinite(decibels) ? Math.min(0, Math.max(QUIETEST, decibels)) : QUIETEST;
}

function fraction(decibels) {
  return 1 - decibels / QUIETEST;
}
