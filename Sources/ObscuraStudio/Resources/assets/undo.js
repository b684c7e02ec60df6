// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api } from './api.js';
import { report } from './toasts.js';

const MOST_STEPS = 100;

/**
 * Undoes changes of the selection: photos that were added, removed, moved or edited, by the page or by the program.
 * Removed items stay on the server until the page ends.
 */
export class Undo {
  constructor(store) {
    this.store = store;
    store.addEventListener('change', () => this.#note());
  }

  /** @type {{name: string, recipe: object|null}[][]} */
  #steps = [];
  #last = null;
  #isUndoing = false;

  get isPossible() {
    return this.#steps.length > 0;
  }

  step() {
    this.store.inTurn(() => this.#undo());
  }

  async #undo() {
    const wanted = this.#steps.pop();
    if (!wanted) return;
    this.#isUndoing = true;
    let items = this.store.state.visit;
    try {
      if (!isSame(names(items), names(wanted))) ({ items } = await api.pick(names(wanted)));
      for (const [place, { name, recipe }] of wanted.entries()) {
        if (!isSame(items[place]?.recipe ?? null, recipe)) {
          items = items.with(place, await api.saveRecipe(name, recipe ?? { edits: [] }));
        }
      }
    } catch (error) {
      this.#steps.push(wanted);
      this.#isUndoing = false;
      report(error);
      return;
    }
    this.#last = shot(items);
    this.#isUndoing = false;
    this.store.applyVisit(items);
  }

  #note() {
    if (!this.store.state || this.#isUndoing) return;
    const now = shot(this.store.state.visit ?? []);
    if (this.#last && !isSame(now, this.#last)) {
      this.#steps.push(this.#last);
      if (this.#steps.length > MOST_STEPS) this.#steps.shift();
    }
    this.#last = now;
  }
}

const names = (items) => items.map((item) => item.name);
const shot = (items) => items.map(({ name, recipe }) => ({ name, recipe: recipe ?? null }));
/** The properties of an edit come in any order. */
const isSame = (one, other) => JSON.stringify(one, sorted) === JSON.stringify(other, sorted);
const sorted = (_, value) => (value?.constructor === Object ? Object.fromEntries(Object.entries(value).toSorted()) : value);
