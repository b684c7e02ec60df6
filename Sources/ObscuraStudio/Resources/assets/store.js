// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api } from './api.js';
import { report } from './toasts.js';

/**
 * What the page knows: the Studio's state, which camera is chosen, and how cameras are laid out.
 * Dispatches `change` after each change of any of it.
 */
export class Store extends EventTarget {
  /** @type {object|null} the StudioState */
  state = null;
  /** @type {'single'|'grid'|'wall'} */
  layout = 'single';

  constructor(selected = null) {
    super();
    this.#selected = selected;
  }

  #selected;
  /** Changes that are on their way, by camera: what the server says meanwhile is older than they are. */
  #pending = new Map();
  /** How many new orders of the visit are on their way. */
  #arranging = 0;

  get cameras() {
    return this.state?.cameras ?? [];
  }

  /** The chosen camera, or the first; undefined if there is none. */
  get camera() {
    return this.cameras.find((camera) => camera.id === this.#selected) ?? this.cameras[0];
  }

  select(id) {
    this.#selected = id;
    this.#changed();
  }

  setLayout(layout) {
    if (this.layout === layout) return;
    this.layout = layout;
    this.#changed();
  }

  apply(state) {
    const visit = this.#arranging ? inOrder(state.visit ?? [], this.state.visit.map((item) => item.name)) : state.visit ?? [];
    this.state = { ...state, visit, cameras: (state.cameras ?? []).map((camera) => this.#withPending(camera)) };
    this.#changed();
  }

  applyCamera(camera) {
    if (!this.state || !camera?.id) return;
    const isKnown = this.cameras.some((old) => old.id === camera.id);
    const cameras = isKnown
      ? this.cameras.map((old) => (old.id === camera.id ? this.#withPending(camera) : old))
      : [...this.cameras, camera];
    this.apply({ ...this.state, cameras });
  }

  applyRecording(id, recording) {
    const camera = this.cameras.find((known) => known.id === id);
    if (camera) this.applyCamera({ ...camera, recording });
  }

  applyVisit(visit) {
    if (!this.state) return;
    this.state = { ...this.state, visit };
    this.#changed();
  }

  /** Puts the visit in this order, on the page at once; what the server says meanwhile may be older. */
  async arrangeVisit(names) {
    this.applyVisit(inOrder(this.state.visit, names));
    this.#arranging += 1;
    try {
      await api.arrangeVisit(names);
      this.#arranging -= 1;
    } catch (error) {
      this.#arranging -= 1;
      report(error);
    }
    if (this.#arranging === 0) {
      try {
        this.apply(await api.state());
      } catch {
        // The link brings the state when the server is back.
      }
    }
  }

  /** Changes the camera: on the page at once, then on the server. A failure is shown, and the old value comes back. */
  async patch(id, change) {
    const before = this.cameras.find((camera) => camera.id === id);
    const pending = this.#pending.get(id) ?? { change: {}, count: 0, before };
    pending.change = { ...pending.change, ...change };
    pending.count += 1;
    this.#pending.set(id, pending);
    this.applyCamera(before);
    let answer = null;
    let failure = null;
    try {
      answer = await api.patchCamera(id, change);
    } catch (error) {
      failure = error;
    }
    pending.count -= 1;
    if (pending.count === 0) this.#pending.delete(id);
    if (failure) {
      report(failure);
      answer = await api.camera(id).catch(() => pending.before);
    }
    if (pending.count === 0) this.applyCamera(answer);
  }

  #withPending(camera) {
    const pending = this.#pending.get(camera.id);
    return pending ? changed(camera, pending.change) : camera;
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}

/** The items in the order of these names; others come last, as they were. */
function inOrder(items, names) {
  const places = new Map(names.map((name, place) => [name, place]));
  const place = (item) => places.get(item.name) ?? names.length;
  return items.toSorted((one, other) => place(one) - place(other));
}

/** The camera as it will be; zoom and focus are values with their limits. */
function changed(camera, { zoom, focus, ...plain }) {
  const result = { ...camera, ...plain };
  if (zoom !== undefined && camera.zoom) result.zoom = { ...camera.zoom, value: zoom };
  if (focus !== undefined && camera.focus) result.focus = { ...camera.focus, mode: focus };
  return result;
}
