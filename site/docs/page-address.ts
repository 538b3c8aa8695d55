import { ENTRIES } from './contents.ts';

/**
 * Returns the address of a link once the page is served: pages lose their file extension, and a page that is not
 * served gets no link.
 */
export function addressOf(href: string): string | undefined {
  if (href.startsWith('#') || href === '../openapi.json') return href;
  const [, name, anchor = ''] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? [];
  return ENTRIES.some((entry) => entry.name === name) ? `${name}${anchor}` : undefined;
}
