// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api } from './api.js';
import { ask } from './ask.js';
import { Card } from './card.js';
import { byId, drawIcons, setText, show } from './dom.js';
import { Editor } from './editor.js';
import { Meters } from './meters.js';
import { PickSources } from './picksources.js';
import { Recorder } from './recorder.js';
import { Ribbon } from './ribbon.js';
import { Shutter } from './shutter.js';
import { Store } from './store.js';
import { Tiles } from './tiles.js';
import { attempt, toast } from './toasts.js';
import { Undo } from './undo.js';
import { Viewer } from './viewer.js';
import { Viewfinder } from './viewfinder.js';

const STATUS = { open: 'Connected', connecting: 'Reconnecting …', refused: 'Not allowed' };

/** The page of a media picker. */
class Picker {
  /** @param {object} settings the PickerDescription */
  constructor(settings) {
    this.settings = settings;
    this.store = new Store();
    this.tiles = new Tiles();
    this.#describe();
    this.#listen();
    if (settings.sources.includes('camera')) this.#addCamera();
    const { store } = this;
    // Before the update of the page, which asks whether there is a step.
    this.undo = new Undo(store);
    this.editor = new Editor({
      onChanged: (item) => store.applyVisit(store.state.visit.map((old) => (old.name === item.name ? item : old))),
      onMoved: (name, by) => this.ribbon.move(name, by),
      ratios: settings.cropRatios, mask: settings.mask, allowsRotation: settings.allowsRotation,
    });
    this.viewer = new Viewer({
      neighbour: (name, by) => {
        const items = store.state?.visit ?? [];
        const place = items.findIndex((item) => item.name === name);
        return place < 0 ? undefined : items[place + by];
      },
      trim: (item, from, to) => api.pickTrimmed(item.name, from, to),
    });
    this.ribbon = new Ribbon(store, (item, opener) => this.#open(item, opener), {
      onRemoved: (name, place) => toast({ message: `${name} was removed.`, action: { label: 'Put back', run: () => this.#putBack(name, place) } }),
    });
    this.sources = new PickSources(store, settings, (by) => this.#work(by));
    byId('undo').addEventListener('click', () => this.undo.step());
    byId('cancel').addEventListener('click', () => this.#cancel());
    byId('done').addEventListener('click', () => this.#finish());
    store.addEventListener('change', () => this.#update());
    addEventListener('keydown', (event) => this.#key(event));
    this.tiles.link.reconnect();
  }

  /** The number of requests that add something, or end the page. */
  #pending = 0;
  #isEnding = false;
  #hasEnded = false;
  /** Whether the server has told that it ends. */
  #isOver = false;

  #describe() {
    const { settings } = this;
    setText(byId('title'), settings.title);
    document.title = settings.title;
    setText(byId('prompt'), settings.prompt);
    show(byId('prompt'), Boolean(settings.prompt));
    setText(byId('cancel-label'), settings.cancelLabel);
    const { style, classList } = document.documentElement;
    if (settings.accentColor) {
      style.setProperty('--accent', settings.accentColor);
      style.setProperty('--on-accent', readableOn(settings.accentColor));
    }
    if (settings.backgroundColor) {
      const [back, text] = [settings.backgroundColor, readableOn(settings.backgroundColor)];
      const mixed = (percent) => `color-mix(in srgb, ${back}, ${text} ${percent}%)`;
      const colors = { page: back, surface: back, text, muted: mixed(75), raised: mixed(12), line: mixed(20), edge: mixed(60) };
      for (const [name, color] of Object.entries(colors)) style.setProperty(`--${name}`, color);
      style.setProperty('color-scheme', text === '#ffffff' ? 'dark' : 'light');
    }
    classList.add('ready');
    document.body.classList.toggle('no-camera', !settings.sources.includes('camera'));
    document.body.classList.toggle('no-controls', !settings.showsControls);
    if (settings.hasOverlay) {
      byId('overlay').src = '/api/picker/overlay';
      show(byId('overlay'), true);
    }
    show(byId('shutter'), settings.kinds.includes('photo'));
    show(byId('timer'), settings.kinds.includes('photo'));
    for (const id of ['record', 'pause']) show(byId(id), settings.kinds.includes('movie'));
    byId('photo-flash').value = settings.flash;
  }

  #addCamera() {
    const { store, tiles } = this;
    this.viewfinder = new Viewfinder(store, tiles);
    new Card(store, tiles.link);
    new Meters(store, tiles.link);
    this.shutter = new Shutter(store, (by) => this.#work(by));
    this.recorder = new Recorder(store, tiles.link, { maxDuration: this.settings.maximumMovieDuration });
  }

  #listen() {
    const { link } = this.tiles;
    link.addEventListener('state', ({ detail }) => this.store.apply(detail.state));
    link.addEventListener('notice', ({ detail }) => toast(detail));
    link.addEventListener('ended', () => {
      // The server closes the connection now; connecting again would fail.
      link.end();
      this.#isOver = true;
      // The answer to this page's own request tells more.
      if (!this.#isEnding) this.#end('This selection has ended.');
    });
    link.addEventListener('status', ({ detail }) => {
      const status = byId('connection');
      status.dataset.status = detail;
      document.body.dataset.link = detail;
      setText(status, STATUS[detail]);
      if (detail === 'open') this.store.forgetRevisions();
    });
  }

  #open(item, opener) {
    if (item.kind === 'photo' && this.settings.allowsEditing) this.editor.open(item, opener);
    else this.viewer.open(item, opener);
  }

  #work(by) {
    this.#pending += by;
    this.#update();
  }

  async #putBack(name, place) {
    await attempt(() => this.store.inTurn(async () => {
      const names = (this.store.state?.visit ?? []).map((item) => item.name).filter((other) => other !== name);
      this.store.applyVisit((await api.pick(names.toSpliced(place, 0, name))).items);
    }));
  }

  #update() {
    const { settings, store } = this;
    const items = store.state?.visit ?? [];
    const { minimumCount: least, maximumCount: most } = settings;
    const isRecording = Boolean(store.camera?.recording);
    setText(byId('count'), this.#counted(items.length, least, most));
    setText(byId('done-label'), items.length ? `${settings.doneLabel} (${items.length})` : settings.doneLabel);
    const isBusy = this.#isEnding || this.#pending > 0;
    byId('done').disabled = isBusy || isRecording || items.length < least || items.length > most;
    byId('cancel').disabled = this.#isEnding;
    byId('undo').disabled = isBusy || !this.undo?.isPossible;
    const isFull = items.length + (isRecording ? 1 : 0) >= most;
    byId('shutter').disabled ||= isFull || isBusy;
    byId('record').disabled ||= (isFull || isBusy) && !isRecording;
    this.sources?.setFull(isFull || this.#isEnding);
    if (!isFull && !isBusy) this.shutter?.update();
  }

  #counted(count, least, most) {
    if (count > most) return `${count} selected, but at most ${most} allowed. Remove ${count - most}.`;
    if (count < least && least > 1) return `${count} of ${most}; at least ${least} are needed`;
    if (most > 1) return `${count} of ${most}`;
    return count ? 'To choose another one, remove this one first.' : '';
  }

  async #finish() {
    if (byId('done').disabled) return;
    await this.#leave(() => this.store.inTurn(api.finishPicking), 'Done.');
  }

  async #cancel() {
    const isRecording = Boolean(this.store.camera?.recording);
    const isEmpty = !this.store.state?.visit.length && !isRecording;
    const isSure = isEmpty || await ask({
      title: 'Discard the selection?', text: `${isRecording ? 'The recording ends. ' : ''}Photos and movies taken here are deleted. Originals are kept.`, confirm: 'Discard', drawing: 'trash',
    });
    if (isSure) await this.#leave(api.cancelPicking, 'Canceled. Nothing was chosen.');
  }

  async #leave(send, message) {
    this.#isEnding = true;
    this.#update();
    const isDone = await attempt(async () => {
      await send();
      return true;
    });
    if (isDone) {
      this.#end(message);
      return;
    }
    this.#isEnding = false;
    if (this.#isOver) this.#end('This selection has ended.');
    else this.#update();
  }

  #end(message) {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.tiles.link.end();
    for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
    show(byId('main'), false);
    show(byId('ending'), false);
    show(byId('connection'), false);
    setText(byId('ended-message'), message);
    show(byId('ended'), true);
  }

  #key(event) {
    if (event.defaultPrevented || document.querySelector('dialog[open]') || event.target.closest('input, select')) return;
    if (!this.settings.showsControls || this.#isEnding || this.#hasEnded) return;
    if (event.key === 'z' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (!byId('undo').disabled) this.undo.step();
    } else if (event.key === ' ' && this.settings.kinds.includes('photo') && !event.repeat && (!event.target.closest('button') || event.target.id === 'surface')) {
      event.preventDefault();
      this.shutter?.press();
    }
  }
}

/** Black or white, whichever has the higher contrast (WCAG 2.2, relative luminance). */
function readableOn(color) {
  const [red, green, blue] = [1, 3, 5].map((place) => parseInt(color.slice(place, place + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

drawIcons();
const settings = await attempt(() => api.picker());
if (settings) {
  byId('main').hidden = false;
  new Picker(settings);
}
