// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { byId, element, press, reconcile, show } from './dom.js';

/** The effects as toggle buttons; active effects are applied in the order in which they were chosen. */
export class Effects {
  constructor(store) {
    this.store = store;
    store.addEventListener('change', () => this.#update());
  }

  #update() {
    const { camera } = this.store;
    const available = camera?.availableEffects ?? [];
    show(byId('effects-group'), available.length > 0);
    reconcile(byId('effects'), available, (effect) => effect.name, (effect) => this.#make(effect), (toggle, effect) => {
      press(toggle, camera.effects.includes(effect.name));
    });
  }

  #make({ name, label }) {
    return element('button', {
      type: 'button', class: 'chip', id: `effect-${name}`, text: label, data: { effect: name }, onclick: () => this.#toggle(name),
    });
  }

  #toggle(name) {
    const { camera } = this.store;
    if (!camera) return;
    const isOn = camera.effects.includes(name);
    const effects = isOn ? camera.effects.filter((other) => other !== name) : [...camera.effects, name];
    this.store.patch(camera.id, { effects });
  }
}
