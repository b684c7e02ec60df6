// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api, pictureAddress } from './api.js';
import { button, byId, element, reconcile, returnFocus, setText } from './dom.js';
import { duration } from './format.js';
import { Reorder } from './reorder.js';
import { attempt } from './toasts.js';

const THUMB_HEIGHT = 180;

/** The photos and movies of this visit, in their order, after the small live tile. */
export class Ribbon {
  /**
   * @param {(item: object, opener: HTMLElement) => void} open
   * @param {{onRemoved?: (name: string, place: number) => void}} hooks
   */
  constructor(store, open, { onRemoved } = {}) {
    this.store = store;
    this.open = open;
    this.onRemoved = onRemoved;
    this.list = byId('taken');
    this.reorder = new Reorder(this.list, '.ribbon-item.taken', () => this.#arrange());
    byId('ribbon').addEventListener('keydown', (event) => this.#key(event));
    store.addEventListener('change', () => this.#update());
  }

  #count = 0;

  #update() {
    // While items are being dragged, the row is newer than the server's order.
    if (this.reorder.isDragging || !this.store.state) return;
    const items = this.store.state.visit ?? [];
    reconcile(this.list, items, (item) => item.name, (item) => this.#make(item), updateItem);
    if (items.length > this.#count) {
      this.list.scrollLeft = this.list.scrollWidth;
    }
    this.#count = items.length;
  }

  #make(item) {
    const thumb = element('button', {
      type: 'button', class: 'thumb', 'aria-keyshortcuts': 'Alt+ArrowLeft Alt+ArrowRight Delete',
      onclick: () => {
        const newest = this.store.state.visit.find((other) => other.name === item.name);
        if (newest) this.open(newest, thumb);
      },
    }, element('img', { alt: '', draggable: 'false', decoding: 'async' }), element('span', { class: 'badge', hidden: true }));
    const remove = button({
      label: `Remove ${item.name} from the ${this.onRemoved ? 'selection' : 'ribbon'}`, drawing: 'close', isIconOnly: true, kind: 'remove',
      onclick: () => this.#remove(item.name),
    });
    return element('div', { class: 'ribbon-item taken', role: 'listitem', data: { name: item.name } }, thumb, remove);
  }

  async #remove(name) {
    const item = this.#item(name);
    const neighbour = item && (item.nextElementSibling ?? this.#beside(item, -1));
    const hadFocus = item?.contains(document.activeElement);
    const place = await attempt(() => this.store.inTurn(async () => {
      const found = this.store.state.visit.findIndex((other) => other.name === name);
      // A second press while the first one waited.
      if (found < 0) return undefined;
      await api.leaveVisit(name);
      this.store.applyVisit(this.store.state.visit.filter((other) => other.name !== name));
      return found;
    }));
    if (place === undefined) return;
    if (hadFocus) returnFocus(neighbour?.querySelector('.thumb'));
    if (this.onRemoved) this.onRemoved(name, place);
    else setText(byId('ribbon-status'), `${name} was removed from the ribbon; its file stays in the library.`);
  }

  /** Moves an item by this number of positions; for keys and for the editor's buttons. */
  move(name, by) {
    const item = this.#item(name);
    const others = [...this.list.querySelectorAll('.taken')];
    const place = others.indexOf(item);
    const target = others[place + by];
    if (!item || !target) return;
    const focused = item.contains(document.activeElement) ? document.activeElement : null;
    if (by > 0) target.after(item);
    else target.before(item);
    focused?.focus();
    this.#bringIntoView(item);
    setText(byId('ribbon-status'), `${name} is at position ${place + by + 1} of ${others.length}.`);
    this.#arrange();
  }

  #arrange() {
    this.store.arrangeVisit([...this.list.querySelectorAll('.taken')].map((item) => item.dataset.name));
  }

  #key(event) {
    const item = event.target.closest('.ribbon-item');
    if (!item || event.ctrlKey || event.metaKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) {
      event.preventDefault();
      if (event.altKey && item.dataset.name) this.move(item.dataset.name, step);
      else if (!event.altKey) this.#beside(item, step)?.querySelector('.thumb').focus();
    } else if (event.key === 'Delete' && item.dataset.name) {
      event.preventDefault();
      this.#remove(item.dataset.name);
    }
  }

  /** Scrolls only the row, not the page. */
  #bringIntoView(item) {
    const { list } = this;
    const left = item.offsetLeft;
    const right = left + item.offsetWidth;
    if (left < list.scrollLeft) list.scrollLeft = left;
    else if (right > list.scrollLeft + list.clientWidth) list.scrollLeft = right - list.clientWidth;
  }

  #beside(item, step) {
    const items = [...byId('ribbon').querySelectorAll('.ribbon-item')];
    return items[items.indexOf(item) + step];
  }

  #item(name) {
    return [...this.list.querySelectorAll('.taken')].find((item) => item.dataset.name === name);
  }
}

function updateItem(entry, item) {
  const image = entry.querySelector('img');
  const address = pictureAddress(item, { height: THUMB_HEIGHT });
  if (image.getAttribute('src') !== address) image.src = address;
  const badge = entry.querySelector('.badge');
  badge.hidden = item.kind !== 'movie' && !item.recipe;
  setText(badge, item.kind === 'movie' ? duration(item.duration) : 'Edited');
  const what = item.kind === 'movie' ? `Movie ${item.name}, ${duration(item.duration)}` : `Photo ${item.name}${item.recipe ? ', edited' : ''}`;
  entry.querySelector('.thumb').setAttribute('aria-label', `${what}: open`);
}
