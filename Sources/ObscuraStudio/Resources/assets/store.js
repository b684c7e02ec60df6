// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api, changes } from './api.js';
import { report } from './toasts.js';

/**
 * The page's model: the Studio's state, the chosen camera and the layout of cameras.
 * Dispatches `change` after each change.
 */
export class Store extends EventTarget {
  /** @type {object|null} the StudioState, with pending changes applied */
  state = null;
  /** @type {'single'|'grid'|'wall'} */
  layout = 'single';

  constructor(selected = null) {
    super();
    this.#selected = selected;
  }

  #selected;
  /** The last StudioState from the server. */
  #told = null;
  /** Pending changes by camera: they are newer than any state from the server that arrives meanwhile. */
  #pending = new Map();
  /** The number of pending changes to the order of the visit. */
  #arranging = 0;
  /** The last change of the visit. */
  #visitChanged = Promise.resolve();
  /** States with a lower revision may have the visit from before a change of this page. */
  #visitRevision = 0;

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

  /**
   * Applies a state from the server. Pushed states and responses arrive in any order: an older one than the current
   * state is ignored.
   */
  apply(state) {
    if (state.revision < this.#told?.revision) return;
    const known = this.#told?.cameras ?? [];
    const cameras = (state.cameras ?? []).map((camera) => newer(known.find((old) => old.id === camera.id), camera));
    // Cameras that were added after this state.
    const added = known.filter((old) => old.revision > state.revision && !cameras.some((camera) => camera.id === old.id));
    this.#tell({ ...state, visit: this.#visit(state), cameras: [...cameras, ...added] });
  }

  applyCamera(camera) {
    if (!this.#told || !camera?.id) return;
    const known = this.#told.cameras;
    const cameras = known.some((old) => old.id === camera.id)
      ? known.map((old) => (old.id === camera.id ? newer(old, camera) : old))
      : [...known, camera];
    this.#tell({ ...this.#told, cameras });
  }

  applyRecording(id, recording) {
    const camera = this.#told?.cameras.find((known) => known.id === id);
    if (camera) this.applyCamera({ ...camera, recording });
  }

  applyVisit(visit) {
    this.#visitRevision = changes.revision;
    if (this.#told) this.#tell({ ...this.#told, visit });
  }

  removeCamera(id) {
    this.#tell({ ...this.#told, cameras: this.#told.cameras.filter((camera) => camera.id !== id) });
  }

  /** Accepts the next state whatever its revision: the server may have been restarted. */
  forgetRevisions() {
    if (!this.#told) return;
    const cameras = this.#told.cameras.map((camera) => ({ ...camera, revision: 0 }));
    this.#visitRevision = 0;
    changes.revision = 0;
    this.#tell({ ...this.#told, revision: 0, cameras });
  }

  /**
   * Runs one change of the visit after the other, as the user made them: the server may answer two requests in any order.
   * @template T
   * @param {() => Promise<T>} work includes what it changes in this model
   * @returns {Promise<T>}
   */
  inTurn(work) {
    const result = this.#visitChanged.then(work);
    this.#visitChanged = result.catch(() => {});
    return result;
  }

  /** Sets the order of the visit, on the page at once; states from the server may be older meanwhile. */
  async arrangeVisit(names) {
    this.applyVisit(inOrder(this.state.visit, names));
    this.#arranging += 1;
    await this.inTurn(async () => {
      try {
        // Some may have been removed before.
        await api.arrangeVisit(names.filter((name) => this.state.visit.some((item) => item.name === name)));
        this.#visitRevision = changes.revision;
      } catch (error) {
        report(error);
      }
    });
    this.#arranging -= 1;
    if (this.#arranging === 0) {
      try {
        this.apply(await api.state());
      } catch {
        // The link delivers the state when the server is back.
      }
    }
  }

  /** Changes the camera: on the page at once, then on the server. A failure is shown, and the old value is restored. */
  async patch(id, change) {
    const pending = this.#pending.get(id) ?? { change: {}, count: 0 };
    pending.change = { ...pending.change, ...change };
    pending.count += 1;
    this.#pending.set(id, pending);
    this.#tell(this.#told);
    let answer = null;
    try {
      answer = await api.patchCamera(id, change);
    } catch (error) {
      report(error);
      // Changes before the rejected one remain.
      answer = await api.camera(id).catch(() => null);
    }
    pending.count -= 1;
    if (pending.count === 0) this.#pending.delete(id);
    if (answer) this.applyCamera(answer);
    else this.#tell(this.#told);
  }

  /** The visit of a state from the server, unless a change of this page is newer. */
  #visit({ revision, visit = [] }) {
    if (this.#told && revision < this.#visitRevision) return this.#told.visit;
    return this.#arranging ? inOrder(visit, this.state.visit.map((item) => item.name)) : visit;
  }

  #tell(told) {
    this.#told = told;
    this.state = { ...told, cameras: told.cameras.map((camera) => this.#withPending(camera)) };
    this.#changed();
  }

  #withPending(camera) {
    const pending = this.#pending.get(camera.id);
    return pending ? changed(camera, pending.change) : camera;
  }

  #changed() {
    this.dispatchEvent(new Event('change'));
  }
}

/** The items in the order of these names, then the others in their old order. */
function inOrder(items, names) {
  const places = new Map(names.map((name, place) => [name, place]));
  const place = (item) => places.get(item.name) ?? names.length;
  return items.toSorted((one, other) => place(one) - place(other));
}

/** The newer one of two states of a camera. */
function newer(known, camera) {
  return known?.revision > camera.revision ? known : camera;
}

/** The camera with the change applied; zoom and focus are objects with their limits. */
function changed(camera, { zoom, focus, ...plain }) {
  const result = { ...camera, ...plain };
  if (zoom !== undefined && camera.zoom) result.zoom = { ...camera.zoom, value: zoom };
  if (focus !== undefined && camera.focus) result.focus = { ...camera.focus, mode: focus };
  return result;
}
