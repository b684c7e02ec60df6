// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/** The distance after which a mouse movement is a drag. */
const SLACK = 6;
/** The time after which a touch lifts the item; before that it scrolls the row. */
const HOLD = 350;
const EDGE = 40;

/** Reordering of the items of a row by dragging them with a pointer. */
export class Reorder {
  /** @param {() => void} onArranged called after an item was dropped at another position */
  constructor(list, selector, onArranged) {
    this.list = list;
    this.selector = selector;
    this.onArranged = onArranged;
    list.addEventListener('pointerdown', (event) => this.#down(event));
    list.addEventListener('dragstart', (event) => event.preventDefault());
    // A lifted item moves with the finger; the row must not.
    list.addEventListener('touchmove', (event) => {
      if (this.isDragging) event.preventDefault();
    }, { passive: false });
    list.addEventListener('contextmenu', (event) => {
      if (this.isDragging) event.preventDefault();
    });
    list.addEventListener('click', (event) => {
      if (!this.#swallowsClick) return;
      this.#swallowsClick = false;
      event.preventDefault();
      event.stopPropagation();
    }, true);
  }

  isDragging = false;
  #swallowsClick = false;

  #down(event) {
    const item = event.target.closest(this.selector);
    if (!item || event.button !== 0) return;
    this.#swallowsClick = false;
    const drag = { item, start: event.clientX, from: this.#place(item), pointer: event.pointerId };
    const ends = new AbortController();
    const { signal } = ends;
    const isMouse = event.pointerType === 'mouse';
    const hold = isMouse ? 0 : setTimeout(() => this.#lift(drag), HOLD);
    const finish = () => {
      clearTimeout(hold);
      ends.abort();
      this.#drop(drag);
    };
    addEventListener('pointermove', (move) => {
      if (move.pointerId !== drag.pointer) return;
      const distance = Math.abs(move.clientX - drag.start);
      if (!this.isDragging && distance > SLACK) {
        if (isMouse) this.#lift(drag);
        else clearTimeout(hold);
      }
      if (this.isDragging) this.#move(drag, move.clientX);
    }, { signal });
    addEventListener('pointerup', finish, { signal });
    addEventListener('pointercancel', finish, { signal });
  }

  #lift(drag) {
    this.isDragging = true;
    drag.item.classList.add('dragged');
  }

  #move(drag, x) {
    const { item } = drag;
    const row = this.list.getBoundingClientRect();
    if (x < row.left + EDGE) this.list.scrollLeft -= 8;
    else if (x > row.right - EDGE) this.list.scrollLeft += 8;
    for (const other of this.list.querySelectorAll(this.selector)) {
      if (other === item) continue;
      const box = other.getBoundingClientRect();
      const middle = box.left + box.width / 2;
      const isBefore = Boolean(other.compareDocumentPosition(item) & Node.DOCUMENT_POSITION_PRECEDING);
      const old = item.offsetLeft;
      if (isBefore && x > middle) other.after(item);
      else if (!isBefore && x < middle) other.before(item);
      else continue;
      // The item's position in the row has changed; the drawn item stays under the pointer.
      drag.start += item.offsetLeft - old;
      break;
    }
    item.style.setProperty('transform', `translateX(${x - drag.start}px)`);
  }

  #drop({ item, from }) {
    if (!this.isDragging) return;
    this.isDragging = false;
    this.#swallowsClick = true;
    // A click event follows immediately after pointerup, or not at all.
    setTimeout(() => {
      this.#swallowsClick = false;
    });
    item.classList.remove('dragged');
    item.style.removeProperty('transform');
    // Moving the element has removed the focus that it got by the press.
    item.querySelector('button')?.focus({ preventScroll: true });
    if (this.#place(item) !== from) this.onArranged();
  }

  #place(item) {
    return [...this.list.querySelectorAll(this.selector)].indexOf(item);
  }
}
