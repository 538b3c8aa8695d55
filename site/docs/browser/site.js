// Every page is whole without this. It adds: the address in the examples, copy buttons, old addresses of the
// reference, and the mark on what is being read.

/** Base URL of the API: beside /docs, which a proxy may have put below a path of its own. */
export const base = location.origin + location.pathname.replace(/\/docs(\/.*)?$/, '');

/** The address that the pages in docs/ were written with. */
const WRITTEN = 'http://127.0.0.1:4020';

for (const place of document.querySelectorAll('[data-origin]')) place.textContent = base;

for (const code of document.querySelectorAll('figure.code code')) {
  if (!code.textContent?.includes(WRITTEN)) continue;
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode } = walker;
    currentNode.textContent = currentNode.textContent?.replaceAll(WRITTEN, base) ?? '';
  }
}

/** @param {Element} figure */
function addCopyButton(figure) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(figure.querySelector('code')?.textContent ?? '');
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not allowed';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  figure.querySelector('figcaption')?.append(button);
}

// Browsers offer the clipboard to secure pages only; a button that cannot work is not shown.
if (navigator.clipboard) document.querySelectorAll('figure.code').forEach(addCopyButton);

// The reference was at /docs itself once: what was linked there is found where it is now.
const isHome = document.body.dataset.docs === 'docs/';
if (
  isHome &&
  location.hash.length > 1 &&
  !document.getElementById(decodeURIComponent(location.hash.slice(1)))
) {
  location.replace(`docs/reference${location.hash}`);
}

const contents = /** @type {HTMLElement} */ (document.getElementById('site-contents'));
contents.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('a') && contents.matches(':popover-open'))
    contents.hidePopover();
});

/**
 * Marks the link to the section being read: the last whose top has passed the upper part of the window.
 *
 * @param {HTMLElement} list
 */
export function markReading(list) {
  const links = [...list.querySelectorAll('a')].filter(({ hash }) => hash.length > 1);
  const linkOf = new Map(links.map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
  const sections = [...linkOf.keys()].flatMap((id) => document.getElementById(id) ?? []);
  /** @type {HTMLAnchorElement | undefined} */
  let marked;

  function mark() {
    const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const passed = sections.filter((section) => section.getBoundingClientRect().top < innerHeight / 4);
    const link = linkOf.get((atEnd ? sections.at(-1) : (passed.at(-1) ?? sections[0]))?.id ?? '');
    if (link === marked) return;
    marked?.removeAttribute('aria-current');
    link?.setAttribute('aria-current', 'location');
    marked = link;
    // scrollIntoView would move the page as well.
    const top = link ? link.offsetTop - list.clientHeight / 2 : 0;
    if (getComputedStyle(list).position === 'sticky') list.scrollTo({ top });
  }

  let isAsked = false;
  function markSoon() {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      mark();
    });
  }

  addEventListener('scroll', markSoon, { passive: true });
  addEventListener('resize', markSoon);
  mark();
}

const onPage = /** @type {HTMLElement | null} */ (document.querySelector('.toc nav'));
if (onPage) markReading(onPage);

const here = /** @type {HTMLElement | null} */ (contents.querySelector('[aria-current="page"]'));
if (here) contents.scrollTo({ top: here.offsetTop - contents.clientHeight / 2 });
