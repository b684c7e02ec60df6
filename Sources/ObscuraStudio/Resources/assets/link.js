// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api } from './api.js';
import { parseRecord } from './records.js';

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
const OPENING_LIMIT = 8000;
/** After this time without a message the connection is checked: the peer may be gone. */
const SILENCE = 10_000;
const TYPES = new Set(['state', 'levels', 'recording', 'statistics', 'notice', 'ended']);

/**
 * The page's only WebSocket. It carries subscriptions, frames, acknowledgements and the state.
 *
 * Events: each message of the server under its type with the message as `detail`; and `status` with
 * `open`, `connecting` (again) or `refused` (the page has lost its access) as `detail`.
 */
export class Link extends EventTarget {
  /** @param {(record: import('./records.js').PictureRecord) => void} onRecord */
  constructor(onRecord) {
    super();
    this.onRecord = onRecord;
    this.status = 'connecting';
    this.#watched = [];
    this.#wait = FIRST_WAIT;
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.reconnect();
      this.#sendWatch();
    });
    addEventListener('online', () => this.reconnect());
    setInterval(() => this.#lookAfter(), SILENCE / 2);
  }

  #socket = null;
  #hasEnded = false;
  #watched;
  #sent = null;
  #wait;
  #timer = 0;
  #heard = 0;
  #isAsking = false;

  /** Connects at once if the link is not open. */
  reconnect() {
    if (this.#socket || this.#hasEnded) return;
    clearTimeout(this.#timer);
    this.#open();
  }

  /** Closes the link for good. */
  end() {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  /** Sets the tiles that the page subscribes to. A hidden page subscribes to none. */
  watch(tiles) {
    this.#watched = tiles;
    this.#sendWatch();
  }

  /** Acknowledges that the frame is on the canvas. */
  acknowledge(tile, sequence) {
    this.#send({ type: 'drawn', tile, sequence });
  }

  #open() {
    const socket = new WebSocket(new URL('/ws', location.href.replace(/^http/, 'ws')));
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    const limit = setTimeout(() => socket.close(), OPENING_LIMIT);
    socket.addEventListener('open', () => {
      clearTimeout(limit);
      this.#wait = FIRST_WAIT;
      this.#heard = performance.now();
      this.#sent = null;
      this.#sendWatch();
      this.#say('open');
    });
    socket.addEventListener('message', (event) => this.#receive(event.data));
    socket.addEventListener('close', () => {
      clearTimeout(limit);
      if (this.#socket === socket) this.#lost();
    });
  }

  #lost() {
    this.#socket = null;
    if (this.#hasEnded) return;
    if (this.status !== 'refused') this.#say('connecting');
    // Random jitter, so that many pages do not reconnect at the same moment.
    this.#timer = setTimeout(() => this.#open(), this.#wait * (0.8 + 0.4 * Math.random()));
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    // A WebSocket does not report why it was rejected; an HTTP request does.
    api.state().catch((error) => {
      if ((error.status === 401 || error.status === 403) && !this.#isOpen) this.#say('refused');
    });
  }

  #receive(data) {
    this.#heard = performance.now();
    if (data instanceof ArrayBuffer) {
      const record = parseRecord(data);
      if (record) this.onRecord(record);
      return;
    }
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    if (TYPES.has(message?.type)) this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
  }

  async #lookAfter() {
    const socket = this.#socket;
    if (!this.#isOpen || document.hidden || this.#isAsking || performance.now() - this.#heard < SILENCE) return;
    this.#isAsking = true;
    try {
      await api.health();
    } catch {
      // A closing handshake would wait for a peer that is gone.
      if (this.#socket === socket) {
        socket.close();
        this.#lost();
      }
    } finally {
      this.#isAsking = false;
    }
  }

  #sendWatch() {
    const tiles = document.hidden ? [] : this.#watched;
    const text = JSON.stringify(tiles);
    if (text === this.#sent || !this.#isOpen) return;
    this.#sent = text;
    this.#send({ type: 'watch', tiles });
  }

  get #isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  #send(message) {
    if (this.#isOpen) this.#socket.send(JSON.stringify(message));
  }

  #say(status) {
    this.status = status;
    this.dispatchEvent(new CustomEvent('status', { detail: status }));
  }
}
