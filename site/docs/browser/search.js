// Suggestions below the search field. Without this the form still leads to the page of findings.

import { rank } from './rank.js';

const MAX = 8;

const docs = document.body.dataset.docs ?? '';
const input = /** @type {HTMLInputElement} */ (document.getElementById('site-query'));
const list = /** @type {HTMLElement} */ (document.getElementById('site-findings'));

list.setAttribute('role', 'listbox');
list.setAttribute('aria-label', 'Suggestions');
input.setAttribute('role', 'combobox');
input.setAttribute('aria-autocomplete', 'list');
input.setAttribute('aria-controls', list.id);
input.setAttribute('aria-expanded', 'false');

/** @type {Promise<import('./rank.js').Entry[]> | undefined} */
let loading;
let chosen = -1;

/** Asked for once somebody searches; a failure is asked again at the next key. */
function entries() {
  loading ??= fetch(`${docs}search.json`)
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(`${answer.status}`))))
    .catch(() => {
      loading = undefined;
      return [];
    });
  return loading;
}

/** @param {import('./rank.js').Finding} finding @param {number} at */
function option({ entry, before, match, after }, at) {
  const link = document.createElement('a');
  link.id = `site-finding-${at}`;
  link.href = docs + entry.url;
  link.tabIndex = -1;
  link.setAttribute('role', 'option');
  link.setAttribute('aria-selected', 'false');
  const heading = document.createElement('b');
  heading.textContent = entry.heading;
  const page = document.createElement('small');
  page.textContent = entry.page === entry.heading ? '' : entry.page;
  const excerpt = document.createElement('span');
  const mark = document.createElement('mark');
  mark.textContent = match;
  excerpt.append(before, mark, after);
  link.append(heading, ' ', page, excerpt);
  return link;
}

async function suggest() {
  const query = input.value;
  const known = await entries();
  // Typing went on while the index was on its way.
  if (query !== input.value) return;
  const findings = rank(known, query, MAX);
  const options = findings.map(option);
  list.replaceChildren(...options);
  if (query.trim() !== '' && options.length === 0) {
    const nothing = document.createElement('p');
    nothing.setAttribute('role', 'option');
    nothing.setAttribute('aria-disabled', 'true');
    nothing.textContent = 'Nothing holds these words.';
    list.append(nothing);
  }
  show(query.trim() !== '' && document.activeElement === input);
  choose(-1);
}

/** @param {boolean} isShown */
function show(isShown) {
  list.hidden = !isShown;
  input.setAttribute('aria-expanded', String(isShown));
  if (!isShown) choose(-1);
}

/** @param {number} at */
function choose(at) {
  const options = [...list.querySelectorAll('a')];
  chosen = options.length === 0 ? -1 : at;
  for (const [place, link] of options.entries()) link.setAttribute('aria-selected', String(place === chosen));
  const link = options[chosen];
  if (link) input.setAttribute('aria-activedescendant', link.id);
  else input.removeAttribute('aria-activedescendant');
  link?.scrollIntoView({ block: 'nearest' });
}

input.addEventListener('focus', () => {
  void entries();
  if (input.value.trim() !== '') void suggest();
});
input.addEventListener('input', () => void suggest());

input.addEventListener('keydown', (event) => {
  const count = list.querySelectorAll('a').length;
  if (event.key === 'Escape' && !list.hidden) {
    event.preventDefault();
    show(false);
  } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && count > 0 && !list.hidden) {
    event.preventDefault();
    const step = event.key === 'ArrowDown' ? 1 : -1;
    choose(chosen < 0 && step < 0 ? count - 1 : (chosen + step + count) % count);
  } else if (event.key === 'Enter' && chosen >= 0 && !list.hidden) {
    event.preventDefault();
    list.querySelectorAll('a')[chosen]?.click();
    show(false);
    input.blur();
  }
});

list.addEventListener('click', () => show(false));
document.addEventListener('pointerdown', ({ target }) => {
  if (target instanceof Node && !input.closest('form')?.contains(target)) show(false);
});
input.addEventListener('blur', ({ relatedTarget }) => {
  if (!(relatedTarget instanceof Node && list.contains(relatedTarget))) show(false);
});
// A click on a suggestion must not take the focus first, or the list would be gone before it lands.
list.addEventListener('pointerdown', (event) => event.preventDefault());

document.addEventListener('keydown', (event) => {
  const { target } = event;
  const isTyping = target instanceof Element && target.closest('input, textarea, select, dialog');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
  input.select();
});
