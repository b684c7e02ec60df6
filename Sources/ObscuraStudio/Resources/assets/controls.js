// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api } from './api.js';
import { byId, press, setOptions, setText, show } from './dom.js';
import { bytes, words } from './format.js';
import { newestOnly } from './latest.js';
import { attempt } from './toasts.js';

const PRESETS = {
  low: 'Low', medium: 'Medium', high: 'High', photo: 'Photo', vga640x480: '640 × 480', hd1280x720: '1280 × 720',
  hd1920x1080: '1920 × 1080', hd4K3840x2160: '3840 × 2160', inputPriority: 'Device setting',
};
const ORIENTATIONS = [
  { value: 'up', label: 'Upright' }, { value: 'right', label: '90° clockwise' },
  { value: 'down', label: 'Upside down' }, { value: 'left', label: '90° counterclockwise' },
];
const GRAVITIES = [
  { value: 'resizeAspect', label: 'Fit' }, { value: 'resizeAspectFill', label: 'Fill' },
  { value: 'resize', label: 'Stretch' },
];
const FOCUS = { autoFocus: 'Once', continuousAutoFocus: 'Continuous', locked: 'Locked' };
const FACES = [
  { value: 'none', label: 'Unchanged' }, { value: 'mask', label: 'Masks' }, { value: 'mosaic', label: 'Mosaic' },
];
const NO_MICROPHONE = '';

/** The settings of every camera: selection, picture, zoom, focus and torch. */
export class Controls {
  constructor(store, viewfinder) {
    this.store = store;
    setOptions(byId('orientation-select'), ORIENTATIONS, 'up');
    setOptions(byId('gravity-select'), GRAVITIES, viewfinder.gravity);
    setOptions(byId('faces-select'), FACES, 'none');
    this.#onChoice('camera-select', (device) => ({ device }));
    this.#onChoice('preset-select', (preset) => ({ preset }));
    this.#onChoice('orientation-select', (orientation) => ({ orientation }));
    this.#onChoice('focus-select', (focus) => ({ focus }));
    this.#onChoice('faces-select', (faces) => ({ faces }));
    this.#onChoice('microphone-select', (name) => ({ microphone: name === NO_MICROPHONE ? null : name }));
    byId('gravity-select').addEventListener('change', (event) => viewfinder.setGravity(event.target.value));
    byId('mirror').addEventListener('click', () => this.#patch((camera) => ({ isMirrored: !camera.isMirrored })));
    byId('torch').addEventListener('click', () => this.#patch((camera) => ({ torch: !camera.torch })));
    byId('switch').addEventListener('click', () => this.#switch());
    const zoom = newestOnly((value) => this.#patch(() => ({ zoom: value })));
    byId('zoom').addEventListener('input', (event) => {
      setText(byId('zoom-value'), zoomText(event.target.valueAsNumber));
      zoom(event.target.valueAsNumber);
    });
    byId('add-camera').addEventListener('click', () => this.#add());
    byId('remove-camera').addEventListener('click', () => this.#remove());
    store.addEventListener('change', () => this.#update());
  }

  #onChoice(id, change) {
    byId(id).addEventListener('change', (event) => this.#patch(() => change(event.target.value)));
  }

  async #patch(change) {
    const { camera } = this.store;
    if (camera) await this.store.patch(camera.id, change(camera));
  }

  /** The first camera of the opposite position, if there are front and back cameras. */
  get #opposite() {
    const devices = this.store.state?.devices.cameras ?? [];
    const front = devices.find((device) => device.position === 'front');
    const back = devices.find((device) => device.position === 'back');
    if (!front || !back) return undefined;
    return this.store.camera?.position === 'front' ? back : front;
  }

  #switch() {
    const device = this.#opposite;
    if (device) this.#patch(() => ({ device: device.id }));
  }

  async #add() {
    const device = byId('add-select').value;
    if (!device) return;
    const camera = await attempt(() => api.addCamera({ device }));
    if (!camera) return;
    this.store.applyCamera(camera);
    this.store.select(camera.id);
  }

  async #remove() {
    const { camera } = this.store;
    if (!camera) return;
    const isGone = await attempt(async () => {
      await api.removeCamera(camera.id);
      return true;
    });
    if (isGone) this.store.removeCamera(camera.id);
  }

  #update() {
    const { camera, state, cameras } = this.store;
    if (!state) return;
    document.getElementById('title').textContent = state.name || 'Obscura Studio';
    const devices = state.devices.cameras;
    setText(byId('disk-free'), `${bytes(state.freeSpace)} free on the disk`);
    const others = devices.filter((device) => !cameras.some((open) => open.device === device.id));
    const added = others.some((device) => device.id === byId('add-select').value) ? byId('add-select').value : others[0]?.id ?? '';
    setOptions(byId('add-select'), others.length ? others.map(choiceOf) : [{ value: '', label: 'No other camera' }], added);
    byId('add-select').disabled = !others.length;
    byId('add-camera').disabled = !others.length;
    show(byId('remove-camera'), cameras.length > 1);
    for (const id of ['camera-select', 'preset-select', 'mirror', 'orientation-select', 'microphone-select']) byId(id).disabled = !camera;
    if (camera) this.#updateCamera(camera, devices, state);
  }

  #updateCamera(camera, devices, state) {
    const choices = devices.map(choiceOf);
    if (!devices.some((device) => device.id === camera.device)) choices.unshift({ value: camera.device ?? '', label: camera.name });
    setOptions(byId('camera-select'), choices, camera.device ?? '');
    const device = devices.find((known) => known.id === camera.device);
    const hint = device && device.authorization !== 'authorized' ? device.usage ?? device.advice ?? words(device.authorization) : '';
    setText(byId('camera-hint'), hint);
    show(byId('camera-hint'), Boolean(hint));
    setOptions(byId('preset-select'), (camera.presets ?? []).map((value) => ({ value, label: PRESETS[value] ?? words(value) })), camera.preset);
    const { format } = camera;
    setText(byId('camera-format'), format ? `${format.width} × ${format.height}, ${Math.round(format.rate * 100) / 100} frames per second` : '');
    const opposite = this.#opposite;
    show(byId('switch'), Boolean(opposite));
    if (opposite) setText(byId('switch').querySelector('span'), opposite.position === 'front' ? 'Front camera' : 'Back camera');
    press(byId('mirror'), camera.isMirrored);
    byId('orientation-select').value = camera.orientation;
    show(byId('torch'), camera.torch != null);
    press(byId('torch'), camera.torch);
    show(byId('focus-field'), Boolean(camera.focus?.modes?.length));
    if (camera.focus) setOptions(byId('focus-select'), camera.focus.modes.map((value) => ({ value, label: FOCUS[value] ?? words(value) })), camera.focus.mode);
    this.#updateZoom(camera.zoom);
    byId('faces-select').value = camera.faces;
    show(byId('microphone-group'), state.hasMicrophones);
    setOptions(byId('microphone-select'), [{ value: NO_MICROPHONE, label: 'None' }, ...state.devices.microphones.map(choiceOf)], camera.microphone ?? NO_MICROPHONE);
  }

  #updateZoom(zoom) {
    const slider = byId('zoom');
    show(byId('zoom-field'), zoom != null);
    if (!zoom) return;
    slider.min = zoom.min;
    slider.max = zoom.max;
    slider.step = (zoom.max - zoom.min) / 200 || 'any';
    // While a slider is being dragged, its value is newer than the server's.
    if (!slider.matches(':active')) slider.value = zoom.value;
    setText(byId('zoom-value'), zoomText(slider.valueAsNumber));
  }
}

function zoomText(value) {
  return `${value.toFixed(1)}×`;
}

function choiceOf(device) {
  const isAllowed = device.authorization === 'authorized' || device.authorization === 'notDetermined';
  return { value: device.id, label: isAllowed ? device.name : `${device.name} (not allowed)` };
}
