// The page is whole without this. It adds: the address in the examples, copy buttons, the filter of the
// contents, and the mark on the section being read.

const contents = document.getElementById('contents');
const links = [...contents.querySelectorAll('a')];

for (const place of document.querySelectorAll('[data-origin]')) {
  // Behind a proxy the page may live below a path, and so does the API.
  place.textContent = location.origin + location.pathname.replace(/\/docs\/?$/, '');
}

function addCopyButton(figure) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not allowed';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  figure.querySelector('figcaption').append(button);
}

// Browsers offer the clipboard to secure pages only; a button that cannot work is not shown.
if (navigator.clipboard) document.querySelectorAll('figure.code').forEach(addCopyButton);

const filter = contents.querySelector('.filter');
const input = filter.querySelector('input');
const nothing = contents.querySelector('.filter-empty');
filter.hidden = false;

input.addEventListener('input', () => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const group of contents.querySelectorAll('section')) {
    const title = group.querySelector('p').textContent;
    let shown = 0;
    for (const item of group.querySelectorAll('li')) {
      const { textContent, hash } = item.querySelector('a');
      const text = `${title} ${textContent} ${hash}`.toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
      if (!item.hidden) shown++;
    }
    group.hidden = shown === 0;
  }
  nothing.hidden = links.some((link) => !link.closest('li').hidden);
});

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  if (input.offsetParent === null) return;
  event.preventDefault();
  input.focus();
});

contents.addEventListener('click', (event) => {
  if (event.target.closest('a') && contents.matches(':popover-open')) contents.hidePopover();
});

const linkOf = new Map(links.map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
const sections = [...linkOf.keys()].map((id) => document.getElementById(id)).filter(Boolean);
let marked;

/** The last section whose top has passed the upper part of the window is the one being read. */
function mark() {
  const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
  const passed = sections.filter((section) => section.getBoundingClientRect().top < innerHeight / 4);
  const link = linkOf.get((atEnd ? sections.at(-1) : (passed.at(-1) ?? sections[0]))?.id);
  if (link === marked) return;
  marked?.removeAttribute('aria-current');
  link?.setAttribute('aria-current', 'location');
  marked = link;
  // scrollIntoView would move the page as well.
  const top = link ? link.offsetTop - contents.clientHeight / 2 : 0;
  if (getComputedStyle(contents).position === 'sticky') contents.scrollTo({ top });
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
