// Sends a request of the reference to this service, and shows what it answers. The key stays in this tab: it is kept
// in sessionStorage, travels in a header to this origin alone, and is never part of a URL.

import { base } from './site.js';

const KEPT = 'florin-try-key';

/** @template {Element} T @param {string} selector @returns {T} */
const part = (selector) => /** @type {T} */ (dialog.querySelector(selector));

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById('site-try'));
const form = /** @type {HTMLFormElement} */ (part('form'));
const fields = /** @type {HTMLElement} */ (part('.fields-to-fill'));
const keyInput = /** @type {HTMLInputElement} */ (part('.key input'));
const body = /** @type {HTMLTextAreaElement} */ (part('.body textarea'));
const repeat = /** @type {HTMLInputElement} */ (part('.repeat input'));
const outcome = /** @type {HTMLElement} */ (part('.outcome'));
const figure = /** @type {HTMLElement} */ (part('figure'));
const answer = /** @type {HTMLElement} */ (part('figure code'));

/** @type {DOMStringMap} */
let operation = {};
/** @type {AbortController | undefined} */
let underWay;

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('button.try'))) {
  button.hidden = false;
  button.addEventListener('click', () => open(button));
}
part('.close').addEventListener('click', () => dialog.close());
dialog.addEventListener('close', () => underWay?.abort());

/** @param {HTMLElement} button */
function open(button) {
  if (operation.id !== button.dataset.id) {
    operation = button.dataset;
    fill();
  }
  dialog.showModal();
  form.querySelector('input')?.focus();
}

function fill() {
  const { method = '', path = '', query = '' } = operation;
  const badge = part('.method');
  badge.textContent = method;
  badge.setAttribute('class', `method ${method.toLowerCase()}`);
  part('.path').textContent = path;
  part('#site-try-title').textContent =
    document.querySelector(`#${CSS.escape(operation.id ?? '')} h3`)?.textContent ?? '';
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => field(name, 'path'));
  fields.replaceChildren(
    ...ids,
    ...query
      .split(' ')
      .filter(Boolean)
      .map((name) => field(name, 'query')),
  );
  toggle('.key', operation.keyed === 'yes');
  toggle('.body', operation.body !== undefined);
  toggle('.repeat', operation.repeatable === 'yes');
  body.value = operation.body ?? '';
  body.rows = Math.min(14, body.value.split('\n').length + 1);
  keyInput.value = sessionStorage.getItem(KEPT) ?? '';
  outcome.textContent = '';
  figure.hidden = true;
}

/** @param {string} selector @param {boolean} isShown */
function toggle(selector, isShown) {
  /** @type {HTMLElement} */ (part(selector)).hidden = !isShown;
}

/** @param {string} name @param {'path' | 'query'} place */
function field(name, place) {
  const label = document.createElement('label');
  const input = document.createElement('input');
  input.spellcheck = false;
  input.dataset.field = name;
  input.dataset.place = place;
  input.required = place === 'path';
  const note = document.createElement('small');
  note.textContent = place === 'path' ? 'in the path' : 'in the query, may be left out';
  label.append(`${name} `, note, input);
  return label;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  underWay?.abort();
  const mine = new AbortController();
  underWay = mine;
  outcome.textContent = 'Sending …';
  figure.hidden = true;
  const key = keyInput.value.trim();
  if (operation.keyed === 'yes') sessionStorage.setItem(KEPT, key);
  const started = performance.now();
  try {
    const response = await fetch(address(), { ...request(key), signal: mine.signal });
    const text = await readable(response);
    outcome.textContent = `${response.status} ${response.statusText} · ${Math.round(performance.now() - started)} ms`;
    answer.textContent = text;
    figure.hidden = text === '';
  } catch (error) {
    if (!mine.signal.aborted)
      outcome.textContent = `No answer: ${error instanceof Error ? error.message : error}`;
  }
});

function address() {
  const inputs = /** @type {HTMLInputElement[]} */ ([...fields.querySelectorAll('input')]);
  const idOf = (/** @type {string} */ name) =>
    inputs.find(({ dataset }) => dataset.field === name && dataset.place === 'path')?.value.trim() ?? '';
  const path = (operation.path ?? '').replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(idOf(name)));
  const query = new URLSearchParams();
  for (const { dataset, value } of inputs) {
    if (dataset.place === 'query' && value.trim() !== '') query.append(dataset.field ?? '', value.trim());
  }
  return `${base}${path}${query.size > 0 ? `?${query}` : ''}`;
}

/** @param {string} key @returns {RequestInit} */
function request(key) {
  const { method = 'GET', keyed, repeatable } = operation;
  const hasBody = operation.body !== undefined && body.value.trim() !== '';
  return {
    method,
    headers: {
      ...(keyed === 'yes' && { authorization: `Bearer ${key}` }),
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(repeatable === 'yes' && repeat.checked && { 'idempotency-key': newKey() }),
    },
    ...(hasBody && { body: body.value }),
    // A person who is logged in here some other way must not be mistaken for the holder of the key.
    credentials: 'omit',
    cache: 'no-store',
  };
}

/** A UUID also on plain http, where crypto.randomUUID is not to be had. */
function newKey() {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

/** @param {Response} response */
async function readable(response) {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/json')) return indented(await response.text());
  if (type.startsWith('text/')) return response.text();
  const { size } = await response.blob();
  return size === 0 ? '' : `${type}, ${size} bytes`;
}

/**
 * JSON on lines of its own, without reading it: JSON.parse would lose the last digits of a large amount.
 *
 * @param {string} json
 */
function indented(json) {
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  return json.replace(/("(?:\\.|[^"\\])*")|(\[\s*\]|\{\s*\})|[[{]|[\]}]|,|:/g, (token, text, empty) => {
    if (text !== undefined) return text;
    if (empty !== undefined) return empty.replace(/\s/g, '');
    if (token === '[' || token === '{') {
      depth++;
      return token + line();
    }
    if (token === ']' || token === '}') {
      depth--;
      return line() + token;
    }
    return token === ',' ? token + line() : ': ';
  });
}
