/**
 * Tells those who do not see the page; the same words twice are told once.
 * @param {string} text
 */
export function announce(text) {
  const announcer = document.getElementById('announcer');
  if (announcer && text && announcer.textContent !== text) announcer.textContent = text;
}
