// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { button, element } from './dom.js';

/**
 * Asks for confirmation in a dialog; the focus is on Cancel.
 * @returns {Promise<boolean>}
 */
export function ask({ title, text, confirm, drawing = null }) {
  return new Promise((resolve) => {
    const no = button({ id: 'ask-cancel', label: 'Cancel', onclick: () => dialog.close('no') });
    const yes = button({ id: 'ask-confirm', label: confirm, drawing, kind: 'danger', onclick: () => dialog.close('yes') });
    const dialog = element('dialog', { id: 'ask', class: 'dialog small', 'aria-labelledby': 'ask-title', 'aria-describedby': 'ask-text' },
      element('h2', { id: 'ask-title', text: title }),
      element('p', { id: 'ask-text', text }),
      element('div', { class: 'dialog-buttons' }, no, yes));
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.showModal();
    no.focus();
  });
}
