// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { LiveStream, NothingThere, Over, Unplayable } from './livestream.js';

const MASTER = '/live.m3u8';
// How long to leave the server alone that has nothing, in milliseconds.
const AGAIN = 1000;

const WORDS = {
  waiting: 'The broadcast has not begun yet. It is shown here as soon as it does.',
  live: '',
  ended: 'The broadcast has ended. Another one is shown here as soon as it begins.',
  away: 'The broadcast does not come any more. Trying again…',
  unplayable: 'This browser cannot play the broadcast. Another one may, or a player that opens the address '
    + `${new URL(MASTER, location.href)}.`,
};

const [video, words, play, sound, whole] = ['video', 'words', 'play', 'sound', 'whole']
  .map((id) => document.getElementById(id));

/** Says how it stands; tests read it from the element as well. */
function show(state) {
  if (document.body.dataset.state === state) return;
  document.body.dataset.state = state;
  words.textContent = WORDS[state];
  sound.hidden = whole.hidden = state !== 'live';
}

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/** Some browsers play only what a person has asked for. */
async function begin() {
  try {
    await video.play();
    play.hidden = true;
  } catch (error) {
    if (error.name === 'NotAllowedError') play.hidden = false;
  }
}

/** One broadcast after the other. */
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
      // What was said of a broadcast that ended stays true until the next one begins.
      const { state } = document.body.dataset;
      if (error instanceof Over) show('ended');
      else if (wasLive || (state !== 'ended' && !(error instanceof NothingThere))) show('away');
      else if (state === 'away') show('waiting');
    }
    await pause(AGAIN);
  }
}

/** Where the browser knows HLS itself, and nothing else. */
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
