// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { byId, element } from './dom.js';
import { milliseconds, words } from './format.js';

/** The statistics of the chosen camera, once a second while the section is open. */
export class Statistics {
  constructor(store, tiles) {
    this.store = store;
    this.tiles = tiles;
    tiles.link.addEventListener('statistics', ({ detail }) => {
      this.#latest = detail.statistics;
      this.#draw();
    });
    byId('statistics-group').addEventListener('toggle', () => this.#draw());
  }

  #latest = null;

  #draw() {
    const now = this.#latest;
    if (!now || now.camera !== this.store.camera?.id || !byId('statistics-group').open) return;
    const dropped = Object.entries(now.dropped ?? {}).filter(([, count]) => count > 0);
    const total = dropped.reduce((sum, [, count]) => sum + count, 0);
    const facts = [
      ['Frames per second', now.rate.toFixed(2), 'rate'], ['Offered', now.offered, 'offered'], ['Delivered', now.delivered, 'delivered'],
      ['Dropped', total, 'dropped'], ...dropped.map(([reason, count]) => [`– ${words(reason).toLowerCase()}`, count, `dropped-${reason}`]),
      ['Skipped', now.skipped, 'skipped'], ['Gaps', now.gaps, 'gaps'],
      ['Dropped for photos', now.droppedForPhotos, 'dropped-for-photos'],
    ];
    byId('statistics').replaceChildren(
      table('Frames', null, facts.map(([name, value, key]) => [name, [String(value)], key])),
      table('Latency', ['p50', 'p95', 'p99'], (now.stages ?? []).map((stage) => (
        [stage.span, [stage.p50, stage.p95, stage.p99].map(milliseconds), 'stage']))),
      ...this.#viewers(now.viewers ?? []),
    );
  }

  /** Viewers whose latency has the same span share a table. One that has drawn nothing yet has no latency. */
  #viewers(all) {
    const viewers = all.filter((viewer) => viewer.delay);
    const spans = [...new Set(viewers.map((viewer) => viewer.delay.span))];
    return spans.map((span) => table(`Viewers: ${span}`, ['p50', 'p95', 'drawn', 'replaced'], viewers
      .filter((viewer) => viewer.delay.span === span)
      .map(({ tile, size, delay, drawn, sent, replaced }) => [`${this.tiles.nameOf(tile) || `Tile ${tile}`}, ${size}`,
        [milliseconds(delay.p50), milliseconds(delay.p95), `${drawn}/${sent}`, replaced], 'viewer'])));
  }
}

/** @param {[string, unknown[], string][]} rows name, values, key */
function table(caption, heads, rows) {
  return element('table', {}, element('caption', { text: caption }),
    heads && element('thead', {}, element('tr', {}, element('td'), ...heads.map((head) => element('th', { scope: 'col', text: head })))),
    element('tbody', {}, ...rows.map(([name, values, key]) => element('tr', { data: { statistic: key } },
      element('th', { scope: 'row', text: name }), ...values.map((value) => element('td', { text: value }))))));
}
