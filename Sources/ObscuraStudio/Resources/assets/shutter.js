// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api } from './api.js';
import { byId, setText, show } from './dom.js';
import { attempt } from './toasts.js';

const BURST = 5;
/** Seconds of the self-timer, in the order in which the button cycles through them. */
const TIMERS = [0, 3, 10];
const FLASH = 160;

/** Photos: one, a burst, or one after a countdown. The server takes the newest frame at the time of the press. */
export class Shutter {
  /** @param {(by: 1|-1) => void} onWork called when a request begins and when it ends */
  constructor(store, onWork = () => {}) {
    this.store = store;
    this.onWork = onWork;
    byId('shutter').addEventListener('click', () => this.press());
    document.getElementById('burst')?.addEventListener('click', () => this.take(BURST));
    byId('timer').addEventListener('click', () => this.nextTimer());
    byId('countdown-cancel').addEventListener('click', () => this.cancel());
    store.addEventListener('change', () => this.update());
    this.#showTimer();
  }

  update() {
    const { camera } = this.store;
    const canTake = camera?.state === 'running';
    byId('shutter').disabled = !canTake;
    document.getElementById('burst')?.toggleAttribute('disabled', !canTake);
    show(byId('flash-field'), camera?.torch != null);
    if (!canTake) this.cancel();
  }

  #seconds = 0;
  #left = 0;
  #clock = 0;

  get isCounting() {
    return this.#left > 0;
  }

  /** Takes a photo, or starts the countdown; a press during the countdown cancels it. */
  press() {
    if (byId('shutter').disabled) return;
    if (this.isCounting) this.cancel();
    else if (this.#seconds) this.#count();
    else this.take(1);
  }

  async take(count) {
    const { camera } = this.store;
    if (!camera || camera.state !== 'running') return;
    this.#flash();
    this.onWork(1);
    await attempt(async () => {
      const { items } = await api.takePhotos(camera.id, { count, ...this.#wishes(camera) });
      const known = this.store.state.visit ?? [];
      const added = items.filter((item) => !known.some((old) => old.name === item.name));
      if (added.length) this.store.applyVisit([...known, ...added]);
    });
    this.onWork(-1);
  }

  /** The settings of photos that are not the usual ones. */
  #wishes(camera) {
    const wishes = {};
    const usual = { format: 'jpeg', size: 'stream', flash: 'off', title: '' };
    for (const [name, value] of Object.entries(usual)) {
      // A picker has not all of them.
      const chosen = document.getElementById(`photo-${name}`)?.value.trim() ?? value;
      if (chosen !== value) wishes[name] = chosen;
    }
    // Chosen for another camera.
    if (camera.torch == null) delete wishes.flash;
    return wishes;
  }

  nextTimer() {
    this.cancel();
    this.#seconds = TIMERS[(TIMERS.indexOf(this.#seconds) + 1) % TIMERS.length];
    this.#showTimer();
  }

  cancel() {
    clearInterval(this.#clock);
    this.#left = 0;
    show(byId('countdown'), false);
    byId('shutter').classList.remove('counting');
  }

  #count() {
    this.#left = this.#seconds;
    byId('shutter').classList.add('counting');
    setText(byId('countdown-number'), this.#left);
    show(byId('countdown'), true);
    this.#clock = setInterval(() => {
      this.#left -= 1;
      setText(byId('countdown-number'), this.#left);
      if (this.#left > 0) return;
      this.cancel();
      this.take(1);
    }, 1000);
  }

  #showTimer() {
    const text = this.#seconds ? `${this.#seconds} s` : 'Off';
    const timer = byId('timer');
    timer.dataset.seconds = String(this.#seconds);
    timer.setAttribute('aria-label', `Self-timer: ${this.#seconds ? `${this.#seconds} seconds` : 'off'}`);
    setText(byId('timer-label'), text);
  }

  #flash() {
    const flash = byId('flash');
    show(flash, true);
    setTimeout(() => show(flash, false), FLASH);
  }
}
