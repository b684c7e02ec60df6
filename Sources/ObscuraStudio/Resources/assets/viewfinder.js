// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api } from './api.js';
import { byId, show } from './dom.js';
import { shownSize, unitPoint } from './gravity.js';
import { attempt } from './toasts.js';

const RING = 900;
/** The small tile has a lower frame rate than the large one. */
const LIVE_RATE = 15;

/** The live view of the chosen camera, its small tile in the ribbon, and clicks on the live view. */
export class Viewfinder {
  constructor(store, tiles) {
    this.store = store;
    this.tiles = tiles;
    this.canvas = byId('viewfinder-canvas');
    this.surface = byId('surface');
    this.#tile = tiles.add(this.canvas, { name: 'Viewfinder' });
    this.#live = tiles.add(byId('live-canvas'), { name: 'Live tile', gravity: 'resizeAspectFill', rate: LIVE_RATE });
    this.surface.addEventListener('click', (event) => this.#press(event));
    byId('live-tile').addEventListener('click', () => this.#showCamera());
    store.addEventListener('change', () => this.#update());
  }

  #tile;
  #live;
  #ringTimer = 0;

  get gravity() {
    return this.#tile.gravity;
  }

  setGravity(gravity) {
    this.tiles.setGravity(this.#tile, gravity);
  }

  #update() {
    const { camera } = this.store;
    this.tiles.setCamera(this.#tile, camera?.id ?? null);
    this.tiles.setCamera(this.#live, camera?.id ?? null);
    // While the new camera starts, the last frame of the old one stays; a camera without frames must not show that
    // of another camera.
    for (const tile of [this.#tile, this.#live]) {
      const { camera: drawn } = tile.canvas.dataset;
      if (drawn && drawn !== camera?.id && !['running', 'starting', 'asking'].includes(camera?.state)) tile.clear();
    }
    this.surface.setAttribute('aria-label', camera ? `Live view of ${camera.name}` : 'No camera');
    for (const tile of [this.#tile, this.#live]) tile.canvas.classList.toggle('stale', camera?.state !== 'running');
  }

  #showCamera() {
    if (this.store.layout !== 'single') this.store.setLayout('single');
    this.surface.scrollIntoView({ block: 'nearest' });
    this.surface.focus();
  }

  #press(event) {
    const { camera } = this.store;
    if (!camera) return;
    const box = this.canvas.getBoundingClientRect();
    const isByKey = event.detail === 0;
    const place = isByKey
      ? { x: box.width / 2, y: box.height / 2 }
      : { x: event.clientX - box.left, y: event.clientY - box.top };
    const point = unitPoint(place, this.#pictureSize(camera), box, this.gravity);
    if (!point) return;
    this.#showRing(place);
    attempt(() => api.tap(camera.id, point.x, point.y));
  }

  /** With resizeAspectFill the server crops the frame: its aspect ratio is the camera's, not the canvas'. */
  #pictureSize(camera) {
    const whole = shownSize(camera);
    return (this.gravity === 'resizeAspectFill' && whole) || this.canvas;
  }

  #showRing({ x, y }) {
    const ring = byId('focus-ring');
    ring.hidden = true;
    ring.style.setProperty('left', `${x}px`);
    ring.style.setProperty('top', `${y}px`);
    // Reading a layout property in between makes the browser restart the animation.
    void ring.offsetWidth;
    ring.hidden = false;
    clearTimeout(this.#ringTimer);
    this.#ringTimer = setTimeout(() => show(ring, false), RING);
  }
}
