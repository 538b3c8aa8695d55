import { onContent, refresh } from './refresh.js';

/** How often is asked where nothing can be pushed. */
const POLL_MS = 2_000;

/** @type {EventSource | undefined} */
let stream;
/** @type {string | undefined} */
let listeningTo;
/** @type {ReturnType<typeof setInterval> | undefined} */
let polling;

/** Shows every change of the page's subject as it happens: pushed, or asked for where pushing fails. */
export function followLive() {
  onContent(() => {
    const url = document.getElementById('main')?.dataset.live;
    if (url === listeningTo) return;
    stop();
    listeningTo = url;
    if (url) listen(url);
  });
  // A phone that slept has missed what was pushed meanwhile.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && listeningTo) refresh();
  });
}

/** @param {string} url */
function listen(url) {
  if (!('EventSource' in window)) {
    poll(url);
    return;
  }
  stream = new EventSource(url);
  stream.addEventListener('version', (event) => {
    stopPolling();
    compare(event.data);
  });
  // The browser reconnects on its own; until it has, and where it gave up, the page polls.
  stream.addEventListener('error', () => poll(url));
}

/** @param {string} url */
function poll(url) {
  polling ??= setInterval(async () => {
    const answer = await fetch(url, { headers: { accept: 'application/json' } }).catch(() => undefined);
    if (answer?.ok) compare((await answer.json()).version);
  }, POLL_MS);
}

/** @param {string} version */
function compare(version) {
  if (version !== document.getElementById('main')?.dataset.version) refresh();
}

function stopPolling() {
  clearInterval(polling);
  polling = undefined;
}

function stop() {
  stream?.close();
  stream = undefined;
  stopPolling();
}
