// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api } from './api.js';
import { byId, show } from './dom.js';
import { attempt, toast } from './toasts.js';

/** Addresses and files as cameras; only if the server allows it. */
export class Sources {
  constructor(store) {
    this.store = store;
    store.addEventListener('change', () => show(byId('sources-group'), this.#isAllowed));
    byId('source-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    byId('source-file').addEventListener('change', async (event) => {
      const [file] = event.target.files;
      if (file) await this.#upload(file);
      event.target.value = '';
    });
    addEventListener('dragover', (event) => this.#over(event));
    addEventListener('dragleave', (event) => {
      if (!event.relatedTarget) show(byId('drop-hint'), false);
    });
    addEventListener('drop', (event) => this.#drop(event));
  }

  get #isAllowed() {
    return this.store.state?.allowsSources === true;
  }

  async #submit() {
    const field = byId('source-address');
    const button = byId('source-open');
    button.disabled = true;
    if (await this.#open({ source: field.value.trim() })) field.value = '';
    button.disabled = false;
  }

  async #open(what) {
    const camera = await attempt(() => api.addCamera(what));
    if (!camera) return false;
    this.store.applyCamera(camera);
    this.store.select(camera.id);
    return true;
  }

  async #upload(file) {
    const told = toast({ message: `Uploading ${file.name} …` });
    const item = await attempt(() => api.upload(file));
    told?.remove();
    if (item) await this.#open({ file: item.name });
  }

  /** Handles all drops: a browser would open an unhandled one instead of the page. */
  #over(event) {
    const types = event.dataTransfer?.types ?? [];
    if (!types.includes('Files') && !types.includes('text/uri-list')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = this.#isAllowed ? 'copy' : 'none';
    show(byId('drop-hint'), this.#isAllowed);
  }

  async #drop(event) {
    show(byId('drop-hint'), false);
    const { files } = event.dataTransfer;
    const address = event.dataTransfer.getData('text/uri-list').split(/\r?\n/).find((line) => line && !line.startsWith('#'));
    if (!files.length && !address) return;
    event.preventDefault();
    if (!this.#isAllowed) return;
    if (files.length) for (const file of [...files].slice(0, 8)) await this.#upload(file);
    else await this.#open({ source: address });
  }
}
