// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/** Icons of 24 by 24, each a list of stroked paths; paths that begin with `fill:` are filled. */
const DRAWINGS = {
  burst: ['M7 9h13v11H7z', 'M4 16V6h12', 'M13.5 12.5v4M11.5 14.5h4'],
  timer: ['M12 21a8 8 0 1 0 0-16 8 8 0 0 0 0 16z', 'M12 9v4l2.5 2', 'M9.5 2h5'],
  record: ['fill:M12 18.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13z'],
  stop: ['fill:M6.5 6.5h11v11h-11z'],
  pause: ['fill:M7 5.5h3.5v13H7z', 'fill:M13.5 5.5H17v13h-3.5z'],
  play: ['fill:M8 5l11 7-11 7z'],
  switch: ['M4 10a8 8 0 0 1 14.3-3.2L20 9', 'M20 4v5h-5', 'M20 14a8 8 0 0 1-14.3 3.2L4 15', 'M4 20v-5h5'],
  mirror: ['M12 3v18', 'M9 7L3 17h6z', 'M15 7l6 10h-6z'],
  grid: ['M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z'],
  map: ['M3.5 6l5.5-2 6 2 5.5-2v14l-5.5 2-6-2-5.5 2z', 'M9 4v14M15 6v14'],
  library: ['M3.5 6.5h17v13h-17z', 'M6 3.5h12', 'M4 17l5-5 4 4 3-3 4.5 4.5'],
  camera: ['M3.5 7.5h4l2-3h5l2 3h4v12h-17z', 'M12 17a3.7 3.7 0 1 0 0-7.4 3.7 3.7 0 0 0 0 7.4z'],
  help: ['M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z', 'M9.4 9.2a2.7 2.7 0 1 1 3.9 2.5c-.9.5-1.3 1-1.3 2', 'M12 16.8v.3'],
  close: ['M6 6l12 12M18 6L6 18'],
  left: ['M14.5 5l-7 7 7 7'],
  right: ['M9.5 5l7 7-7 7'],
  'rotate-left': ['M5 11a7.5 7.5 0 1 1 2.2 6.3', 'M4 5.5V11h5.5'],
  'rotate-right': ['M19 11a7.5 7.5 0 1 0-2.2 6.3', 'M20 5.5V11h-5.5'],
  eye: ['M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z', 'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z'],
  wand: ['M4 20L14.5 9.5', 'M17 3v4M15 5h4', 'M20 11v3M18.5 12.5h3', 'M9 4v2.5M7.8 5.2h2.5'],
  reset: ['M5 11a7.5 7.5 0 1 1 2.2 6.3', 'M4 5.5V11h5.5', 'M12 9v3.5h3'],
  save: ['M4.5 12.5l5 5 10-11'],
  export: ['M12 15V3.5', 'M7.5 7.5L12 3l4.5 4.5', 'M5 12v8h14v-8'],
  download: ['M12 3.5V15', 'M7.5 11L12 15.5 16.5 11', 'M5 16v4h14v-4'],
  trash: ['M4.5 7h15', 'M9 7V4h6v3', 'M6.5 7l1 13h9l1-13', 'M10.3 11v5.5M13.7 11v5.5'],
  edit: ['M4 20l1-4.5L16 4.5 19.5 8 8.5 19z', 'M13.5 7l3.5 3.5'],
  plus: ['M12 5v14M5 12h14'],
  torch: ['M8 3h8v4l-2 3v11h-4V10L8 7z', 'M12 13v2.5'],
  alert: ['M12 4L2.5 20h19z', 'M12 10v4.5', 'M12 17v.3'],
  unplugged: ['M8 3v4M16 3v4', 'M5.5 7h13v3a6.5 6.5 0 0 1-11 4.7', 'M12 16.5V21', 'M3 3l18 18'],
};
const SVG = 'http://www.w3.org/2000/svg';

/** The icon of this name, hidden from screen readers. */
export function icon(name) {
  const drawing = document.createElementNS(SVG, 'svg');
  drawing.setAttribute('viewBox', '0 0 24 24');
  drawing.setAttribute('aria-hidden', 'true');
  drawing.setAttribute('class', 'icon');
  for (const line of DRAWINGS[name] ?? []) {
    const path = document.createElementNS(SVG, 'path');
    const isFilled = line.startsWith('fill:');
    path.setAttribute('d', isFilled ? line.slice(5) : line);
    path.setAttribute('class', isFilled ? 'filled' : 'stroked');
    drawing.append(path);
  }
  return drawing;
}
