// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/** A failed request: an error of the Studio or a missing response, with the remedy. */
export class StudioError extends Error {
  constructor(message, { code = 'failed', advice = null, status = 0 } = {}) {
    super(message);
    this.name = 'StudioError';
    this.code = code;
    this.advice = advice;
    this.status = status;
  }
}

/** The users of a picker know the program that asks them, and no Studio. */
const peer = () => (document.body.classList.contains('picker') ? 'program' : 'Studio');

const SECONDS = 1000;
/** Photos and recordings wait for the camera and the disk. */
const LONG = 60 * SECONDS;
const UPLOAD = 3600 * SECONDS;

/** The highest revision of an answer to a change: states with a lower one may be from before the change. */
export const changes = { revision: 0 };

/**
 * Sends a request to the Studio.
 * @returns {Promise<any>} the JSON of the response; null if it has no body
 * @throws {StudioError}
 */
export async function request(method, path, body, { timeout = 15 * SECONDS } = {}) {
  const isFile = body instanceof Blob;
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { 'Content-Type': isFile ? 'application/octet-stream' : 'application/json' },
      body: body === undefined ? undefined : isFile ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(timeout),
      cache: 'no-store',
    });
  } catch (error) {
    throw error.name === 'TimeoutError'
      ? new StudioError(`The ${peer()} did not respond in time.`, { code: 'timeout', advice: 'Try again in a moment.' })
      : new StudioError(`The ${peer()} does not respond.`, { code: 'offline', advice: `Check that the ${peer()} is still running.` });
  }
  changes.revision = Math.max(changes.revision, Number(response.headers.get('Obscura-Revision')));
  const answer = await response.json().catch(() => null);
  if (response.ok) return answer;
  const error = answer?.error;
  throw new StudioError(error?.message ?? `The ${peer()} returned status ${response.status}.`, {
    code: error?.code, advice: error?.advice, status: response.status,
  });
}

const cameraPath = (id) => `/api/cameras/${encodeURIComponent(id)}`;
/** The query of an address. Spaces are encoded as %20: a plus sign is a plus sign for the server. */
const queryOf = (values) => Object.entries(values).filter(([, value]) => value != null && value !== '')
  .map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
const libraryPath = (name) => `/api/library/${encodeURIComponent(name)}`;
const trashPath = (id) => `/api/trash/${encodeURIComponent(id)}`;

export const api = {
  state: () => request('GET', '/api/state'),
  health: () => request('GET', '/health', undefined, { timeout: 5 * SECONDS }),
  addCamera: (what) => request('POST', '/api/cameras', what, { timeout: LONG }),
  camera: (id) => request('GET', cameraPath(id)),
  patchCamera: (id, change) => request('PATCH', cameraPath(id), change, { timeout: LONG }),
  startCamera: (id) => request('POST', `${cameraPath(id)}/start`, undefined, { timeout: LONG }),
  removeCamera: (id) => request('DELETE', cameraPath(id), undefined, { timeout: LONG }),
  tap: (id, x, y) => request('POST', `${cameraPath(id)}/tap`, { x, y }),
  controls: (id) => request('GET', `${cameraPath(id)}/controls`),
  patchControls: (id, change) => request('PATCH', `${cameraPath(id)}/controls`, change),
  takePhotos: (id, photos) => request('POST', `${cameraPath(id)}/photos`, photos, { timeout: LONG }),
  record: (id, limits) => request('POST', `${cameraPath(id)}/recording`, limits, { timeout: LONG }),
  pause: (id, isPaused) => request('PATCH', `${cameraPath(id)}/recording`, { isPaused }),
  stop: (id) => request('DELETE', `${cameraPath(id)}/recording`, undefined, { timeout: LONG }),
  arrangeVisit: (names) => request('PUT', '/api/visit', { names }),
  leaveVisit: (name) => request('DELETE', `/api/visit/${encodeURIComponent(name)}`),
  library: (offset, limit) => request('GET', `/api/library?offset=${offset}&limit=${limit}`),
  search: (conditions, offset, limit) => request('GET', `/api/search?${queryOf({ ...conditions, offset, limit })}`, undefined, { timeout: LONG }),
  places: (conditions) => request('GET', `/api/places?${queryOf(conditions)}`, undefined, { timeout: LONG }),
  months: (conditions) => request('GET', `/api/months?${queryOf(conditions)}`, undefined, { timeout: LONG }),
  item: (name) => request('GET', libraryPath(name)),
  remove: (name) => request('DELETE', libraryPath(name), undefined, { timeout: LONG }),
  removePermanently: (name) => request('DELETE', `${libraryPath(name)}?permanently=1`, undefined, { timeout: LONG }),
  trash: () => request('GET', '/api/trash'),
  restore: (id) => request('POST', `${trashPath(id)}/restore`, undefined, { timeout: LONG }),
  removeTrashed: (id) => request('DELETE', trashPath(id), undefined, { timeout: LONG }),
  emptyTrash: () => request('DELETE', '/api/trash', undefined, { timeout: LONG }),
  saveRecipe: (name, recipe) => request('PUT', `${libraryPath(name)}/recipe`, recipe, { timeout: LONG }),
  export: (name, format) => request('POST', `${libraryPath(name)}/export`, { format }, { timeout: LONG }),
  trim: (name, from, to) => request('POST', `${libraryPath(name)}/trim`, { from, to }, { timeout: LONG }),
  upload: (file) => request('POST', `/api/uploads?name=${encodeURIComponent(file.name)}`, file, { timeout: UPLOAD }),

  picker: () => request('GET', '/api/picker'),
  pick: (names) => request('PUT', '/api/picker/items', { names }),
  pickTrimmed: (name, from, to) => request('POST', `/api/picker/items/${encodeURIComponent(name)}/trim`, { from, to }, { timeout: LONG }),
  pickFile: (file) => request('POST', `/api/picker/files?name=${encodeURIComponent(file.name)}`, file, { timeout: UPLOAD }),
  pickFromAddress: (address) => request('POST', '/api/picker/addresses', { address }, { timeout: 10 * LONG }),
  downloads: () => request('GET', '/api/picker/addresses'),
  stopDownloads: () => request('DELETE', '/api/picker/addresses'),
  pickFromLibrary: (path) => request('POST', '/api/picker/library', { path }, { timeout: 10 * LONG }),
  pickLibrary: ({ text, after, limit }) => {
    // The first request waits until the library has been read.
    return request('GET', `/api/picker/library?${queryOf({ limit, text, after })}`, undefined, { timeout: 10 * LONG });
  },
  finishPicking: () => request('POST', '/api/picker/finish', undefined, { timeout: 10 * LONG }),
  cancelPicking: () => request('POST', '/api/picker/cancel'),
};

export const trashedPicture = (id, side) => `${trashPath(id)}/picture.jpg?width=${side}&height=${side}`;

export const libraryThumbnail = (path) => `/api/picker/library/thumbnail?path=${encodeURIComponent(path)}`;

export const mediaAddress = (name) => `/media/${encodeURIComponent(name)}`;

/**
 * The address of an item's picture. It contains a mark of the recipe, so that an edited picture is loaded again.
 * @param {{name: string, recipe?: object}} item
 */
export function pictureAddress(item, { width, height, isOriginal = false } = {}) {
  const query = new URLSearchParams();
  if (width) query.set('width', String(Math.round(width)));
  if (height) query.set('height', String(Math.round(height)));
  if (isOriginal) query.set('original', '1');
  else if (item.recipe) query.set('v', mark(JSON.stringify(item.recipe)));
  return `${mediaAddress(item.name)}/picture.jpg?${query}`;
}

function mark(text) {
  let sum = 0;
  for (const letter of text) sum = (Math.imul(sum, 31) + letter.codePointAt(0)) | 0;
  return (sum >>> 0).toString(36);
}
