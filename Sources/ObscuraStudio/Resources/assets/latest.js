// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/**
 * A function that does `work` with the newest value: one at a time, and values that newer ones overtake are left out.
 * A slider that is drawn sends no more than the server can follow.
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
