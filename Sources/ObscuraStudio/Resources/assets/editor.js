// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api, mediaAddress, pictureAddress } from './api.js';
import { ask } from './ask.js';
import { CropFrame } from './cropframe.js';
import { element, press, returnFocus, setText, show } from './dom.js';
import { editorDialog, shapesOf } from './editordialog.js';
import { editsOf, isSame, mirror, noEdits, recipeOf, turn } from './edits.js';
import { exportControls } from './exporting.js';
import { icon } from './icons.js';
import { fitted, restraightened, straightScale } from './rects.js';
import { RedEyes } from './redeyes.js';
import { attempt, toast } from './toasts.js';

const PREVIEW = 1600;
/** Space around the picture for the frame's handles, in CSS pixels. */
const MARGIN = 24;

/**
 * The dialog in which a photo is edited. It shows the original with the edits applied by CSS, and after saving the
 * server's picture.
 */
export class Editor {
  /**
   * @param {object} options
   * @param {(item: object) => void} options.onChanged
   * @param {(item: object) => void} [options.onExported] without it there are no controls for the file
   * @param {(name: string, by: number) => void} [options.onMoved]
   * @param {{width: number, height: number}[]} [options.ratios] the permitted ratios; empty for every shape
   * @param {'ellipse'|null} [options.mask] a shape that is drawn in the crop frame
   * @param {boolean} [options.allowsRotation]
   */
  constructor({ onChanged, onExported, onMoved, ratios = [], mask = null, allowsRotation = true }) {
    this.hooks = { onChanged, onExported, onMoved };
    this.shapes = shapesOf(ratios);
    this.#isLocked = ratios.length > 0;
    this.#allowsRotation = allowsRotation;
    this.parts = editorDialog({
      shape: (name) => this.#edit(() => this.#setShape(name)),
      straighten: (degrees) => this.#edit(() => this.#straighten(degrees)),
      turn: (quarters) => this.#edit(() => this.#turn(quarters)),
      mirror: () => this.#edit(() => mirror(this.edits)),
      enhance: () => this.#edit(() => { this.edits.isEnhanced = !this.edits.isEnhanced; }),
      redEye: () => this.#edit(() => this.eyes.setActive(!this.eyes.isActive)),
      reset: () => this.#edit(() => this.#reset()),
      save: () => this.#save(),
      goOn: () => this.#edit(() => {}),
      close: () => this.#close(),
      move: (by) => this.hooks.onMoved?.(this.item.name, by),
    }, this.shapes);
    const { box, dialog, stage, image, file } = this.parts;
    this.frame = new CropFrame(box, (rect) => this.#edit(() => this.#setCrop(rect)));
    this.eyes = new RedEyes(box, this.parts.eyes, (eyes) => this.#edit(() => { this.edits.eyes = eyes; }));
    this.download = element('a', { id: 'editor-download', class: 'button', download: '' }, icon('download'), element('span', { text: 'Download' }));
    file.append(exportControls('editor-export', () => this.#saved(), (item) => this.hooks.onExported?.(item)), this.download);
    show(file, Boolean(onExported));
    show(this.parts.place, Boolean(onMoved));
    for (const tool of [...this.parts.turns, this.parts.mirror]) show(tool, allowsRotation);
    if (mask) this.frame.frame.classList.add(mask);
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      this.#close();
    });
    dialog.addEventListener('close', () => returnFocus(this.opener));
    image.addEventListener('load', () => this.#draw());
    image.addEventListener('error', () => {
      if (dialog.open) toast({ level: 'error', message: `${this.item.name} cannot be displayed.` });
    });
    new ResizeObserver(() => this.#draw()).observe(stage);
    document.body.append(dialog);
  }

  edits = noEdits();
  #isLocked;
  #allowsRotation;
  #shape = 'free';
  /** The newest save; settled when the server has answered it. */
  #saving = Promise.resolve();

  open(item, opener = null) {
    const { dialog, image, title, note, result } = this.parts;
    this.item = item;
    this.opener = opener;
    const { edits, isWhole } = editsOf(item.recipe);
    this.edits = edits;
    this.savedEdits = structuredClone(edits);
    this.isForeign = !isWhole;
    setText(note, 'This photo has edits that this editor cannot show. Saving replaces them.');
    show(note, !isWhole);
    setText(title, item.name);
    image.alt = `Photo ${item.name}`;
    image.src = pictureAddress(item, { width: PREVIEW, height: PREVIEW, isOriginal: true });
    show(result, false);
    this.download.href = mediaAddress(item.name);
    this.download.download = item.name;
    this.eyes.setActive(false);
    this.#shape = this.#firstShape();
    if (!dialog.open) dialog.showModal();
    this.#draw();
  }

  /** The shape at the start: with fixed ratios, that of the photo. */
  #firstShape() {
    if (!this.#isLocked) return 'free';
    const { width = 1, height = 1 } = this.item;
    const distance = ({ ratio }) => Math.abs(Math.log(ratio / (width / height)));
    return this.shapes.toSorted((one, other) => distance(one) - distance(other))[0].name;
  }

  /** The size of the rotated picture, before straightening; only the ratio is used. */
  get #size() {
    const { image } = this.parts;
    // A preview is smaller, and its ratio is not exactly that of the photo.
    const width = this.item.originalWidth ?? this.item.width ?? (image.naturalWidth || 4);
    const height = this.item.originalHeight ?? this.item.height ?? (image.naturalHeight || 3);
    return this.edits.turn % 2 ? { width: height, height: width } : { width, height };
  }

  get #isChanged() {
    return !isSame(this.edits, this.savedEdits);
  }

  #edit(change) {
    show(this.parts.result, false);
    change();
    this.#draw();
  }

  #setCrop(rect) {
    const isWhole = rect.width > 0.9995 && rect.height > 0.9995;
    this.edits.crop = isWhole ? null : { ...rect };
  }

  #setShape(name) {
    this.#shape = name;
    const ratio = this.#ratio;
    if (ratio) this.#setCrop(fitted(ratio));
    else if (name === 'free') this.frame.ratio = null;
  }

  /** The ratio of the frame in fractions: the ratio of the chosen shape, relative to the picture's. */
  get #ratio() {
    if (this.#shape === 'free') return null;
    if (this.#shape === 'original') return 1;
    const { width, height } = this.#size;
    return this.shapes.find((shape) => shape.name === this.#shape).ratio / (width / height);
  }

  #straighten(degrees) {
    const { edits } = this;
    edits.eyes = edits.eyes.map((eye) => restraightened(eye, this.#size, edits.degrees, degrees));
    edits.degrees = degrees;
  }

  #turn(quarters) {
    turn(this.edits, quarters);
    const { upright } = this.shapes.find((shape) => shape.name === this.#shape);
    this.#shape = upright ?? this.#shape;
    if (this.#isLocked && !upright) this.#setCrop(fitted(this.#ratio));
  }

  #reset() {
    // What may not be changed stays.
    const { turn: quarters, isMirrored } = this.edits;
    this.edits = this.#allowsRotation ? noEdits() : { ...noEdits(), turn: quarters, isMirrored };
    if (this.#isLocked) this.#setCrop(fitted(this.#ratio));
    else this.#shape = 'free';
    this.eyes.setActive(false);
  }

  #draw() {
    const { parts, edits } = this;
    if (!parts.dialog.open) return;
    const { width, height } = this.#size;
    const room = { width: parts.stage.clientWidth - 2 * MARGIN, height: parts.stage.clientHeight - 2 * MARGIN };
    const scale = Math.max(0, Math.min(room.width / width, room.height / height));
    const set = (target, name, value) => target.style.setProperty(name, value);
    set(parts.box, 'width', `${width * scale}px`);
    set(parts.box, 'height', `${height * scale}px`);
    const isTurned = edits.turn % 2 === 1;
    set(parts.image, 'width', `${(isTurned ? height : width) * scale}px`);
    set(parts.image, 'height', `${(isTurned ? width : height) * scale}px`);
    const zoom = 1 / straightScale({ width, height }, edits.degrees);
    // CSS applies the last first: rotate, mirror, straighten, and the scale that leaves no empty corner.
    set(parts.image, 'transform', `translate(-50%, -50%) scale(${zoom}) rotate(${edits.degrees}deg) scaleX(${edits.isMirrored ? -1 : 1}) rotate(${edits.turn * 90}deg)`);
    this.frame.ratio = this.#ratio;
    this.frame.set(edits.crop ?? { x: 0, y: 0, width: 1, height: 1 });
    this.eyes.draw(edits.eyes, { width, height });
    show(parts.box, parts.result.hidden);
    for (const shape of parts.shapes) press(shape, shape.dataset.shape === this.#shape);
    if (!parts.degrees.matches(':active')) parts.degrees.value = edits.degrees;
    setText(parts.degreesText, `${edits.degrees.toFixed(1)}°`);
    press(parts.mirror, edits.isMirrored);
    press(parts.enhance, edits.isEnhanced);
    press(parts.redEye, this.eyes.isActive);
    show(parts.redEyeHint, this.eyes.isActive);
    show(parts.enhanceHint, edits.isEnhanced && !this.savedEdits.isEnhanced);
    parts.save.disabled = !this.#isChanged && !this.isForeign;
    parts.reset.disabled = !this.#isLocked && isSame(edits, noEdits()) && !this.isForeign;
    parts.dialog.dataset.changed = String(this.#isChanged);
  }

  async #save() {
    const { parts } = this;
    const edits = structuredClone(this.edits);
    const hadFocus = document.activeElement === parts.save;
    parts.save.disabled = true;
    const saving = attempt(() => api.saveRecipe(this.item.name, recipeOf(edits)));
    this.#saving = saving;
    const item = await saving;
    if (!item) {
      this.#draw();
      return undefined;
    }
    this.item = item;
    this.savedEdits = edits;
    this.isForeign = false;
    show(parts.note, false);
    this.eyes.setActive(false);
    this.hooks.onChanged(item);
    parts.result.alt = `Photo ${item.name}, edited`;
    parts.result.src = pictureAddress(item, { width: PREVIEW, height: PREVIEW });
    show(parts.result, true);
    this.#draw();
    // A disabled button loses the focus, so a keyboard user would have to start again.
    if (hadFocus) (parts.reset.disabled ? parts.close : parts.reset).focus();
    toast({ message: 'Saved. The original is kept.' });
    return item;
  }

  /** Returns the item after saving all edits. */
  async #saved() {
    return this.#isChanged ? this.#save() : this.item;
  }

  async #close() {
    // Edits that are on their way to the server are not unsaved.
    await this.#saving;
    if (this.#isChanged && !await ask({
      title: 'Discard changes?', text: 'The unsaved edits of this photo will be lost.', confirm: 'Discard',
    })) return;
    this.parts.dialog.close();
  }
}
