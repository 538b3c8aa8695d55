import { useEffect, useState } from 'react';

/** Time after which the requests of the first view are on their way. */
const FIRST_VIEW_MS = 1_000;
const LATEST_MS = 3_000;

const firstMoment = new Promise<void>((resolve) => {
  setTimeout(() => {
    // Safari has no idea of being idle.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: LATEST_MS });
    else resolve();
  }, FIRST_VIEW_MS);
});

/** True from the first idle moment after the first view on: time for what it did without. */
export function useHasBeenIdle(): boolean {
  const [hasBeen, setHasBeen] = useState(false);
  useEffect(() => {
    let isGone = false;
    void firstMoment.then(() => isGone || setHasBeen(true));
    return () => {
      isGone = true;
    };
  }, []);
  return hasBeen;
}

const AGAIN_MS = 5_000;

/** Nobody has asked for it yet, so a moment without network must not put an error in the place of the page. */
export async function untilFetched<Script>(fetch: () => Promise<Script>): Promise<Script> {
  for (;;) {
    await online();
    try {
      return await fetch();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

/** Resolves while the browser has a network. */
export async function online(): Promise<void> {
  if (!navigator.onLine) await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
}
