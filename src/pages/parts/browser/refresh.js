import { announce } from './announce.js';

/** @type {(() => void)[]} */
const listeners = [];

/**
 * Called now, and again whenever the page's content was replaced.
 * @param {() => void} listener
 */
export function onContent(listener) {
  listeners.push(listener);
  listener();
}

let underWay = false;

/** Asks for this same page and shows what has changed. What the reader has opened or typed stays. */
export async function refresh() {
  if (underWay) return;
  underWay = true;
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const [next, main] = [page, document].map((each) => each.getElementById('main'));
    if (!next || !main || isSame(main, next)) return;
    document.title = page.title;
    document.getElementById('banner')?.replaceChildren(...(page.getElementById('banner')?.childNodes ?? []));
    replace(main, next);
  } finally {
    underWay = false;
  }
}

/**
 * True if it would only show again what is shown; then the latest announcement stays, too.
 * @param {HTMLElement} main
 * @param {HTMLElement} next
 */
function isSame(main, next) {
  const { version, announce: told } = next.dataset;
  return version !== undefined && version === main.dataset.version && told === main.dataset.announce;
}

/**
 * @param {HTMLElement} main
 * @param {HTMLElement} next
 */
function replace(main, next) {
  const hadFocus = main.contains(document.activeElement) && document.activeElement !== main;
  const focusedId = hadFocus ? document.activeElement?.id : '';
  const typed = [...main.querySelectorAll('input')].map(({ id, value }) => ({ id, value }));
  const opened = [...main.querySelectorAll('details[id][open]')].map(({ id }) => id);
  main.className = next.className;
  for (const name of ['data-version', 'data-live', 'data-announce', 'data-status']) {
    const value = next.getAttribute(name);
    if (value === null) main.removeAttribute(name);
    else main.setAttribute(name, value);
  }
  main.replaceChildren(...next.childNodes);
  for (const id of opened) document.getElementById(id)?.setAttribute('open', '');
  for (const { id, value } of typed) {
    const input = document.getElementById(id);
    if (input instanceof HTMLInputElement && value) input.value = value;
  }
  if (hadFocus) (document.getElementById(focusedId || 'main') ?? main).focus({ preventScroll: true });
  announce(main.dataset.announce ?? '');
  for (const listener of listeners) listener();
}
