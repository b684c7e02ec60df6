// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { LiveStream, NothingThere, Over, Unplayable } from './livestream.js';

const MASTER = '/live.m3u8';
// The delay before the next request to a server without a broadcast, in milliseconds.
const AGAIN = 1000;

const WORDS = {
  waiting: 'The broadcast has not started yet. It plays here as soon as it does.',
  live: '',
  ended: 'The broadcast has ended. The next one plays here as soon as it starts.',
  away: 'The broadcast is interrupted. Reconnecting…',
  unplayable: 'This browser cannot play the broadcast. Try another browser, or a player that opens the address '
    + `${new URL(MASTER, location.href)}.`,
};

const [video, words, play, sound, whole] = ['video', 'words', 'play', 'sound', 'whole']
  .map((id) => document.getElementById(id));

/** Shows the state; tests read it from the element as well. */
function show(state) {
  if (document.body.dataset.state === state) return;
  document.body.dataset.state = state;
  words.textContent = WORDS[state];
  sound.hidden = whole.hidden = state !== 'live';
}

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/** Starts the playback; some browsers require a user gesture, for which the button is shown. */
async function begin() {
  try {
    await video.play();
    play.hidden = true;
  } catch (error) {
    if (error.name === 'NotAllowedError') play.hidden = false;
  }
}

/** Plays one broadcast after the other. */
async function playByMediaSource() {
  show('waiting');
  for (;;) {
    let wasLive = false;
    try {
      await new LiveStream(video).play(() => {
        wasLive = true;
        show('live');
        begin();
      });
      show('ended');
    } catch (error) {
      if (error instanceof Unplayable) {
        show('unplayable');
        return;
      }
      // The state "ended" remains until the next broadcast begins.
      const { state } = document.body.dataset;
      if (error instanceof Over) show('ended');
      else if (wasLive || (state !== 'ended' && !(error instanceof NothingThere))) show('away');
      else if (state === 'away') show('waiting');
    }
    await pause(AGAIN);
  }
}

/** For browsers with native HLS and without Media Source Extensions. */
async function playByBrowser() {
  show('waiting');
  video.addEventListener('playing', () => show('live'));
  video.addEventListener('ended', () => show('ended'));
  video.addEventListener('error', async () => {
    if (document.body.dataset.state === 'live') show('away');
    await pause(AGAIN);
    load();
  });
  const load = async () => {
    video.src = MASTER;
    await begin();
  };
  await load();
}

play.addEventListener('click', begin);
sound.addEventListener('click', () => {
  video.muted = !video.muted;
  sound.setAttribute('aria-pressed', String(!video.muted));
});
whole.addEventListener('click', () => {
  if (document.fullscreenElement) document.exitFullscreen();
  else if (document.documentElement.requestFullscreen) document.documentElement.requestFullscreen();
  else video.webkitEnterFullscreen?.();
});

if (globalThis.MediaSource) playByMediaSource();
else if (video.canPlayType('application/vnd.apple.mpegurl')) playByBrowser();
else show('unplayable');
