// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { Cameras } from './cameras.js';
import { Card } from './card.js';
import { Controls } from './controls.js';
import { byId, drawIcons, setText } from './dom.js';
import { Editor } from './editor.js';
import { Effects } from './effects.js';
import { Keys } from './keys.js';
import { Meters } from './meters.js';
import { MOST_TILES, Tiles } from './tiles.js';
import { Panel } from './panel.js';
import { Recorder } from './recorder.js';
import { Ribbon } from './ribbon.js';
import { Shutter } from './shutter.js';
import { Sources } from './sources.js';
import { Statistics } from './statistics.js';
import { Store } from './store.js';
import { toast } from './toasts.js';
import { Viewer } from './viewer.js';
import { Viewfinder } from './viewfinder.js';

const STATUS = { open: 'Connected', connecting: 'Reconnecting …', refused: 'Not allowed' };

drawIcons();
byId('main').hidden = false;
const query = new URLSearchParams(location.search);
const wallTiles = Math.min(MOST_TILES, Math.max(0, Math.floor(Number(query.get('tiles')) || 0)));
const store = new Store(query.get('camera'));
const tiles = new Tiles();
const { link } = tiles;

const viewfinder = new Viewfinder(store, tiles);
const cameras = new Cameras(store, tiles, wallTiles);
new Card(store, link);
new Controls(store, viewfinder);
new Effects(store);
new Panel(store);
new Meters(store, link);
new Statistics(store, tiles);
new Sources(store);
const shutter = new Shutter(store);
const recorder = new Recorder(store, link);

const visitItem = (name, by) => {
  const items = store.state?.visit ?? [];
  const place = items.findIndex((item) => item.name === name);
  return place < 0 ? undefined : items[place + by];
};
const changed = (item) => store.applyVisit(store.state.visit.map((old) => (old.name === item.name ? item : old)));
const editor = new Editor({ onChanged: changed, onExported: () => {}, onMoved: (name, by) => ribbon.move(name, by) });
const viewer = new Viewer({
  onEdit: (item) => {
    viewer.dialog.close();
    editor.open(item, viewer.opener);
  },
  onExported: () => {},
  onDeleted: (name) => store.applyVisit(store.state.visit.filter((item) => item.name !== name)),
  neighbour: visitItem,
});
const ribbon = new Ribbon(store, (item, opener) => (item.kind === 'photo' ? editor : viewer).open(item, opener));

new Keys([
  { key: ' ', shown: 'Space', does: 'Take a photo', run: () => shutter.press() },
  { key: 'b', shown: 'B', does: 'Burst of 5 photos', run: () => byId('burst').click() },
  { key: 't', shown: 'T', does: 'Self-timer: off, 3 or 10 seconds', run: () => shutter.nextTimer() },
  { key: 'Escape', shown: 'Esc', does: 'Cancel the countdown', run: () => shutter.cancel() },
  { key: 'r', shown: 'R', does: 'Start or stop recording', run: () => recorder.toggle() },
  { key: 'p', shown: 'P', does: 'Pause or resume recording', run: () => recorder.pause() },
  { key: 'm', shown: 'M', does: 'Mirror', run: () => byId('mirror').click() },
  { key: 'f', shown: 'F', does: 'Switch between front and back camera', run: () => byId('switch').click() },
  { key: 'g', shown: 'G', does: 'Show all cameras, or one', run: () => cameras.toggleGrid() },
  ...Array.from({ length: 9 }, (_, index) => ({ key: String(index + 1), index })).map(({ key, index }) => ({
    key, shown: key, does: `Camera ${key}`, isListed: false, run: () => {
      const camera = store.cameras[index];
      if (camera) store.select(camera.id);
    },
  })),
], [
  ['1 … 9', 'Choose a camera'], ['Enter', 'On the live view: focus on the center'],
  ['← →', 'In the ribbon: previous or next item'], ['Alt ← →', 'In the ribbon: move the item'], ['Delete', 'In the ribbon: remove the item'],
]);

link.addEventListener('state', ({ detail }) => store.apply(detail.state));
link.addEventListener('notice', ({ detail }) => toast(detail));
const showStatus = () => {
  const status = byId('connection');
  status.dataset.status = link.status;
  document.body.dataset.link = link.status;
  setText(status, link.status === 'connecting' && !store.state ? 'Connecting …' : STATUS[link.status]);
};
link.addEventListener('status', showStatus);
link.addEventListener('status', ({ detail }) => {
  if (detail === 'open') store.forgetRevisions();
});
if (wallTiles) store.setLayout('wall');
link.reconnect();
