// The reference is whole without this. It adds the filter of its contents, and the mark on the section being read.

import { markReading } from './site.js';

const contents = /** @type {HTMLElement} */ (document.getElementById('site-contents'));
const filter = /** @type {HTMLElement} */ (contents.querySelector('.filter'));
const input = /** @type {HTMLInputElement} */ (filter.querySelector('input'));
const nothing = /** @type {HTMLElement} */ (contents.querySelector('.filter-empty'));
filter.hidden = false;

input.addEventListener('input', () => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  let isAnyShown = false;
  for (const group of contents.querySelectorAll('section')) {
    const title = group.querySelector('p')?.textContent;
    let shown = 0;
    for (const item of group.querySelectorAll('li')) {
      const link = item.querySelector('a');
      const text = `${title} ${link?.textContent} ${link?.hash}`.toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
      if (!item.hidden) shown++;
    }
    group.hidden = shown === 0;
    isAnyShown ||= shown > 0;
  }
  nothing.hidden = isAnyShown;
});

markReading(contents);
