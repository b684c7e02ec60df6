// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/** Formatting of numbers for display. */

export function bytes(count) {
  if (!Number.isFinite(count)) return '–';
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = Math.max(0, count);
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 99.95 ? value.toFixed(0) : value.toFixed(1)} ${units[unit]}`;
}

/** 0:07, 12:34, 1:02:03. */
export function duration(seconds) {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0));
  const two = (number) => String(number).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

export function milliseconds(value) {
  if (!Number.isFinite(value)) return '–';
  return value >= 100 ? `${value.toFixed(0)} ms` : `${value.toFixed(1)} ms`;
}

export function date(text) {
  const when = new Date(text);
  if (Number.isNaN(when.getTime())) return text ?? '';
  return when.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
}

/** November 2026, for 2026-11. */
export function month(text) {
  const [year, number] = text.split('-').map(Number);
  return new Date(year, number - 1).toLocaleString('en', { month: 'long', year: 'numeric' });
}

export function size(item) {
  return item.width && item.height ? `${item.width} × ${item.height}` : '';
}

/** Readable forms of names such as `hd1280x720` and `continuousAutoFocus`, for names without a label. */
export function words(name) {
  const spaced = String(name).replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
