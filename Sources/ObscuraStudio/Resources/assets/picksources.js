// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api } from './api.js';
import { button, byId, element, returnFocus, show } from './dom.js';
import { PickLibrary } from './picklibrary.js';
import { attempt, report, toast } from './toasts.js';

/** The time between two requests for the progress of a download. */
const PROGRESS = 300;

/** The sources of a picker besides the camera: the photo library, files, and addresses of the web. */
export class PickSources {
  /** @param {(by: 1|-1) => void} onWork called when a request begins and when it ends */
  constructor(store, settings, onWork) {
    this.store = store;
    this.settings = settings;
    this.onWork = onWork;
    const library = new PickLibrary((path) => this.#add(() => api.pickFromLibrary(path)), () => this.#focus('library'));
    const { sources, kinds } = settings;
    for (const source of ['library', 'disk', 'network']) show(byId(`from-${source}`), sources.includes(source));
    byId('from-library').addEventListener('click', () => library.open());
    const files = byId('disk-file');
    files.accept = [kinds.includes('photo') && 'image/jpeg,image/png', kinds.includes('movie') && 'video/*'].filter(Boolean).join(',');
    files.multiple = settings.maximumCount > 1;
    byId('from-disk').addEventListener('click', () => files.click());
    files.addEventListener('change', async () => {
      await this.#upload([...files.files]);
      files.value = '';
    });
    this.#buildAddress();
    byId('from-network').addEventListener('click', () => this.dialog.showModal());
    addEventListener('dragover', (event) => this.#over(event));
    addEventListener('dragleave', (event) => {
      if (!event.relatedTarget) show(byId('drop-hint'), false);
    });
    addEventListener('drop', (event) => this.#drop(event));
  }

  #isFull = false;

  setFull(isFull) {
    this.#isFull = isFull;
    for (const source of ['library', 'disk', 'network']) byId(`from-${source}`).disabled = isFull;
  }

  /** Returns the focus to a source's button, or to Done if no more can be added. */
  #focus(source) {
    const button = byId(`from-${source}`);
    returnFocus(button.disabled ? byId('done') : button);
  }

  #buildAddress() {
    this.address = element('input', { id: 'address', type: 'text', inputmode: 'url', autofocus: true, autocomplete: 'off', spellcheck: 'false', required: true, placeholder: 'https://example.com/photo.jpg' });
    this.go = button({ id: 'address-add', label: 'Add', drawing: 'plus', kind: 'primary', type: 'submit' });
    this.stop = button({ id: 'address-stop', label: 'Stop', drawing: 'close', hidden: true, onclick: () => {
      this.#isStopped = true;
      attempt(() => api.stopDownloads());
    } });
    this.progress = element('progress', { id: 'address-progress', 'aria-label': 'Download', hidden: true });
    const form = element('form', { class: 'row', onsubmit: async (event) => {
      event.preventDefault();
      const isAdded = await this.#download(written(this.address.value));
      if (!isAdded) return;
      this.address.value = '';
      this.dialog.close();
    } }, element('label', { class: 'field grow' }, element('span', { text: 'Address' }), this.address), this.go, this.stop, this.progress);
    const close = button({ id: 'address-close', label: 'Close', drawing: 'close', isIconOnly: true, kind: 'quiet', onclick: () => this.dialog.close() });
    this.dialog = element('dialog', { id: 'address-dialog', class: 'dialog small', 'aria-labelledby': 'address-title' },
      element('header', { class: 'dialog-head' }, element('h2', { id: 'address-title', text: 'Add from the web' }), close), form);
    this.dialog.addEventListener('close', () => this.#focus('network'));
    document.body.append(this.dialog);
  }

  async #upload(files) {
    for (const [index, file] of files.entries()) {
      if (this.#isFull) {
        const more = files.length - index - 1;
        const names = more === 0 ? `${file.name} was` : `${file.name} and ${more} more ${more === 1 ? 'file' : 'files'} were`;
        toast({ level: 'warning', message: `${names} not added: the selection is full.` });
        return;
      }
      const told = toast({ message: `Reading ${file.name} …` });
      // The next file may be a photo even if this one is not.
      await this.#add(() => api.pickFile(file));
      told?.remove();
    }
  }

  #isStopped = false;

  /** Adds a photo or movie of the web, with its progress and a button that stops it. */
  async #download(address) {
    this.#isStopped = false;
    this.progress.removeAttribute('value');
    this.#showDownload(true);
    const look = setInterval(async () => {
      const answer = await api.downloads().catch(() => null);
      const fraction = answer?.downloads.at(-1)?.fraction;
      if (fraction != null) this.progress.value = fraction;
    }, PROGRESS);
    const isAdded = await this.#add(() => api.pickFromAddress(address));
    clearInterval(look);
    this.#showDownload(false);
    return isAdded;
  }

  #showDownload(isShown) {
    const hadFocus = document.activeElement === (isShown ? this.go : this.stop);
    show(this.go, !isShown);
    // A hidden button would still submit the form.
    this.go.disabled = isShown;
    show(this.stop, isShown);
    show(this.progress, isShown);
    if (hadFocus) (isShown ? this.stop : this.address).focus();
  }

  async #add(send) {
    this.onWork(1);
    let item = null;
    try {
      item = await send();
    } catch (error) {
      if (!(this.#isStopped && error.code === 'cancelled')) report(error);
    }
    this.onWork(-1);
    if (!item) return false;
    const known = this.store.state?.visit ?? [];
    if (!known.some((old) => old.name === item.name)) this.store.applyVisit([...known, item]);
    return true;
  }

  #accepts(types) {
    const { sources, showsControls } = this.settings;
    return showsControls && !this.#isFull && ((types.includes('Files') && sources.includes('disk')) || (types.includes('text/uri-list') && sources.includes('network')));
  }

  /** Handles all drops: a browser would open an unhandled one instead of the page. */
  #over(event) {
    const types = [...(event.dataTransfer?.types ?? [])];
    if (!types.includes('Files') && !types.includes('text/uri-list')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = this.#accepts(types) ? 'copy' : 'none';
    show(byId('drop-hint'), this.#accepts(types));
  }

  async #drop(event) {
    show(byId('drop-hint'), false);
    const { files } = event.dataTransfer;
    const address = event.dataTransfer.getData('text/uri-list').split(/\r?\n/).find((line) => line && !line.startsWith('#'));
    if (!files.length && !address) return;
    event.preventDefault();
    if (!this.#accepts([...event.dataTransfer.types])) return;
    if (files.length) await this.#upload([...files]);
    else await this.#add(() => api.pickFromAddress(address));
  }
}

/** The address as browsers write it: with spaces and other letters encoded, and a scheme. */
function written(text) {
  const address = text.trim();
  const whole = address.includes('://') || !address.includes('.') ? address : `https://${address}`;
  return URL.canParse(whole) ? new URL(whole).href : address;
}
