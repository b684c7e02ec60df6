// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import { api } from './api.js';
import { ask } from './ask.js';
import { attempt, report, toast } from './toasts.js';

/**
 * Moves an item to the trash, and offers to undo it.
 * @param {{name: string}} item
 * @param {(item: object) => void} onRestored called if the user undoes it, perhaps with another name
 * @returns {Promise<boolean>} whether it was deleted
 */
export async function moveToTrash({ name }, onRestored) {
  let deleted;
  try {
    deleted = await api.remove(name);
  } catch (error) {
    if (error.code !== 'diskFull') {
      report(error);
      return false;
    }
    return removePermanently(name);
  }
  const undo = async () => {
    const item = await attempt(() => api.restore(deleted.id));
    if (item) onRestored(item);
  };
  toast({ message: `${name} is in the trash.`, action: { label: 'Undo', run: undo } });
  return true;
}

/** A full disk may have no room for the description of a deleted item. */
async function removePermanently(name) {
  const isSure = await ask({
    title: `Delete ${name} for good?`, text: 'The disk is too full for the trash. This cannot be undone.', confirm: 'Delete', drawing: 'trash',
  });
  if (!isSure) return false;
  const isGone = await attempt(async () => {
    await api.removePermanently(name);
    return true;
  });
  if (isGone) toast({ message: `${name} was deleted.` });
  return isGone === true;
}
