// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api } from './api.js';
import { byId, element, reconcile, setOptions, setText, show } from './dom.js';
import { newestOnly } from './latest.js';
import { attempt } from './toasts.js';

/** All controls of the device, with the driver's names. */
export class Panel {
  constructor(store) {
    this.store = store;
    store.addEventListener('change', () => this.#update());
    byId('controls-group').addEventListener('toggle', () => this.#update());
  }

  #shown = null;
  #senders = new Map();

  /** Loads the controls for another camera, and for one that was reconnected. */
  #update() {
    const { camera } = this.store;
    const wanted = camera?.state === 'running' ? `${camera.id} ${camera.device ?? ''}` : null;
    if (wanted === this.#shown) return;
    this.#shown = wanted;
    this.#senders.clear();
    if (wanted === null) this.#draw([]);
    else this.#load(camera.id, wanted);
  }

  async #load(id, wanted) {
    try {
      const { controls } = await api.controls(id);
      if (this.#shown === wanted) this.#draw(controls);
    } catch {
      // A camera without controls, or one that was just disconnected.
      if (this.#shown === wanted) this.#draw([]);
    }
  }

  #draw(controls) {
    show(byId('controls-group'), controls.length > 0);
    const key = (control) => `${control.name}/${control.kind}`;
    reconcile(byId('controls'), controls, key, (control) => this.#make(control), (row, control) => updateRow(row, control));
  }

  #set(name, value) {
    if (!this.#senders.has(name)) {
      const { id } = this.store.camera;
      const shown = this.#shown;
      this.#senders.set(name, newestOnly(async (newest) => {
        const answer = await attempt(() => api.patchControls(id, { [name]: newest }));
        if (this.#shown !== shown) return;
        if (answer) this.#draw(answer.controls);
        else this.#load(id, shown);
      }));
    }
    this.#senders.get(name)(value);
  }

  #make(control) {
    const id = `control-${control.name}`;
    const label = element('span', { text: control.label });
    const data = { control: control.name };
    switch (control.kind) {
      case 'integer': {
        const output = element('output', { for: id });
        const slider = element('input', {
          id, data, type: 'range', min: control.minimum ?? 0, max: control.maximum ?? 100, step: control.step ?? 1,
          oninput: () => {
            setText(output, slider.value);
            this.#set(control.name, slider.valueAsNumber);
          },
        });
        return element('label', { class: 'field' }, label, slider, output);
      }
      case 'boolean':
        return element('label', { class: 'check' }, element('input', {
          id, data, type: 'checkbox', onchange: (event) => this.#set(control.name, event.target.checked),
        }), label);
      case 'menu':
        return element('label', { class: 'field' }, label, element('select', {
          id, data, onchange: (event) => this.#set(control.name, chosen(event.target)),
        }));
      case 'button':
        return element('button', { type: 'button', class: 'button', id, data, onclick: () => this.#set(control.name, true) }, label);
      default:
        return element('p', { class: 'field' }, label, element('output', { id, data }));
    }
  }
}

/** Options are numbers in the API and text in a <select>. */
function chosen(select) {
  return JSON.parse(select.value);
}

function updateRow(row, control) {
  const input = row.matches('[data-control]') ? row : row.querySelector('[data-control]');
  if ('disabled' in input) input.disabled = !control.isWritable;
  switch (control.kind) {
    case 'integer':
      if (!input.matches(':active')) input.value = control.value;
      setText(row.querySelector('output'), input.value);
      break;
    case 'boolean':
      input.checked = Boolean(control.value);
      break;
    case 'menu':
      setOptions(input, (control.options ?? []).map(({ value, label }) => ({ value: JSON.stringify(value), label })), JSON.stringify(control.value));
      break;
    case 'button':
      break;
    default:
      setText(input, control.value ?? '–');
  }
}
