// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { mediaType, parsePlaylist } from './playlist.js';

const LIST = '/live-media.m3u8';
// In seconds. So much is kept ready beyond one segment: the next one comes when the last is whole, and needs a moment.
const READY = 0.25;
// When more or less than this is ready beside that, the playback goes a little faster or slower; by far more, it jumps.
const TOLERANCE = 0.15;
const FAR_TOO_MUCH = 2;
const FASTER = 1.05;
const SLOWER = 0.97;
// What was seen for longer is thrown away.
const KEPT = 10;
// How long the end is waited for when it is due, in milliseconds.
const AFTERWARDS = 1000;
// How long nothing may come.
const PATIENCE = 20_000;

/** There is no broadcast yet, or none any more that this playback belongs to. */
export class NothingThere extends Error {}
/** The broadcast was over before anything of it was played. */
export class Over extends Error {}
/** The browser does not know what is sent. */
export class Unplayable extends Error {}

const event = (target, name) => new Promise((resolve, reject) => {
  const heard = new AbortController();
  const on = (kind, answer) => target.addEventListener(kind, () => {
    heard.abort();
    answer();
  }, { signal: heard.signal });
  on(name, resolve);
  on('error', () => reject(new Error(`${name} did not come`)));
});

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/** A live stream in a video element, by Media Source Extensions: as near to the newest picture as segments allow. */
export class LiveStream {
  #video;
  #source = new MediaSource();
  #buffer = null;
  /** The number of the segment that comes next; null before the first. */
  #next = null;
  /** How often segments came so far. */
  #turns = 0;

  constructor(video) {
    this.#video = video;
  }

  /** Plays until the broadcast is over. `onBegin` is called when there is a first picture to play. */
  async play(onBegin) {
    const address = URL.createObjectURL(this.#source);
    this.#video.src = address;
    try {
      await event(this.#source, 'sourceopen');
      for (;;) {
        const list = await this.#list();
        const isFirst = this.#next === null;
        if (isFirst) await this.#begin(list);
        const count = await this.#append(list).catch((error) => {
          // A server that ends with its broadcast may be gone before its last segment was taken.
          if (isFirst || !list.isEnded) throw error;
          return 0;
        });
        if (count) await this.#follow(list.longest);
        if (isFirst) onBegin();
        if (list.isEnded) break;
        // Somebody between us and the server does not let us wait there.
        if (!count) await pause(200);
      }
      this.#source.endOfStream();
      // It may be paused, and never come to its end.
      const rest = 1000 * (this.#source.duration - this.#video.currentTime);
      if (!this.#video.ended) await Promise.race([event(this.#video, 'ended'), pause(rest + AFTERWARDS)]);
    } finally {
      URL.revokeObjectURL(address);
    }
  }

  /** The list, as soon as it has the next segment. */
  async #list() {
    const ask = () => this.#fetch(`${LIST}?_HLS_msn=${this.#next ?? 0}`);
    let answer = await ask();
    // It does not come for long: the camera has dropped out, say.
    while (answer.status === 503) {
      await pause(AFTERWARDS);
      answer = await ask();
    }
    // The numbers are others: the broadcast was begun anew.
    if (answer.status === 404 || answer.status === 400) throw new NothingThere();
    if (!answer.ok) throw new Error(`the list: ${answer.status}`);
    return parsePlaylist(await answer.text(), answer.url);
  }

  async #begin(list) {
    if (list.isEnded) throw new Over();
    if (!list.map || !list.segments.length) throw new NothingThere();
    const bytes = new Uint8Array(await this.#bytes(list.map));
    const type = mediaType(bytes);
    if (!MediaSource.isTypeSupported(type)) throw new Unplayable(type);
    this.#buffer = this.#source.addSourceBuffer(type);
    this.#buffer.appendBuffer(bytes);
    await event(this.#buffer, 'updateend');
  }

  /** Appends what is new; says how many segments that were. */
  async #append(list) {
    const end = list.first + list.segments.length;
    // Who comes takes the newest two: with one he would have to wait for the next.
    if (this.#next === null) this.#next = Math.max(list.first, end - 2);
    if (this.#next > end) throw new NothingThere();
    const begin = Math.max(this.#next, list.first);
    for (this.#next = begin; this.#next < end; this.#next += 1) {
      this.#buffer.appendBuffer(await this.#bytes(list.segments[this.#next - list.first]));
      await event(this.#buffer, 'updateend');
    }
    return end - begin;
  }

  /** Keeps the playback near the newest picture, and throws away what was seen. */
  async #follow(length) {
    const { buffered } = this.#buffer;
    if (!buffered.length) return;
    const video = this.#video;
    const [begin, end] = [buffered.start(buffered.length - 1), buffered.end(buffered.length - 1)];
    const wanted = length + READY;
    const excess = end - wanted - video.currentTime;
    this.#turns += 1;
    // Of the first segments nobody knows how long they have been there; the next one is new.
    const isSettled = this.#turns > 2 && excess < FAR_TOO_MUCH;
    if (video.currentTime < begin || video.currentTime > end || (!isSettled && Math.abs(excess) > TOLERANCE)) {
      video.currentTime = Math.max(begin, end - wanted);
      video.playbackRate = 1;
    } else {
      video.playbackRate = Math.abs(excess) < TOLERANCE ? 1 : excess > 0 ? FASTER : SLOWER;
    }
    if (video.currentTime - buffered.start(0) > 2 * KEPT) {
      this.#buffer.remove(0, video.currentTime - KEPT);
      await event(this.#buffer, 'updateend');
    }
  }

  async #bytes(address) {
    const answer = await this.#fetch(address);
    // It has left the folder while we were away.
    if (answer.status === 404) throw new NothingThere();
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    return answer.arrayBuffer();
  }

  /** Never from the browser's own store: after a new start other segments have the same names. */
  #fetch(address) {
    return fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE) });
  }
}
