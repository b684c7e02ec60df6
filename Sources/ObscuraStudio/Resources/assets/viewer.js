// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api, mediaAddress, pictureAddress } from './api.js';
import { moveToTrash } from './deleting.js';
import { button, element, returnFocus, setText, show } from './dom.js';
import { exportControls } from './exporting.js';
import { bytes, date, duration, size } from './format.js';
import { icon } from './icons.js';
import { attempt } from './toasts.js';
import { Trimming } from './trimming.js';

const LARGE = 1920;

/** The dialog that shows a photo or plays a movie, with its metadata. */
export class Viewer {
  /**
   * @param {object} hooks those that are absent have no control
   * @param {(item: object) => void} [hooks.onEdit]
   * @param {(item: object) => void} [hooks.onExported] called for exported photos and trimmed movies
   * @param {(name: string) => void} [hooks.onDeleted]
   * @param {(item: object) => void} [hooks.onRestored] called when the deletion is undone
   * @param {(item: object, from: number, to: number) => Promise<object>} [hooks.trim]
   * @param {(name: string, by: number) => object|undefined} hooks.neighbour
   */
  constructor(hooks) {
    this.hooks = hooks;
    this.#build();
  }

  #build() {
    this.title = element('h2', { id: 'viewer-title' });
    this.stage = element('div', { id: 'viewer-stage', class: 'viewer-stage' });
    this.facts = element('dl', { id: 'viewer-facts', class: 'facts' });
    this.edit = button({ id: 'viewer-edit', label: 'Edit', drawing: 'edit', onclick: () => this.hooks.onEdit(this.item) });
    this.export = exportControls('viewer-export', async () => this.item, (item) => this.hooks.onExported?.(item));
    this.download = element('a', { id: 'viewer-download', class: 'button', download: '' }, icon('download'), element('span', { text: 'Download' }));
    this.trimming = new Trimming(this.hooks.trim ?? ((item, from, to) => api.trim(item.name, from, to)), (item) => {
      this.hooks.onExported?.(item);
      this.show(item);
    });
    this.previous = button({ id: 'viewer-previous', label: 'Previous', drawing: 'left', isIconOnly: true, kind: 'quiet', onclick: () => this.#step(-1) });
    this.next = button({ id: 'viewer-next', label: 'Next', drawing: 'right', isIconOnly: true, kind: 'quiet', onclick: () => this.#step(1) });
    this.remove = button({ id: 'viewer-delete', label: 'Delete', drawing: 'trash', kind: 'danger', onclick: () => this.#delete() });
    const close = button({ id: 'viewer-close', label: 'Close', drawing: 'close', isIconOnly: true, kind: 'quiet', onclick: () => this.dialog.close() });
    this.dialog = element('dialog', { id: 'viewer', class: 'dialog viewer', 'aria-labelledby': 'viewer-title' },
      element('header', { class: 'dialog-head' }, this.previous, this.title, this.next, close),
      this.stage,
      element('div', { class: 'viewer-side' },
        element('div', { class: 'row' }, this.edit, this.download), this.export, this.trimming.element,
        this.hooks.onDeleted ? element('div', { class: 'row' }, this.remove) : null, this.facts));
    this.dialog.addEventListener('close', () => {
      // A hidden movie must not continue to play or load.
      this.#clearStage();
      returnFocus(this.opener);
    });
    this.dialog.addEventListener('keydown', (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by && !event.target.closest('video, select, input')) this.#step(by);
    });
    document.body.append(this.dialog);
  }

  open(item, opener = this.opener) {
    this.opener = opener;
    this.show(item);
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** Shows this item, and loads its current metadata from the server. */
  async show(item) {
    this.item = item;
    const isPhoto = item.kind === 'photo';
    setText(this.title, item.name);
    show(this.edit, isPhoto && Boolean(this.hooks.onEdit));
    show(this.export, isPhoto && Boolean(this.hooks.onExported));
    this.download.href = mediaAddress(item.name);
    this.download.download = item.name;
    this.previous.disabled = !this.hooks.neighbour(item.name, -1);
    this.next.disabled = !this.hooks.neighbour(item.name, 1);
    this.#clearStage();
    this.stage.append(isPhoto
      ? element('img', { src: pictureAddress(item, { width: LARGE, height: LARGE }), alt: `Photo ${item.name}` })
      : element('video', { src: mediaAddress(item.name), poster: pictureAddress(item, { width: LARGE, height: LARGE }), controls: true, preload: 'metadata', playsinline: true, 'aria-label': `Movie ${item.name}` }));
    this.trimming.show(isPhoto ? null : item, this.stage.querySelector('video'));
    this.#showFacts(item);
    const whole = await attempt(() => api.item(item.name));
    if (whole && this.item.name === whole.name) {
      this.item = whole;
      this.#showFacts(whole);
    }
  }

  #showFacts(item) {
    const facts = [
      ['Taken', date(item.date)], ['Size', size(item)], item.kind === 'movie' && ['Length', duration(item.duration)],
      ['File', bytes(item.size)], item.recipe && ['Edits', 'yes; the original is kept'],
      ...(item.metadata ?? []).map(({ label, value }) => [label, value]),
    ].filter((fact) => fact && fact[1]);
    const rows = facts.map(([label, value]) => [element('dt', { text: label }), element('dd', { text: value })]);
    if (item.place) rows.push([element('dt', { text: 'Place' }), element('dd', {}, placeLink(item.place))]);
    this.facts.replaceChildren(...rows.flat());
  }

  #clearStage() {
    const video = this.stage.querySelector('video');
    if (video) {
      video.pause();
      video.removeAttribute('src');
      video.load();
    }
    this.stage.replaceChildren();
  }

  #step(by) {
    const item = this.hooks.neighbour(this.item.name, by);
    if (item) this.show(item);
  }

  async #delete() {
    const { item, remove } = this;
    remove.disabled = true;
    await moveToTrash(item, {
      onDeleted: () => {
        // The user may look at another one by now.
        if (this.item.name === item.name) this.dialog.close();
        this.hooks.onDeleted(item.name);
      },
      onRestored: (restored) => this.hooks.onRestored?.(restored),
    });
    remove.disabled = false;
  }
}

/** The coordinates as a link that the browser opens in the user's map application, if there is one. */
function placeLink({ latitude, longitude, altitude }) {
  const height = altitude == null ? '' : `, ${Math.round(altitude)} m`;
  const text = `${Math.abs(latitude).toFixed(5)}° ${latitude < 0 ? 'S' : 'N'}, ${Math.abs(longitude).toFixed(5)}° ${longitude < 0 ? 'W' : 'E'}${height}`;
  return element('a', { id: 'viewer-place', href: `geo:${Number(latitude)},${Number(longitude)}`, text });
}
