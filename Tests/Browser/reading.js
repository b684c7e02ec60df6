// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors
//
// Reads the number that the built-in camera shows: a row of blocks at the lower edge: white, black, the 32 bits of its
// Gray code (most significant first), their parity. The tests add this script to each page.

globalThis.reading = (() => {
  const BLOCKS = 35;
  const scratch = document.createElement('canvas');

  const sizeOf = (source) => ({
    width: source.naturalWidth ?? source.videoWidth ?? source.width,
    height: source.naturalHeight ?? source.videoHeight ?? source.height,
  });

  function decode(data, width, isInverted) {
    const bits = [];
    for (let block = 0; block < BLOCKS; block++) {
      const x = Math.floor((Math.floor(block * width / BLOCKS) + Math.floor((block + 1) * width / BLOCKS)) / 2);
      bits.push((data[4 * x + 1] > 127) !== isInverted ? 1 : 0);
    }
    const code = bits.slice(2, 34);
    if (!bits[0] || bits[1] || code.reduce((sum, bit) => sum + bit) % 2 !== bits[34]) return null;
    // Not by shifts: these have 32 bits with a sign.
    return code.reduce((number, bit) => 2 * number + (number % 2 ^ bit), 0);
  }

  const rowOf = (height) => height - Math.floor(Math.max(1, Math.floor(height / 8)) / 2) - 1;

  /** The number that a frame shows; null if it cannot be read. */
  function number(source, { turn = 0, isMirrored = false, isInverted = false } = {}) {
    const { width, height } = sizeOf(source);
    if (!turn && !isMirrored && source instanceof HTMLCanvasElement) {
      return decode(source.getContext('2d').getImageData(0, rowOf(height), width, 1).data, width, isInverted);
    }
    // Only the row is drawn, rotated upright.
    const [w, h] = turn % 2 ? [height, width] : [width, height];
    scratch.width = w;
    scratch.height = 1;
    const context = scratch.getContext('2d', { willReadFrequently: true });
    context.translate(w / 2, h / 2 - rowOf(h));
    context.rotate(-turn * Math.PI / 2);
    if (isMirrored) context.scale(-1, 1);
    context.drawImage(source, -width / 2, -height / 2);
    return decode(context.getImageData(0, 0, w, 1).data, w, isInverted);
  }

  /**
   * The rotation and mirroring with which the number can be read: "turn" or "turn mirrored". Other pixels may look like
   * a row of blocks by chance; a camera that has run for less than a day has no number that large.
   */
  function pose(source) {
    for (const turn of [0, 1, 2, 3]) {
      for (const isMirrored of [false, true]) {
        const shown = number(source, { turn, isMirrored });
        if (shown !== null && shown < 1 << 22) return `${turn}${isMirrored ? ' mirrored' : ''}`;
      }
    }
    return null;
  }

  /** Red, green and blue at positions of the picture, from 0 to 1. */
  function colours(source, places) {
    const { width, height } = sizeOf(source);
    return places.map(([x, y]) => {
      scratch.width = scratch.height = 1;
      const context = scratch.getContext('2d', { willReadFrequently: true });
      context.drawImage(source, -Math.floor(x * width), -Math.floor(y * height));
      return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    });
  }

  /** Brightness of a part of a canvas, row by row. */
  function part(canvas, x, y, width, height) {
    const { data } = canvas.getContext('2d').getImageData(x, y, width, height);
    return Array.from({ length: width * height }, (_, i) => (data[4 * i] + 2 * data[4 * i + 1] + data[4 * i + 2]) >> 2);
  }

  /** The image at an address, as a canvas of its full size. */
  async function fetched(address) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    const bitmap = await createImageBitmap(await answer.blob());
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    return canvas;
  }

  /**
   * Reads the sources in each animation frame, and records when a source shows a number first:
   * [source, number, host time of the picture or null, milliseconds of the page's clock].
   */
  function observe(sources, isDone, done) {
    const seen = [];
    const last = sources.map(() => null);
    const look = () => {
      sources.forEach((source, index) => {
        if (!sizeOf(source).width) return;
        const shown = number(source);
        if (shown === null || shown === last[index]) return;
        last[index] = shown;
        seen.push([index, shown, source.dataset.hostTime ?? null, performance.now()]);
      });
      if (isDone(seen)) done(seen);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }

  /** Observes for this number of milliseconds. */
  function watch(sources, milliseconds, done) {
    const end = performance.now() + milliseconds;
    observe(sources, () => performance.now() >= end, done);
  }

  /** Observes until each source has shown this number of pictures. */
  function see(sources, count, done) {
    observe(sources, (seen) => sources.every((_, index) => seen.filter((one) => one[0] === index).length >= count), done);
  }

  return { number, pose, colours, part, fetched, watch, see };
})();
