// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { byId, element, press, reconcile, setText, show } from './dom.js';
import { MOST_TILES } from './tiles.js';

const STRIP_RATE = 15;

/** All cameras as tiles: a strip beside the viewfinder, or a wall of equal tiles. */
export class Cameras {
  /** @param {number} wallTiles the number of tiles of the chosen camera; 0 for one tile of each camera */
  constructor(store, tiles, wallTiles = 0) {
    this.store = store;
    this.tiles = tiles;
    this.wallTiles = Math.min(wallTiles, MOST_TILES);
    byId('grid').addEventListener('click', () => this.toggleGrid());
    store.addEventListener('change', () => this.#update());
  }

  #tileOf = new Map();

  toggleGrid() {
    this.store.setLayout(this.store.layout === 'single' ? (this.wallTiles ? 'wall' : 'grid') : 'single');
  }

  #update() {
    const { store } = this;
    const { cameras, layout } = store;
    const isSingle = layout === 'single';
    document.body.dataset.layout = layout;
    press(byId('grid'), !isSingle);
    show(byId('cameras'), isSingle && cameras.length > 1);
    show(byId('wall'), !isSingle);
    show(document.querySelector('.viewfinder'), isSingle);
    this.#fill(byId('cameras'), isSingle && cameras.length > 1 ? cameras.map((camera) => ({ camera, key: camera.id })) : [], STRIP_RATE);
    const shown = isSingle ? [] : layout === 'wall' ? this.#wall() : cameras.map((camera) => ({ camera, key: camera.id }));
    this.#fill(byId('wall'), shown, null);
    byId('wall').style.setProperty('--columns', String(Math.max(1, Math.ceil(Math.sqrt(shown.length)))));
  }

  #wall() {
    const { camera } = this.store;
    return camera ? Array.from({ length: this.wallTiles }, (_, index) => ({ camera, key: `${index}`, index })) : [];
  }

  #fill(list, entries, rate) {
    reconcile(list, entries, (entry) => entry.key, () => this.#make(list, rate), (item, { camera, index }) => {
      const choice = item.querySelector('button');
      const tile = this.#tileOf.get(item);
      choice.dataset.camera = camera.id;
      this.tiles.setCamera(tile, camera.id);
      const isChosen = camera.id === this.store.camera?.id && index === undefined;
      if (isChosen) choice.setAttribute('aria-current', 'true');
      else choice.removeAttribute('aria-current');
      setText(item.querySelector('.tile-name'), camera.name);
      setText(item.querySelector('.tile-state'), camera.state === 'running' ? '' : camera.state);
      show(item.querySelector('.tile-recording'), Boolean(camera.recording));
      const place = index === undefined ? '' : `, tile ${index + 1}`;
      choice.setAttribute('aria-label', `Show ${camera.name}${place} large${camera.state === 'running' ? '' : `; ${camera.state}`}`);
    }, (item) => {
      this.tiles.remove(this.#tileOf.get(item));
      this.#tileOf.delete(item);
    });
  }

  #make(list, rate) {
    const canvas = element('canvas', { width: 16, height: 9 });
    const choice = element('button', { type: 'button', class: 'camera-tile', onclick: () => {
      this.store.layout = 'single';
      this.store.select(choice.dataset.camera);
    } }, canvas, element('span', { class: 'tile-recording dot', hidden: true }),
    element('span', { class: 'tile-caption' }, element('span', { class: 'tile-name' }), element('span', { class: 'tile-state' })));
    const item = element('div', { role: list.getAttribute('role') === 'list' ? 'listitem' : null, class: 'camera-item' }, choice);
    this.#tileOf.set(item, this.tiles.add(canvas, { rate, name: list.id === 'wall' ? 'Wall' : 'Strip' }));
    return item;
  }
}
