// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { JPEG } from './records.js';

/** The server shares one encoding among tiles of the same size: sizes are rounded up so that similar ones match. */
const GRAIN = 16;
const WIDEST = 1920;
const TALLEST = 1920;

/**
 * A canvas that shows the newest frame of a camera, in the frame's own pixels; CSS scales it to the box.
 *
 * Its dataset describes the frame: tile, camera, sequence, hostTime, frames (their number), broken. After each frame
 * it dispatches `frame` with {tile, sequence, hostTime, ageMicroseconds, camera}.
 */
export class Tile {
  /** @param {(tile: number, sequence: number) => void} acknowledge */
  constructor(number, canvas, { name = '', camera = null, gravity = 'resizeAspect', rate = null, acknowledge }) {
    this.number = number;
    this.canvas = canvas;
    /** The displayed name of its position on the page. */
    this.name = name;
    this.camera = camera;
    this.gravity = gravity;
    this.rate = rate;
    /** Whether it is visible on the page. */
    this.isVisible = false;
    this.#acknowledge = acknowledge;
    this.#context = canvas.getContext('2d', { alpha: false });
    canvas.dataset.tile = String(number);
    canvas.dataset.gravity = gravity;
    canvas.dataset.frames = '0';
  }

  #acknowledge;
  #context;
  #isDrawing = false;
  #next = null;
  #passedOver = [];
  #frames = 0;
  #broken = 0;

  /** The subscription for the server; null while the tile is not visible. */
  get wish() {
    if (!this.isVisible || this.camera == null) return null;
    const box = this.canvas.getBoundingClientRect();
    let width = box.width * devicePixelRatio;
    let height = box.height * devicePixelRatio;
    if (width < 1 || height < 1) return null;
    const scale = Math.min(1, WIDEST / width, TALLEST / height);
    width = Math.ceil((width * scale) / GRAIN) * GRAIN;
    height = Math.ceil((height * scale) / GRAIN) * GRAIN;
    const wish = { tile: this.number, camera: this.camera, width, height, gravity: this.gravity };
    if (this.rate) wish.rate = this.rate;
    return wish;
  }

  /** Clears the canvas, which shows another camera. */
  clear() {
    this.#context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    delete this.canvas.dataset.camera;
  }

  /** Draws the frame, or the newest one that arrived while another was being drawn. */
  async receive(record) {
    if (this.#isDrawing) {
      if (this.#next) this.#passedOver.push(this.#next.sequence);
      this.#next = record;
      return;
    }
    this.#isDrawing = true;
    let current = record;
    while (current) {
      const { camera, number } = this;
      await this.#draw(current, camera);
      // Broken and skipped frames are acknowledged too: the server waits for each.
      for (const sequence of this.#passedOver.splice(0)) this.#acknowledge(number, sequence);
      this.#acknowledge(number, current.sequence);
      current = this.#next;
      this.#next = null;
    }
    this.#isDrawing = false;
  }

  async #draw(record, camera) {
    let bitmap = null;
    try {
      if (record.kind !== JPEG) throw new TypeError('a frame of an unknown kind');
      bitmap = await createImageBitmap(new Blob([record.picture], { type: 'image/jpeg' }));
    } catch {
      this.#broken += 1;
      this.canvas.dataset.broken = String(this.#broken);
      return;
    }
    const { canvas } = this;
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    }
    this.#context.drawImage(bitmap, 0, 0);
    bitmap.close();
    this.#frames += 1;
    Object.assign(canvas.dataset, {
      tile: record.tile, camera, sequence: record.sequence, hostTime: record.hostTime, frames: this.#frames,
    });
    const { tile, sequence, hostTime, ageMicroseconds } = record;
    canvas.dispatchEvent(new CustomEvent('frame', {
      bubbles: true, detail: { tile, camera, sequence, hostTime, ageMicroseconds },
    }));
  }
}
