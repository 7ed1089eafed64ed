/* Elements and words, for all scripts of pages. */

/**
 * A new element.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<HTMLElementTagNameMap[Name]>} [values]
 * @param {(Node | string)[]} [children]
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, values = {}, children = []) {
  const made = document.createElement(name);
  Object.assign(made, values);
  made.append(...children);
  return made;
}

/**
 * The first element for a selector; it must be there, and of that kind.
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Kind} [kind]
 * @returns {Kind}
 */
export function find(root, selector, kind) {
  const found = root.querySelector(selector);
  if (!(found instanceof (kind || HTMLElement))) throw new Error(`no ${selector} on this page`);
  return /** @type {Kind} */ (found);
}

/**
 * All elements for a selector.
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
export function findAll(root, selector) { return Array.from(root.querySelectorAll(selector)); }

/**
 * The element around the target of an event, itself included; null when there is none.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function around({ target }, selector) { return target instanceof Element ? target.closest(selector) : null; }

/**
 * A text with its gaps, such as {count}, filled.
 * @param {string} text
 * @param {Record<string, unknown>} values
 */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));
}

/**
 * What stands in an attribute as JSON, its two kinds of quotes swapped: HTML writes each double one as six letters.
 * @param {string | undefined} text
 * @returns {any}
 */
export function parsed(text) { return JSON.parse((text ?? "null").replace(/["']/g, (quote) => (quote === "'" ? '"' : "'"))); }

/**
 * The element of a new place in the address, if it names one of this page.
 * @returns {HTMLElement | null}
 */
export function named() { return location.hash ? document.getElementById(location.hash.slice(1)) : null; } // ids are ASCII
