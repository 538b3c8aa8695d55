import { announce } from './announce.js';

/** @typedef {Node | string | false | null | undefined} Child */

const root = /** @type {HTMLElement} */ (document.getElementById('till'));
const language = document.documentElement.lang;

/** @type {Record<string, string>} */
const words = JSON.parse(root.dataset.words ?? '{}');
export const isSandbox = root.dataset.sandbox !== undefined;

/**
 * A sentence in the reader's language, with its places filled in.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (_all, name) => String(values[name] ?? ''));
}

// Western digits everywhere: an amount is compared with what a wallet shows.
const locale = language === 'en' ? 'en-US' : `${language}-u-nu-latn`;
const dollars = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' });
const times = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

/**
 * Exact: a till's amounts are far below what a number holds. Isolated, because among Arabic words `US$` would be read
 * as `$US`.
 * @param {number} cents
 */
export function money(cents) {
  const text = dollars.format(cents / 100);
  return language === 'ar' ? `\u2066${text.replace(/[\u061c\u200e\u200f]/g, '')}\u2069` : text;
}

/** @param {string} at */
export function moment(at) {
  const date = new Date(at);
  return date.toDateString() === new Date().toDateString() ? times.format(date) : moments.format(date);
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | boolean | ((event: Event) => void) | undefined>} attributes
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, '');
    else if (typeof value === 'string') node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child instanceof Node || typeof child === 'string').map(asNode));
  return node;
}

/** @param {any} child @returns {Node | string} */
const asNode = (child) => child;

/**
 * @param {string} text
 * @param {() => unknown} click
 * @param {string} [kind]
 */
export function button(text, click, kind = '') {
  return el('button', { type: 'button', class: kind, click: () => void click() }, text);
}

/** An amount keeps its own direction. @param {number} cents @param {string} [kind] */
export function amount(cents, kind = '') {
  return el('bdi', { class: `amount ${kind}`, dir: 'ltr' }, money(cents));
}

/** @param {string} tag @param {Record<string, string>} attributes */
function drawn(tag, attributes) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

/**
 * Draws the code that a wallet scans. Dark on white in every colour scheme: many readers want it so.
 * @param {{ size: number, path: string }} qr
 * @param {string} label
 */
export function qrCode({ size, path }, label) {
  const svg = drawn('svg', { class: 'qr', viewBox: `0 0 ${size} ${size}`, role: 'img', 'aria-label': label });
  svg.setAttribute('shape-rendering', 'crispEdges');
  svg.append(drawn('path', { class: 'qr-paper', d: `M0 0h${size}v${size}H0z` }), drawn('path', { d: path }));
  return svg;
}

/** A sign of lines in the text's colour. @param {string} path */
export function icon(path) {
  const svg = drawn('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' });
  svg.append(drawn('path', { d: path }));
  return svg;
}

/** @type {(() => void) | undefined} */
let leave;

/**
 * Shows a screen in place of the one before. What `enter` returns runs when it is left.
 * @param {string} name
 * @param {Child[]} children
 * @param {() => (() => void) | void} [enter]
 */
export function show(name, children, enter) {
  leave?.();
  leave = undefined;
  const isSame = root.dataset.screen === name;
  root.dataset.screen = name;
  root.replaceChildren(
    ...children.filter((child) => child instanceof Node || typeof child === 'string').map(asNode),
  );
  window.scrollTo(0, 0);
  const heading = root.querySelector('h1');
  if (heading) {
    announce(heading.textContent ?? '');
    // A heading for screen readers alone would appear when focused, and move the keys under a finger.
    const target = heading.classList.contains('unseen') ? root : heading;
    target.tabIndex = -1;
    if (!isSame) target.focus({ preventScroll: true });
  }
  leave = enter?.() ?? undefined;
}

export const screenName = () => root.dataset.screen;
