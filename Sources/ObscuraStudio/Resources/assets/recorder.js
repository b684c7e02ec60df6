// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api } from './api.js';
import { icon } from './icons.js';
import { byId, press, setText, show } from './dom.js';
import { bytes, duration } from './format.js';
import { attempt, toast } from './toasts.js';

const MEGABYTE = 1e6;

/** Recording of the chosen camera: start, pause, stop, and its duration and size. */
export class Recorder {
  /** @param {{maxDuration?: number}|null} limits of each recording; null for those of the form */
  constructor(store, link, limits = null) {
    this.store = store;
    this.limits = limits;
    byId('record').prepend(icon('record'));
    byId('record').addEventListener('click', () => this.toggle());
    byId('pause').addEventListener('click', () => this.pause());
    if (!limits) byId('limits').addEventListener('submit', (event) => event.preventDefault());
    link.addEventListener('recording', ({ detail }) => store.applyRecording(detail.camera, detail.recording));
    store.addEventListener('change', () => this.#update());
  }

  #isBusy = false;

  async toggle() {
    const { camera } = this.store;
    if (!camera || byId('record').disabled) return;
    this.#isBusy = true;
    this.#update();
    await attempt(() => (camera.recording ? this.#stop(camera) : this.#start(camera)));
    this.#isBusy = false;
    this.#update();
  }

  async pause() {
    const { camera } = this.store;
    if (!camera?.recording || this.#isBusy) return;
    const recording = await attempt(() => api.pause(camera.id, !camera.recording.isPaused));
    if (recording) this.store.applyRecording(camera.id, recording);
  }

  async #start(camera) {
    const limits = this.limits ?? formLimits();
    if (!limits) return;
    this.store.applyRecording(camera.id, await api.record(camera.id, limits));
  }

  async #stop(camera) {
    const { item, message } = await api.stop(camera.id);
    this.store.applyRecording(camera.id, null);
    toast({ level: item ? 'info' : 'warning', message });
  }

  #update() {
    const { camera } = this.store;
    const recording = camera?.recording ?? null;
    const button = byId('record');
    // A disconnected camera may still have a movie to finish.
    button.disabled = this.#isBusy || !(recording || camera?.state === 'running');
    press(button, recording !== null);
    button.setAttribute('aria-label', recording ? 'Stop recording' : 'Record');
    setText(byId('record-label'), recording ? 'Stop' : 'Record');
    const drawing = recording ? 'stop' : 'record';
    if (button.dataset.drawing !== drawing) {
      button.dataset.drawing = drawing;
      button.querySelector('svg').replaceWith(icon(drawing));
    }
    byId('pause').disabled = this.#isBusy || !recording;
    press(byId('pause'), recording?.isPaused);
    byId('pause').setAttribute('aria-label', recording?.isPaused ? 'Resume recording' : 'Pause recording');
    const status = byId('recording-status');
    show(status, recording !== null);
    if (!recording) return;
    status.classList.toggle('paused', recording.isPaused);
    const limit = recording.maxDuration ? ` of ${duration(recording.maxDuration)}` : '';
    setText(byId('recording-time'), `${duration(recording.duration)}${limit}${recording.isPaused ? ', paused' : ''}`);
    setText(byId('recording-size'), `${bytes(recording.size)}${recording.maxSize ? ` of ${bytes(recording.maxSize)}` : ''}`);
    setText(byId('recording-free'), `${bytes(recording.freeSpace)} free`);
  }
}

/** The limits in the form; null if they are invalid, which the form then shows. */
function formLimits() {
  if (!byId('limits').reportValidity()) return null;
  const limits = {};
  const longest = byId('limit-duration').valueAsNumber;
  const largest = byId('limit-size').valueAsNumber;
  if (longest > 0) limits.maxDuration = longest;
  if (largest > 0) limits.maxSize = Math.round(largest * MEGABYTE);
  return limits;
}
