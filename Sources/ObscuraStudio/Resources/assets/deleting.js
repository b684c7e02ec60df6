// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api } from './api.js';
import { ask } from './ask.js';
import { byId } from './dom.js';
import { attempt, report, toast } from './toasts.js';

/**
 * Moves an item to the trash, and offers to undo it.
 * @param {{name: string}} item
 * @param {object} hooks
 * @param {() => void} hooks.onDeleted called before the message is shown
 * @param {(item: object) => void} hooks.onRestored called if the user undoes it, perhaps with another name
 */
export async function moveToTrash({ name }, { onDeleted, onRestored }) {
  let deleted;
  try {
    deleted = await api.remove(name);
  } catch (error) {
    // Such as a disk that is too full for the description of a deleted item.
    if (error.status >= 500) await removePermanently(name, error, onDeleted);
    else report(error);
    return;
  }
  onDeleted();
  const undo = async () => {
    const item = await attempt(() => api.restore(deleted.id));
    if (item) onRestored(item);
    // The button is gone with the message.
    byId('main').focus();
  };
  toast({ message: `${name} is in the trash.`, action: { label: 'Undo', run: undo } });
}

async function removePermanently(name, error, onDeleted) {
  const isSure = await ask({
    title: `Delete ${name} for good?`, text: `It cannot be moved to the trash. ${error.message} Deleting it for good cannot be undone.`, confirm: 'Delete', drawing: 'trash',
  });
  if (!isSure) return;
  const isGone = await attempt(async () => {
    await api.removePermanently(name);
    return true;
  });
  if (!isGone) return;
  onDeleted();
  toast({ message: `${name} was deleted.` });
}
