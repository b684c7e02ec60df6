// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api } from './api.js';
import { button, element } from './dom.js';
import { attempt, toast } from './toasts.js';

/**
 * A format menu and a button that exports a new file with the edits applied.
 * @param {string} id of the button; the choice is `${id}-format`
 * @param {() => Promise<object|undefined>} prepared the item once it is ready; undefined if it is not
 * @param {(item: object) => void} onExported
 */
export function exportControls(id, prepared, onExported) {
  const format = element('select', { id: `${id}-format`, 'aria-label': 'Format of the export' },
    element('option', { value: 'jpeg', text: 'JPEG' }), element('option', { value: 'png', text: 'PNG' }));
  const go = button({ id, label: 'Export', drawing: 'export', onclick: async () => {
    const hadFocus = document.activeElement === go;
    go.disabled = true;
    const item = await prepared();
    const made = item && await attempt(() => api.export(item.name, format.value));
    go.disabled = false;
    if (hadFocus) go.focus();
    if (!made) return;
    toast({ message: `Exported as ${made.name}.` });
    onExported(made);
  } });
  return element('div', { class: 'joined' }, go, format);
}
