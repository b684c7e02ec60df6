// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { button, element } from './dom.js';

const MOST = 5;
const SHOWN_FOR = { info: 5000, warning: 9000, error: 12000 };
/** The same message twice within this time is one event that reached the page in two ways. */
const SAME_WITHIN = 3000;

const statuses = element('div', { role: 'status', id: 'toasts-status', class: 'toast-list' });
const alerts = element('div', { role: 'alert', id: 'toasts-alert', class: 'toast-list' });
const place = element('div', { id: 'toasts', class: 'toasts' }, alerts, statuses);
const recent = new Map();

/** Elements outside of an open dialog are inert, so toasts are shown inside it; otherwise below the page's header. */
function settle() {
  const dialogs = [...document.querySelectorAll('dialog[open]')];
  const host = dialogs.at(-1) ?? document.body;
  if (place.parentElement === host) return;
  const header = host.querySelector(':scope > header.top');
  if (header) header.after(place);
  else host.append(place);
}
document.addEventListener('close', () => settle(), true);

/**
 * @param {{level?: 'info'|'warning'|'error', message: string, advice?: string|null, action?: {label: string, run: () => void}}} what
 * @returns {HTMLElement|undefined} the toast; undefined if the same one is shown already
 */
export function toast({ level = 'info', message, advice = null, action = null }) {
  const now = performance.now();
  for (const [text, when] of recent) if (now - when > SAME_WITHIN) recent.delete(text);
  if (recent.has(message) && !action) return undefined;
  recent.set(message, now);
  settle();
  const made = element('div', { class: `toast ${level}`, data: { level } },
    element('div', { class: 'toast-words' },
      element('p', { class: 'toast-message', text: message }),
      advice ? element('p', { class: 'toast-advice', text: advice }) : null),
    action ? button({ label: action.label, kind: 'toast-action', onclick: () => {
      made.remove();
      action.run();
    } }) : null,
    button({ label: 'Close this message', drawing: 'close', isIconOnly: true, kind: 'quiet', onclick: () => made.remove() }));
  const list = level === 'error' ? alerts : statuses;
  list.append(made);
  while (list.children.length > MOST) list.firstElementChild.remove();
  const wait = () => setTimeout(() => (made.matches(':hover, :focus-within') ? wait() : made.remove()),
    SHOWN_FOR[level] ?? SHOWN_FOR.info);
  wait();
  return made;
}

/** Shows an error. */
export function report(error) {
  if (error?.name !== 'StudioError') console.error(error);
  toast({ level: 'error', message: error?.message ?? String(error), advice: error?.advice });
}

/**
 * Runs the work, and shows its failure.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T|undefined>} undefined if it failed
 */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    report(error);
    return undefined;
  }
}
