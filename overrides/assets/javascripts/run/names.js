/* Names of archives: what a page asks before it loads anything of a run. */

const READ = /\.(?:(zip)|tar|tar\.gz|tgz)$/i;
const PACKED = /\.(?:zip|tgz|tar(?:\.(?:gz|bz2|xz))?)$/i;

/**
 * What kind of archive a browser can read a file as, by its name; "" for none.
 * @param {string} name
 * @returns {"" | "tar" | "zip"}
 */
export function packedAs(name) {
  const found = READ.exec(name);
  return found ? (found[1] ? "zip" : "tar") : "";
}

/**
 * Whether a file is called an archive, of whatever kind.
 * @param {string} name
 */
export function isPacked(name) { return PACKED.test(name); }
