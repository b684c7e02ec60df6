// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api } from './api.js';
import { byId, setText, show } from './dom.js';
import { attempt } from './toasts.js';

const STATES = {
  idle: ['The camera is off.', 'It starts when a page shows it.'],
  starting: ['The camera is starting …', ''],
  asking: ['Allow the use of the camera.', 'The question is in a dialog on the machine of the Studio.'],
  disconnected: ['The camera is not connected.', 'Plug it in again; it resumes automatically.'],
  denied: ['No permission to use the camera.', 'Grant the permission, then try again.'],
  failed: ['The camera has failed.', 'Try again, or choose another camera.'],
  ended: ['The source has ended.', 'Try again to play it from the beginning.'],
};
const CAN_RETRY = new Set(['disconnected', 'denied', 'failed', 'ended']);

/** The card over the viewfinder when there is no live view: the problem and its remedy. */
export class Card {
  constructor(store, link) {
    this.store = store;
    this.link = link;
    byId('card-retry').addEventListener('click', () => this.#retry());
    store.addEventListener('change', () => this.#update());
    link.addEventListener('status', () => this.#update());
    this.#update();
  }

  #isRetrying = false;

  #update() {
    const content = this.#content();
    const card = byId('card');
    show(card, content !== null);
    if (!content) return;
    card.dataset.state = content.state;
    setText(byId('card-message'), content.message);
    setText(byId('card-advice'), content.advice);
    show(byId('card-advice'), Boolean(content.advice));
    show(byId('card-retry'), content.canRetry);
    byId('card-retry').disabled = this.#isRetrying;
  }

  #content() {
    if (this.link.status === 'refused') {
      return {
        state: 'refused', message: 'This page no longer has access.', canRetry: true,
        advice: 'The Studio was restarted. Open the address that it printed at its start.',
      };
    }
    if (this.link.status === 'connecting') {
      return {
        state: 'offline', message: this.store.state ? 'Reconnecting …' : 'Connecting …', canRetry: Boolean(this.store.state),
        advice: this.store.state ? 'The Studio does not respond. The page reconnects automatically.' : '',
      };
    }
    if (!this.store.state) return null;
    const { camera } = this.store;
    if (!camera) return { state: 'none', message: 'There is no camera.', advice: 'Choose a camera under “Add a camera”.', canRetry: false };
    if (camera.state === 'running') return null;
    const [message, advice] = STATES[camera.state] ?? [`The camera is ${camera.state}.`, ''];
    return {
      state: camera.state, message: camera.problem?.message ?? message, advice: camera.problem?.advice ?? advice,
      canRetry: CAN_RETRY.has(camera.state),
    };
  }

  async #retry() {
    if (this.link.status !== 'open') {
      this.link.reconnect();
      return;
    }
    const { camera } = this.store;
    if (!camera) return;
    this.#isRetrying = true;
    this.#update();
    const again = await attempt(() => api.startCamera(camera.id));
    this.#isRetrying = false;
    if (again) this.store.applyCamera(again);
    this.#update();
  }
}
