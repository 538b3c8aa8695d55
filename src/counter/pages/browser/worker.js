const CACHE = `florin-till-${'VERSION'}`;
const FILES = ['FILES'];
const SHELL = '/till';

/** Keeps the shell: the page and the files it is made of. No answer about money is ever kept. */
self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll([SHELL, ...FILES]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  const isOld = (name) => name.startsWith('florin-till-') && name !== CACHE;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (request.mode === 'navigate' && url.pathname === SHELL) event.respondWith(shellOf(request, url));
  else if (FILES.includes(url.pathname)) event.respondWith(fileOf(request));
});

/** The newest there is; without a connection, the one that was kept, in this language if it was opened before. */
async function shellOf(request, url) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(url.pathname + url.search, answer.clone());
    return answer;
  } catch (error) {
    const kept = (await cache.match(url.pathname + url.search)) ?? (await cache.match(SHELL));
    if (!kept) throw error;
    return kept;
  }
}

async function fileOf(request) {
  return (await caches.match(request, { cacheName: CACHE })) ?? fetch(request);
}
