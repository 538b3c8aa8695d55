import { onContent, refresh } from './refresh.js';
import { timeLeft } from './time-left.js';

/** `<time data-until="…" data-now="…">`: counts down by the server's clock, and looks again when it is over. */
export function countDown() {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  onContent(() => {
    clearInterval(timer);
    const shown = document.querySelector('[data-until]');
    if (!(shown instanceof HTMLElement)) return;
    const { until = '', now = '' } = shown.dataset;
    const endsMs = performance.now() + Date.parse(until) - Date.parse(now);
    const show = () => {
      const leftMs = endsMs - performance.now();
      shown.textContent = timeLeft(Math.max(0, Math.ceil(leftMs / 1_000)), document.documentElement.lang);
      if (leftMs > 0) return;
      clearInterval(timer);
      setTimeout(refresh, 1_000);
    };
    timer = setInterval(show, 1_000);
    show();
  });
}
