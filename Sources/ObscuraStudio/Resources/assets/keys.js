// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { button, byId, element } from './dom.js';

const MEMORY = 'obscura.singleKeys';

/**
 * Keyboard shortcuts for the whole page, and the dialog that lists them.
 *
 * @typedef {{key: string, shown: string, does: string, isListed?: boolean, run: () => void}} Shortcut
 */
export class Keys {
  /** @param {Shortcut[]} shortcuts @param {[string, string][]} others listed keys that are handled elsewhere */
  constructor(shortcuts, others = []) {
    this.shortcuts = new Map(shortcuts.map((shortcut) => [shortcut.key, shortcut]));
    this.#build(shortcuts, others);
    byId('help-button').addEventListener('click', () => this.help());
    addEventListener('keydown', (event) => this.#key(event));
  }

  #isOn = read();

  help() {
    if (!this.dialog.open) this.dialog.showModal();
  }

  #key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (document.querySelector('dialog[open]')) return;
    if (event.key === 'Escape') {
      this.shortcuts.get('Escape')?.run();
      return;
    }
    if (!this.#isOn || event.target.closest('input:not([type=range], [type=checkbox]), select, textarea')) return;
    // Space and Enter belong to the focused control; on the live view, Space takes a photo.
    const isOnControl = event.target.closest('button, a, summary, input, video') && event.target.id !== 'surface';
    if (event.key === ' ' && isOnControl) return;
    const shortcut = event.key === '?' ? null : this.shortcuts.get(event.key.toLowerCase());
    if (event.key === '?') this.help();
    else if (shortcut) shortcut.run();
    else return;
    event.preventDefault();
  }

  #build(shortcuts, others) {
    const rows = [...shortcuts.filter(({ isListed = true }) => isListed).map(({ shown, does }) => [shown, does]), ...others, ['?', 'This help']];
    const box = element('input', { id: 'single-keys', type: 'checkbox', onchange: () => {
      this.#isOn = box.checked;
      write(this.#isOn);
    } });
    box.checked = this.#isOn;
    const close = button({ id: 'help-close', label: 'Close', drawing: 'close', isIconOnly: true, kind: 'quiet', onclick: () => this.dialog.close() });
    this.dialog = element('dialog', { id: 'help', class: 'dialog small', 'aria-labelledby': 'help-title' },
      element('header', { class: 'dialog-head' }, element('h2', { id: 'help-title', text: 'Keyboard shortcuts' }), close),
      element('dl', { class: 'keys' }, ...rows.flatMap(([key, does]) => [
        element('dt', {}, ...key.split(' ').map((one) => element('kbd', { text: one }))), element('dd', { text: does }),
      ])),
      element('label', { class: 'check' }, box, element('span', { text: 'Enable single-key shortcuts' })));
    document.body.append(this.dialog);
  }
}

function read() {
  try {
    return localStorage.getItem(MEMORY) !== 'off';
  } catch {
    return true;
  }
}

function write(isOn) {
  try {
    localStorage.setItem(MEMORY, isOn ? 'on' : 'off');
  } catch {
    // Without storage the setting is not kept.
  }
}
