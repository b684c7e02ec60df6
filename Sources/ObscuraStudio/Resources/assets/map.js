// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api } from './api.js';
import { byId, element, press, show } from './dom.js';

/** The smallest distance from the items to the edges of a chosen area, in degrees. */
const MARGIN = 0.0001;

/** The places of the library's items on an outline of the world (equirectangular: a degree has the same size everywhere). */
export class PlaceMap {
  /** @param {(box: string, name: string) => void} onChosen */
  constructor(onChosen) {
    this.onChosen = onChosen;
    byId('map-button').addEventListener('click', () => {
      const isShown = byId('map').hidden;
      show(byId('map'), isShown);
      press(byId('map-button'), isShown);
    });
  }

  /** Counts the updates, so that a late answer to an earlier one is ignored. */
  #updates = 0;

  /** Shows the places of what matches; a library that cannot be searched has none. */
  async update(conditions) {
    this.#updates += 1;
    const update = this.#updates;
    const answer = await api.places(conditions).catch(() => null);
    if (update !== this.#updates) return;
    const places = answer?.places ?? [];
    byId('places').replaceChildren(...places.map((place) => this.#make(place)));
    if (places.length) show(byId('map-button'), true);
  }

  #make({ south, west, north, east, count }) {
    const [latitude, longitude] = [(south + north) / 2, (west + east) / 2];
    const name = `${Math.abs(latitude).toFixed(1)}° ${latitude < 0 ? 'S' : 'N'}, ${Math.abs(longitude).toFixed(1)}° ${longitude < 0 ? 'W' : 'E'}`;
    const label = `${count} ${count === 1 ? 'item' : 'items'} near ${name}`;
    const box = [
      Math.max(-90, south - MARGIN), Math.max(-180, west - MARGIN), Math.min(90, north + MARGIN), Math.min(180, east + MARGIN),
    ].map((side) => side.toFixed(4)).join(',');
    const place = element('button', { type: 'button', class: 'place', text: String(count), 'aria-label': label, title: label, onclick: () => this.onChosen(box, `Near ${name}`) });
    place.style.setProperty('left', `${((longitude + 180) / 3.6).toFixed(2)}%`);
    place.style.setProperty('top', `${((90 - latitude) / 1.8).toFixed(2)}%`);
    return place;
  }
}
