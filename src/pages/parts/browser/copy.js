import { announce } from './announce.js';

const SHOWN_MS = 2_000;

/** `<button data-copy="text" data-copied="Copied">`: hidden until scripts run, because without them it does nothing. */
export function copyButtons() {
  document.addEventListener('click', async (event) => {
    const target = event.target instanceof Element ? event.target : undefined;
    const button = /** @type {HTMLButtonElement | null} */ (target?.closest('button[data-copy]'));
    if (!button) return;
    if (!(await copy(button.dataset.copy ?? ''))) return;
    const label = button.querySelector('[data-label]') ?? button;
    const copied = button.dataset.copied ?? '';
    const before = label.textContent;
    if (before === copied) return;
    label.textContent = copied;
    announce(copied);
    setTimeout(() => {
      label.textContent = before;
    }, SHOWN_MS);
  });
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/**
 * Copies a selection: the clipboard is closed on pages that are not served securely.
 * @param {string} text
 */
function copyBySelection(text) {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}
