// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api, pictureAddress } from './api.js';
import { byId, drawIcons, element, press, reconcile, setText, show } from './dom.js';
import { Editor } from './editor.js';
import { date, duration, month, size } from './format.js';
import { PlaceMap } from './map.js';
import { attempt } from './toasts.js';
import { Trash } from './trash.js';
import { Viewer } from './viewer.js';

const PAGE = 60;
const LONGEST_PAGE = 1000;
/** The size of the thumbnails that the Studio stores. */
const THUMB_SIDE = 512;
/** The time without a key press after which the search begins. */
const TYPING = 250;

/** The folder's photos and movies, newest first, a page at a time; all of them or those that match a search. */
class Library {
  constructor() {
    this.grid = byId('items');
    this.editor = new Editor({ onChanged: (item) => this.#changed(item), onExported: () => this.reload() });
    this.viewer = new Viewer({
      onEdit: (item) => {
        const { opener } = this.viewer;
        this.viewer.dialog.close();
        this.editor.open(item, opener);
      },
      onExported: () => this.reload(),
      onDeleted: (name) => this.#deleted(name),
      onRestored: () => this.reload(),
      neighbour: (name, by) => {
        const names = [...this.#items.keys()];
        const place = names.indexOf(name);
        return place < 0 ? undefined : this.#items.get(names[place + by]);
      },
    });
    this.trash = new Trash(() => this.reload());
    byId('trash-button').addEventListener('click', () => this.trash.open());
    byId('more').addEventListener('click', () => this.more());
    byId('search-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#search();
    });
    byId('search').addEventListener('input', () => {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => this.#search(), TYPING);
    });
    byId('kind').addEventListener('change', () => this.#search());
    this.map = new PlaceMap((box, name) => {
      setText(byId('area-name'), name);
      this.#search({ box });
    });
    byId('area-reset').addEventListener('click', () => {
      this.#search({ box: '' });
      byId('map-button').focus();
    });
    this.#sight = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) this.more();
    }, { rootMargin: '400px' });
  }

  /** The items by name, newest first: overlapping pages add no item twice. */
  #items = new Map();
  #sight;
  #total = null;
  #isLoading = false;
  #typing = 0;
  /** @type {{text?: string, kind?: string, month?: string, box?: string}} */
  #conditions = {};
  /** Counts the searches, so that a late answer to an earlier one is ignored. */
  #searches = 0;
  #overviews = 0;

  /** Shows what matches the fields, from this month on, in this area. */
  #search({ month: latest = '', box = this.#conditions.box ?? '' } = {}) {
    clearTimeout(this.#typing);
    const old = this.#conditions;
    this.#conditions = { text: byId('search').value.trim(), kind: byId('kind').value, month: latest, box };
    this.#searches += 1;
    this.#items = new Map();
    this.#total = null;
    this.#isLoading = false;
    show(byId('area'), Boolean(box));
    for (const one of byId('months').querySelectorAll('button')) press(one, one.dataset.month === latest);
    const isOther = ['text', 'kind', 'box'].some((name) => (old[name] ?? '') !== this.#conditions[name]);
    if (isOther) this.showOverview();
    this.more();
  }

  get #isSearching() {
    return Object.values(this.#conditions).some(Boolean);
  }

  /** Fills the rail with the months that have items, and the map. A library that cannot be searched has none. */
  async showOverview() {
    this.#overviews += 1;
    const overview = this.#overviews;
    const { text, kind, box } = this.#conditions;
    this.map.update({ text, kind });
    const answer = await api.months({ text, kind, box }).catch(() => null);
    if (overview !== this.#overviews) return;
    const months = answer?.months ?? [];
    byId('months').replaceChildren(...['', ...months.map((one) => one.month)].map((value, index) => element('button', {
      type: 'button', class: 'chip', 'aria-pressed': String(value === (this.#conditions.month ?? '')), data: { month: value },
      text: value ? `${month(value)} (${months[index - 1].count})` : 'All months', onclick: () => this.#search({ month: value }),
    })));
    show(byId('months'), months.length > 1);
  }

  async more() {
    if (this.#isLoading || (this.#total !== null && this.#items.size >= this.#total)) return;
    await this.#load(this.#items.size, false);
  }

  /** Loads what is shown again after an item was added or has come back, wherever its place is. */
  async reload() {
    await this.#load(0, true, Math.min(Math.max(PAGE, this.#items.size + 1), LONGEST_PAGE));
  }

  async #load(offset, isFresh, count = PAGE) {
    this.#isLoading = true;
    this.grid.setAttribute('aria-busy', 'true');
    const search = this.#searches;
    const answer = await attempt(() => (this.#isSearching ? api.search(this.#conditions, offset, count) : api.library(offset, count)));
    if (search !== this.#searches) return;
    this.#isLoading = false;
    this.grid.setAttribute('aria-busy', 'false');
    if (!answer) {
      show(byId('more'), true);
      return;
    }
    const before = this.#items.size;
    const added = answer.items.filter((item) => !this.#items.has(item.name));
    const entries = answer.items.map((item) => [item.name, item]);
    if (isFresh) this.#items = new Map([...entries, ...this.#items, ...entries]);
    else for (const [name, item] of entries) this.#items.set(name, item);
    // A page without a new item is the last one, whatever the total is.
    this.#total = !isFresh && added.length === 0 ? before : answer.total;
    if (isFresh || before === 0) this.#draw();
    else this.#append(added);
    // Observes again: on a tall screen the end may stay visible after a page, which is not reported as a change.
    this.#sight.unobserve(byId('more'));
    this.#sight.observe(byId('more'));
  }

  #changed(item) {
    if (this.#items.has(item.name)) this.#items.set(item.name, item);
    this.#draw();
  }

  #deleted(name) {
    this.#items.delete(name);
    this.#total -= 1;
    this.#draw();
    byId('main').focus();
  }

  #draw() {
    reconcile(this.grid, [...this.#items.values()], (item) => item.name, (item) => this.#make(item), updateItem);
    this.#count();
  }

  /** Adds a page at the end, without a look at the items before it, which may be thousands. */
  #append(items) {
    const entries = items.map((item) => {
      const entry = this.#make(item);
      entry.dataset.key = item.name;
      updateItem(entry, item);
      return entry;
    });
    this.grid.append(...entries);
    this.#count();
  }

  #count() {
    const count = this.#items.size;
    show(byId('empty'), count === 0);
    setText(byId('empty'), this.#isSearching ? 'Nothing was found.' : 'The library is empty. Photos and movies that you take are shown here.');
    show(byId('more'), count < this.#total);
    setText(byId('count'), `${this.#total} ${this.#total === 1 ? 'item' : 'items'}`);
  }

  #make({ name }) {
    const open = element('button', {
      type: 'button', class: 'thumb', onclick: () => this.viewer.open(this.#items.get(name), open),
    }, element('img', { alt: '', loading: 'lazy', decoding: 'async' }), element('span', { class: 'badge', hidden: true }));
    return element('li', { class: 'item', data: { name } }, open,
      element('p', { class: 'item-name' }), element('p', { class: 'item-facts hint' }));
  }
}

function updateItem(entry, item) {
  const image = entry.querySelector('img');
  const address = pictureAddress(item, { width: THUMB_SIDE, height: THUMB_SIDE });
  if (image.getAttribute('src') !== address) image.src = address;
  const isMovie = item.kind === 'movie';
  const badge = entry.querySelector('.badge');
  badge.hidden = !isMovie && !item.recipe;
  setText(badge, isMovie ? duration(item.duration) : 'Edited');
  entry.querySelector('.thumb').setAttribute('aria-label', `${isMovie ? 'Movie' : 'Photo'} ${item.name}: open`);
  setText(entry.querySelector('.item-name'), item.name);
  setText(entry.querySelector('.item-facts'), [date(item.date), size(item)].filter(Boolean).join(' · '));
}

drawIcons();
const library = new Library();
library.more();
library.showOverview();
