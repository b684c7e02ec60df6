// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { mediaType, parsePlaylist } from './playlist.js';

const LIST = '/live-media.m3u8';
// The buffer beyond one segment, in seconds: a segment is available only when it is complete, and loading takes time.
const READY = 0.25;
// Beyond this deviation from the buffer the playback rate changes; beyond FAR_TOO_MUCH the playback seeks.
const TOLERANCE = 0.15;
const FAR_TOO_MUCH = 2;
const FASTER = 1.05;
const SLOWER = 0.97;
// Older played data are removed, in seconds.
const KEPT = 10;
// The time to wait for the end after it is due, in milliseconds.
const AFTERWARDS = 1000;
// The time limit of a request, in milliseconds.
const PATIENCE = 20_000;

/** There is no broadcast yet, or the broadcast of this playback was replaced. */
export class NothingThere extends Error {}
/** The broadcast was over before anything of it was played. */
export class Over extends Error {}
/** The browser does not support the codecs. */
export class Unplayable extends Error {}

const event = (target, name) => new Promise((resolve, reject) => {
  const heard = new AbortController();
  const on = (kind, answer) => target.addEventListener(kind, () => {
    heard.abort();
    answer();
  }, { signal: heard.signal });
  on(name, resolve);
  on('error', () => reject(new Error(`no event ${name}`)));
});

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/** A live stream in a video element, by Media Source Extensions, with the lowest latency that segments allow. */
export class LiveStream {
  #video;
  #source = new MediaSource();
  #buffer = null;
  /** The number of the next segment; null before the first. */
  #next = null;
  /** The number of appends until now. */
  #turns = 0;

  constructor(video) {
    this.#video = video;
  }

  /** Plays until the broadcast is over. `onBegin` is called when the first frame can be played. */
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
          // A server that ends with its broadcast may be gone before its last segment was loaded.
          if (isFirst || !list.isEnded) throw error;
          return 0;
        });
        if (count) await this.#follow(list.longest);
        if (isFirst) onBegin();
        if (list.isEnded) break;
        // No new segment: a proxy does not support blocking requests.
        if (!count) await pause(200);
      }
      this.#source.endOfStream();
      // The video may be paused, and never reach its end.
      const rest = 1000 * (this.#source.duration - this.#video.currentTime);
      if (!this.#video.ended) await Promise.race([event(this.#video, 'ended'), pause(rest + AFTERWARDS)]);
    } finally {
      URL.revokeObjectURL(address);
    }
  }

  /** Loads the list, as soon as it has the next segment. */
  async #list() {
    const ask = () => this.#fetch(`${LIST}?_HLS_msn=${this.#next ?? 0}`);
    let answer = await ask();
    // No segment for a long time, such as after a camera failure.
    while (answer.status === 503) {
      await pause(AFTERWARDS);
      answer = await ask();
    }
    // Other segment numbers: the broadcast was restarted.
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

  /** Appends new segments, and returns their number. */
  async #append(list) {
    const end = list.first + list.segments.length;
    // Begins with the newest two segments: one would not last until the next.
    if (this.#next === null) this.#next = Math.max(list.first, end - 2);
    if (this.#next > end) throw new NothingThere();
    const begin = Math.max(this.#next, list.first);
    for (this.#next = begin; this.#next < end; this.#next += 1) {
      this.#buffer.appendBuffer(await this.#bytes(list.segments[this.#next - list.first]));
      await event(this.#buffer, 'updateend');
    }
    return end - begin;
  }

  /** Keeps the latency constant, and removes played data. */
  async #follow(length) {
    const { buffered } = this.#buffer;
    if (!buffered.length) return;
    const video = this.#video;
    const [begin, end] = [buffered.start(buffered.length - 1), buffered.end(buffered.length - 1)];
    const wanted = length + READY;
    const excess = end - wanted - video.currentTime;
    this.#turns += 1;
    // The age of the first segments is unknown; the next one is new.
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
    // The server has removed the segment meanwhile.
    if (answer.status === 404) throw new NothingThere();
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    return answer.arrayBuffer();
  }

  /** Bypasses the browser's cache: after a restart other segments have the same names. */
  #fetch(address) {
    return fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE) });
  }
}
