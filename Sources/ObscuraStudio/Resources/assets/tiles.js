// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { Link } from './link.js';
import { Tile } from './tile.js';

/** The maximum number of tiles of a page. */
export const MOST_TILES = 64;
/** Sizes change in bursts while a window is being resized. */
const SETTLING = 40;

/** All tiles of the page on its one link; subscribes to the visible ones. */
export class Tiles {
  constructor() {
    this.link = new Link((record) => this.#byNumber.get(record.tile)?.receive(record));
    this.#sight = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const tile = this.#byCanvas.get(entry.target);
        if (tile) tile.isVisible = entry.isIntersecting;
      }
      this.#changed();
    });
    this.#sizes = new ResizeObserver(() => this.#changed());
    addEventListener('resize', () => this.#changed());
  }

  #byNumber = new Map();
  #byCanvas = new Map();
  #sight;
  #sizes;
  #lastNumber = 0;
  #timer = 0;

  /** @returns {Tile} */
  add(canvas, { name, camera, gravity, rate } = {}) {
    const tile = new Tile(this.#newNumber(), canvas, {
      name, camera, gravity, rate, acknowledge: (number, sequence) => this.link.acknowledge(number, sequence),
    });
    this.#byNumber.set(tile.number, tile);
    this.#byCanvas.set(canvas, tile);
    this.#sight.observe(canvas);
    this.#sizes.observe(canvas);
    this.#changed();
    return tile;
  }

  /** The displayed name of the tile with this number. */
  nameOf(number) {
    return this.#byNumber.get(number)?.name ?? '';
  }

  remove(tile) {
    this.#byNumber.delete(tile.number);
    this.#byCanvas.delete(tile.canvas);
    this.#sight.unobserve(tile.canvas);
    this.#sizes.unobserve(tile.canvas);
    this.#changed();
  }

  /** Another camera is another stream: with a new number, no frame of the old camera is shown as the new one's. */
  setCamera(tile, camera) {
    if (tile.camera === camera) return;
    this.#byNumber.delete(tile.number);
    tile.number = this.#newNumber();
    tile.camera = camera;
    this.#byNumber.set(tile.number, tile);
    this.#changed();
  }

  setGravity(tile, gravity) {
    tile.gravity = gravity;
    tile.canvas.dataset.gravity = gravity;
    this.#changed();
  }

  #newNumber() {
    do this.#lastNumber = (this.#lastNumber % 65535) + 1;
    while (this.#byNumber.has(this.#lastNumber));
    return this.#lastNumber;
  }

  #changed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const wishes = [...this.#byNumber.values()].map((tile) => tile.wish).filter(Boolean);
      this.link.watch(wishes.slice(0, MOST_TILES));
    }, SETTLING);
  }
}
