// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api, libraryThumbnail } from './api.js';
import { button, element, press, setText, show } from './dom.js';
import { date, duration } from './format.js';
import { attempt } from './toasts.js';

const PAGE = 60;
const TYPING = 250;

/** The dialog in which users choose from the photo library, latest first. */
export class PickLibrary {
  /** @param {(path: string) => Promise<boolean>} add @param {() => void} onClosed */
  constructor(add, onClosed) {
    this.add = add;
    this.list = element('ul', { id: 'library-items', class: 'items', role: 'list', 'aria-label': 'Photos and movies, latest first' });
    this.empty = element('p', { id: 'library-empty', class: 'empty', hidden: true, text: 'Nothing was found.' });
    this.more = button({ id: 'library-more', label: 'Show more', hidden: true, onclick: () => this.#load(!this.list.children.length) });
    this.status = element('p', { id: 'library-status', class: 'hint', role: 'status' });
    this.search = element('input', { id: 'library-search', type: 'search', autocomplete: 'off', autofocus: true, placeholder: 'title, keyword, camera, folder', oninput: () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#restart(), TYPING);
    } });
    const close = button({ id: 'library-close', label: 'Close', drawing: 'close', isIconOnly: true, kind: 'quiet', onclick: () => this.dialog.close() });
    this.dialog = element('dialog', { id: 'library-dialog', class: 'dialog picker-library', 'aria-labelledby': 'library-title' },
      element('header', { class: 'dialog-head' }, element('h2', { id: 'library-title', text: 'Library' }), close),
      element('label', { class: 'field' }, element('span', { text: 'Search' }), this.search),
      this.status, this.list, this.empty, this.more);
    this.dialog.addEventListener('close', () => {
      this.#stop();
      onClosed();
    });
    this.#sight = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) this.#load();
    }, { root: this.list, rootMargin: '300px' });
    document.body.append(this.dialog);
  }

  #timer = 0;
  #sight;
  #next = null;
  #isLoading = false;
  /** Counts the searches, so that a late page of an earlier one is ignored. */
  #search = 0;

  open() {
    this.dialog.showModal();
    this.#restart();
  }

  /** Ends the search that waits for the next key press, and ignores the answer to one that runs. */
  #stop() {
    clearTimeout(this.#timer);
    this.#search += 1;
  }

  #restart() {
    this.#stop();
    this.#next = null;
    this.#isLoading = false;
    show(this.more, false);
    show(this.empty, false);
    this.list.replaceChildren();
    this.#load(true);
  }

  async #load(isFirst = false) {
    if (this.#isLoading || (!isFirst && !this.#next)) return;
    const search = this.#search;
    this.#isLoading = true;
    this.dialog.setAttribute('aria-busy', 'true');
    // The first time, the library may have to be read.
    const slow = setTimeout(() => setText(this.status, 'Reading the library …'), 400);
    const page = await attempt(() => api.pickLibrary({ text: this.search.value.trim(), after: this.#next, limit: PAGE }));
    clearTimeout(slow);
    if (search !== this.#search) return;
    setText(this.status, '');
    this.#isLoading = false;
    this.dialog.setAttribute('aria-busy', 'false');
    if (!page) {
      show(this.more, true);
      return;
    }
    this.#next = page.next ?? null;
    this.list.append(...page.items.map((item) => this.#make(item)));
    show(this.empty, !this.list.children.length);
    show(this.more, Boolean(this.#next));
    this.#sight.disconnect();
    if (this.list.lastElementChild) this.#sight.observe(this.list.lastElementChild);
  }

  #make(item) {
    const isMovie = item.kind === 'movie';
    const name = item.path.split('/').at(-1);
    const choice = element('button', {
      type: 'button', class: 'thumb', 'aria-pressed': 'false', data: { path: item.path },
      'aria-label': `Add ${isMovie ? 'movie' : 'photo'} ${name}, ${date(item.date)}`, title: `${name}, ${date(item.date)}`,
      onclick: async () => {
        choice.disabled = true;
        const isAdded = await this.add(item.path);
        choice.disabled = false;
        if (!isAdded) return;
        press(choice, true);
        this.dialog.close();
      },
    }, element('img', { alt: '', loading: 'lazy', decoding: 'async', src: libraryThumbnail(item.path) }));
    if (isMovie) {
      const badge = element('span', { class: 'badge' });
      setText(badge, duration(item.duration));
      choice.append(badge);
    }
    return element('li', { class: 'item' }, choice);
  }
}
