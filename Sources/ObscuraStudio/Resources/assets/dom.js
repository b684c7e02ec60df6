// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { icon } from './icons.js';

/** The element with this id; throws if the page has none. */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * A new element. Attributes that are true are empty, those that are false, null or undefined are omitted; `on…` are
 * listeners, `data` is the dataset, `text` is text, not markup.
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'text') made.textContent = value;
    else if (name === 'data') Object.assign(made.dataset, value);
    else if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, '');
    else if (value !== false && value != null) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

/** A button with an icon, and a label that is visible or only for screen readers. */
export function button({ id, label, drawing, isIconOnly = false, kind = '', onclick, ...attributes }) {
  const made = element('button', {
    type: 'button', id, class: `button ${isIconOnly ? 'icon-only' : ''} ${kind}`.trim(),
    'aria-label': isIconOnly ? label : null, title: isIconOnly ? label : null, onclick, ...attributes,
  });
  if (drawing) made.append(icon(drawing));
  if (!isIconOnly) made.append(element('span', { text: label }));
  return made;
}

/** Sets the text only if it has changed, so that a screen reader does not repeat it. */
export function setText(target, text) {
  const wanted = text == null ? '' : String(text);
  if (target.textContent !== wanted) target.textContent = wanted;
}

export function show(target, isShown) {
  if (target.hidden === isShown) target.hidden = !isShown;
}

export function press(toggle, isPressed) {
  toggle.setAttribute('aria-pressed', String(Boolean(isPressed)));
}

/**
 * Focuses the element unless the user is elsewhere already: the browser reports that a dialog has closed only with its
 * next frame. Until then an element of the closed dialog may still be the active one.
 */
export function returnFocus(element) {
  const active = document.activeElement ?? document.body;
  if (active === document.body || active.closest('dialog:not([open])')) element?.focus();
}

/**
 * Updates the children of `list` to those of `items`, in their order. Elements of existing items are kept, and so is
 * the focus.
 *
 * @param {Element} list
 * @param {T[]} items
 * @param {(item: T) => string} key
 * @param {(item: T) => HTMLElement} make
 * @param {(element: HTMLElement, item: T) => void} [update]
 * @param {(element: HTMLElement) => void} [remove] called before an element is removed
 * @template T
 */
export function reconcile(list, items, key, make, update, remove) {
  const focused = list.contains(document.activeElement) ? document.activeElement : null;
  const old = new Map();
  for (const child of list.children) if (child.dataset.key !== undefined) old.set(child.dataset.key, child);
  let last = null;
  for (const item of items) {
    const name = key(item);
    const child = old.get(name) ?? make(item);
    child.dataset.key = name;
    old.delete(name);
    const next = last ? last.nextElementSibling : list.firstElementChild;
    if (next !== child) list.insertBefore(child, next);
    update?.(child, item);
    last = child;
  }
  for (const child of old.values()) {
    remove?.(child);
    child.remove();
  }
  // Moving an element removes its focus.
  if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
}

/** Sets the options of a <select> if they changed, and its value. */
export function setOptions(select, options, value) {
  const wanted = JSON.stringify(options);
  if (select.dataset.options !== wanted) {
    select.replaceChildren(...options.map((option) => element('option', {
      value: option.value, text: option.label, disabled: option.isDisabled,
    })));
    select.dataset.options = wanted;
  }
  if (select.value !== value) select.value = value;
}

/** Adds the icons to elements of the page with the attribute data-icon. */
export function drawIcons(root = document) {
  for (const place of root.querySelectorAll('[data-icon]')) {
    if (!place.querySelector('svg')) place.prepend(icon(place.dataset.icon));
  }
}
