// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/**
 * A function that runs `work` with the newest value, one call at a time; values that are replaced meanwhile are
 * skipped. A slider that is dragged sends no more requests than the server can handle.
 * @template T
 * @param {(value: T) => Promise<unknown>} work must not throw
 * @returns {(value: T) => Promise<void>}
 */
export function newestOnly(work) {
  let isBusy = false;
  let waiting = [];
  return async (value) => {
    waiting = [value];
    if (isBusy) return;
    isBusy = true;
    try {
      while (waiting.length) await work(waiting.pop());
    } finally {
      isBusy = false;
    }
  };
}
