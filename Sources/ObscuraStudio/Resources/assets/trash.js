// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api, trashedPicture } from './api.js';
import { ask } from './ask.js';
import { button, element, reconcile, show } from './dom.js';
import { date } from './format.js';
import { attempt } from './toasts.js';

const SIDE = 256;

/** The dialog with the deleted photos and movies. */
export class Trash {
  /** @param {(item: object) => void} onRestored */
  constructor(onRestored) {
    this.onRestored = onRestored;
    this.list = element('ul', { id: 'trash-items', class: 'items', role: 'list', 'aria-label': 'Deleted photos and movies, most recently deleted first' });
    this.empty = element('p', { id: 'trash-empty', class: 'empty', text: 'The trash is empty.', hidden: true });
    this.clear = button({ id: 'trash-clear', label: 'Empty the trash', drawing: 'trash', kind: 'danger', hidden: true, onclick: () => this.#clear() });
    this.close = button({ id: 'trash-close', label: 'Close', drawing: 'close', isIconOnly: true, kind: 'quiet', onclick: () => this.dialog.close() });
    this.dialog = element('dialog', { id: 'trash', class: 'dialog trash', 'aria-labelledby': 'trash-title' },
      element('header', { class: 'dialog-head' }, element('h2', { id: 'trash-title', text: 'Trash' }), this.close),
      element('p', { class: 'hint', text: 'Deleted photos and movies stay on the disk until you empty the trash.' }),
      this.list, this.empty, element('div', { class: 'dialog-buttons' }, this.clear));
    document.body.append(this.dialog);
  }

  async open() {
    this.dialog.showModal();
    await this.#load();
  }

  async #load() {
    this.list.setAttribute('aria-busy', 'true');
    const answer = await attempt(() => api.trash());
    this.list.setAttribute('aria-busy', 'false');
    show(this.clear, Boolean(answer?.items.length));
    if (!answer) return false;
    reconcile(this.list, answer.items, (item) => item.id, (item) => this.#make(item));
    show(this.empty, answer.items.length === 0);
    return true;
  }

  #make(item) {
    const { id, name, kind, deleted } = item;
    return element('li', { class: 'item', data: { name } },
      element('div', { class: 'thumb' }, element('img', { src: trashedPicture(id, SIDE), alt: `${kind === 'movie' ? 'Movie' : 'Photo'} ${name}`, loading: 'lazy', decoding: 'async' })),
      element('p', { class: 'item-name', text: name }),
      element('p', { class: 'item-facts hint', text: `deleted ${date(deleted)}` }),
      element('div', { class: 'row' },
        button({ label: 'Restore', 'aria-label': `Restore ${name}`, onclick: (event) => this.#restore(item, event.currentTarget) }),
        button({ label: `Delete ${name} for good`, drawing: 'trash', isIconOnly: true, kind: 'danger', onclick: () => this.#remove(item) })));
  }

  async #restore({ id }, pressed) {
    pressed.disabled = true;
    const item = await attempt(() => api.restore(id));
    if (item) this.onRestored(item);
    await this.#reload();
    pressed.disabled = false;
  }

  async #remove({ id, name }) {
    const isSure = await ask({ title: `Delete ${name} for good?`, text: 'This cannot be undone.', confirm: 'Delete', drawing: 'trash' });
    if (!isSure) return;
    await attempt(() => api.removeTrashed(id));
    await this.#reload();
  }

  async #clear() {
    // The question has the number of those that are deleted now.
    if (!await this.#load() || this.clear.hidden) return;
    const count = this.list.children.length;
    const isSure = await ask({
      title: 'Empty the trash?', text: `${count} ${count === 1 ? 'item is' : 'items are'} deleted for good. This cannot be undone.`, confirm: 'Empty the trash', drawing: 'trash',
    });
    if (!isSure) return;
    await attempt(() => api.emptyTrash());
    await this.#reload();
  }

  /** The button that was pressed is gone with its item. */
  async #reload() {
    await this.#load();
    if (!this.dialog.contains(document.activeElement)) this.close.focus();
  }
}
