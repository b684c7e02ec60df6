// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors
//
// Accessibility checks of a page: its controls, the visibility of the focus, and the contrast of each text to its
// background.

globalThis.access = (() => {
  const CONTROLS = 'a[href], button, input, select, textarea, summary, video[controls], [tabindex]';

  const parse = (text) => {
    const found = text.match(/^rgba?\(([\d.]+),? ([\d.]+),? ([\d.]+)(?:,? ?\/? ?([\d.]+)(%?))?\)$/);
    if (!found) {
      // color(srgb …) is the computed value of mixed colors.
      const mixed = text.match(/^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.]+))?\)$/);
      return mixed && [...mixed.slice(1, 4).map((part) => Number(part) * 255), mixed[4] === undefined ? 1 : Number(mixed[4])];
    }
    const alpha = found[4] === undefined ? 1 : Number(found[4]) / (found[5] ? 100 : 1);
    return [...found.slice(1, 4).map(Number), alpha];
  };
  const over = (top, below) => top.slice(0, 3).map((part, i) => part * top[3] + below[i] * (1 - top[3]));
  const light = (colour) => {
    const [r, g, b] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };

  const isShown = (element) => {
    if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false;
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1;
  };

  /** A description of the element for failure messages. */
  const say = (element) => element.id ? `#${element.id}`
    : `${element.tagName.toLowerCase()}${element.className ? `.${String(element.className).replaceAll(' ', '.')}` : ''} "${element.textContent.trim().slice(0, 30)}"`;

  /**
   * The possible background colors of an element, from the nearest opaque one. Over live video the background may have
   * any color: then black and white are both checked.
   */
  function behind(element) {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const colour = parse(style.backgroundColor);
      if (colour && colour[3] > 0) layers.push(colour);
      if (colour && colour[3] === 1) break;
      const isOverPicture = style.position === 'absolute' && at.parentElement?.querySelector('canvas, img, video');
      if (isOverPicture) return [[0, 0, 0], [255, 255, 255]].map((base) => layers.reduceRight((below, top) => over(top, below), base));
    }
    return [layers.reduceRight((below, top) => over(top, below), [255, 255, 255])];
  }

  /** Each text with too little contrast: the element, the text, the ratio and the required ratio. */
  function pale() {
    const found = [];
    const walker = document.createTreeWalker(document.querySelector('dialog[open]') ?? document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!walker.currentNode.textContent.trim() || !element || !isShown(element)) continue;
      // Disabled controls have no contrast requirement (WCAG 2.2, 1.4.3).
      if (element.closest(':disabled, option, noscript, script, style')) continue;
      const style = getComputedStyle(element);
      const colour = parse(style.color);
      const worst = Math.min(...behind(element).map((base) => ratio(over(colour, base), base)));
      if (worst < 4.5) found.push(`${say(element)}: ${worst.toFixed(2)} (${style.color})`);
    }
    return found;
  }

  const looks = (element) => ['outlineStyle', 'outlineWidth', 'outlineColor', 'boxShadow', 'borderColor', 'backgroundColor', 'textDecorationLine']
    .flatMap((name) => [element, ...element.children].map((one) => getComputedStyle(one)[name])).join('|');

  /** The visible and enabled controls, including each one of a radio group or a toolbar. */
  const controls = () => [...(document.querySelector('dialog[open]') ?? document).querySelectorAll(CONTROLS)].filter((element) =>
    element.tabIndex >= 0 && !element.matches(':disabled') && isShown(element) && !element.closest('[inert]'));

  /** Records the appearance of each control without the focus. */
  function prepare() {
    document.activeElement?.blur();
    globalThis.plain = new Map(controls().map((element) => [element, looks(element)]));
    return globalThis.plain.size;
  }

  /** The focused element, and whether its focus is visible. */
  function focused() {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const plain = globalThis.plain.get(element);
    globalThis.reached ??= new Set();
    globalThis.reached.add(element);
    // A link that is hidden until it has the focus becomes visible.
    return { who: say(element), isSeen: plain === undefined || looks(element) !== plain, isShown: isShown(element) };
  }

  const missed = () => [...globalThis.plain.keys()].filter((element) => element.isConnected && !globalThis.reached?.has(element)
    && isShown(element) && !element.matches(':disabled')).map(say);

  /** The controls, or parts of them, that an element covers. */
  function covered(selector) {
    const covers = [...document.querySelectorAll(selector)];
    const points = controls().filter((control) => !control.closest(selector)).flatMap((control) => {
      const { left, top, width, height } = control.getBoundingClientRect();
      return [[0.1, 0.1], [0.9, 0.1], [0.5, 0.5], [0.1, 0.9], [0.9, 0.9]].map(([x, y]) => ({ control, x: left + x * width, y: top + y * height }));
    });
    const hidden = points.filter(({ x, y }) => document.elementFromPoint(x, y)?.closest(selector));
    for (const one of covers) one.style.visibility = 'hidden';
    const found = hidden.filter(({ control, x, y }) => control.contains(document.elementFromPoint(x, y)));
    for (const one of covers) one.style.visibility = '';
    return [...new Set(found.map(({ control }) => say(control)))];
  }

  /** Whether an element is in the window, and not hidden by one that scrolls. */
  function isInView(selector) {
    const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect();
    const isSeen = (x, y) => Boolean(document.elementFromPoint(x, y)?.closest(selector));
    // The right edge may be below the scroll bar of the page.
    return isSeen(left + 9, top + 9) && isSeen((left + right) / 2, bottom - 9);
  }

  return { pale, prepare, focused, missed, covered, isInView };
})();
