/*
 * What a worker is told by its address, ?lang=en, and the guide's own data, which stand beside it. In the copy that opens from
 * a folder file-worker.js says what the address is, data are scripts, and importScripts answers later.
 */

const address = self.workerAddress || self.location.href;
export const isFolder = Boolean(self.workerAddress);
export const settings = new URL(address).searchParams;
export const language = /^[a-z-]+$/i.exec(settings.get("lang") || "")?.[0] || "en";

/**
 * An address from that of the worker.
 * @param {string} path
 */
export function near(path) { return new URL(path, address).href; }

/**
 * @param {string} name
 * @returns {Promise<any>}
 */
export async function load(name) {
  if (isFolder) {
    await importScripts(near(`${name}.js`));
    return self.fieldguideData[name];
  }
  const response = await fetch(near(`${name}.json`));
  if (!response.ok) throw new Error(`${name}: HTTP ${response.status}`);
  return response.json();
}
