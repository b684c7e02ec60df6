// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors
//
// A minimal player of live HLS with fragmented MP4: it fetches the playlist repeatedly, appends new segments, and stays
// at the live edge. `player.html?playlist=ADDRESS`; `&native` uses the browser's own player.

import { mediaType, parsePlaylist } from '../../../Sources/ObscuraHLS/Resources/playlist.js';

globalThis.player = (() => {
  // The polling interval of the playlist: much shorter than that of common players, so that the measured delay is that
  // of the stream.
  const POLL = 50;
  // In segments: farther behind the end than FARTHEST, the playback seeks to NEAREST before the end.
  const FARTHEST = 2.5;
  const NEAREST = 1;
  // Played data older than this are removed, in seconds.
  const KEPT = 10;

  const video = document.querySelector('video');
  const state = { segments: 0, jumps: 0, stalls: 0, type: null, error: null };

  const event = (target, name) => new Promise((resolve, reject) => {
    target.addEventListener(name, resolve, { once: true });
    target.addEventListener('error', () => reject(new Error(`${name} did not come`)), { once: true });
  });
  const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

  /** A response of the server; nothing if it is not reachable. */
  async function fetched(address) {
    try {
      const answer = await fetch(address);
      return answer.ok ? answer : null;
    } catch {
      return null;
    }
  }

  async function append(buffer, answer) {
    buffer.appendBuffer(await answer.arrayBuffer());
    await event(buffer, 'updateend');
  }

  /** Keeps the playback near the newest frame. */
  async function follow(buffer, length) {
    if (!buffer.buffered.length) return;
    const end = buffer.buffered.end(buffer.buffered.length - 1);
    const begin = buffer.buffered.start(buffer.buffered.length - 1);
    const isOutside = video.currentTime < begin || video.currentTime > end;
    if (isOutside || end - video.currentTime > FARTHEST * length) {
      if (!isOutside) state.jumps += 1;
      video.currentTime = Math.max(begin, end - NEAREST * length);
    }
    if (video.currentTime - buffer.buffered.start(0) > 2 * KEPT) {
      buffer.remove(0, video.currentTime - KEPT);
      await event(buffer, 'updateend');
    }
  }

  async function play(address) {
    const source = new MediaSource();
    video.src = URL.createObjectURL(source);
    await event(source, 'sourceopen');
    video.addEventListener('waiting', () => { state.stalls += 1; });
    let buffer = null;
    let next = null;
    for (;;) {
      const answer = await fetched(address);
      const list = answer && parsePlaylist(await answer.text(), address);
      if (list?.segments.length && list.map) {
        const end = list.first + list.segments.length;
        if (!buffer) {
          const bytes = new Uint8Array(await (await fetched(list.map)).arrayBuffer());
          state.type = mediaType(bytes);
          buffer = source.addSourceBuffer(state.type);
          buffer.appendBuffer(bytes);
          await event(buffer, 'updateend');
        }
        // Begins with the newest segment, at first and after falling behind the playlist.
        if (next === null || next < list.first || next > end) next = end - 1;
        for (; next < end; next += 1) {
          const segment = await fetched(list.segments[next - list.first]);
          if (!segment) break;
          await append(buffer, segment);
          state.segments += 1;
          await follow(buffer, list.longest);
          video.play().catch(() => {});
        }
      }
      await pause(POLL);
    }
  }

  const query = new URLSearchParams(location.search);
  const address = query.get('playlist');
  if (query.has('native')) {
    video.src = address;
    video.play().catch((error) => { state.error = `${error}`; });
  } else if (address) {
    play(address).catch((error) => { state.error = `${error}`; });
  }
  video.addEventListener('error', () => { state.error ??= video.error.message || `error ${video.error.code}`; });

  return { state };
})();
