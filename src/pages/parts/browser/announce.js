/**
 * Speaks to screen readers; a repeated text is spoken once.
 * @param {string} text
 */
export function announce(text) {
  const announcer = document.getElementById('announcer');
  if (announcer && text && announcer.textContent !== text) announcer.textContent = text;
}
