import { onContent, refresh } from './refresh.js';

/** `data-again-ms="…"`: the page reloads after that time. */
export function lookAgain() {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  onContent(() => {
    clearTimeout(timer);
    const shown = document.querySelector('[data-again-ms]');
    if (shown instanceof HTMLElement) timer = setTimeout(refresh, Number(shown.dataset.againMs));
  });
}
