import { ENTRIES } from './contents.ts';

/** Where a link leads once the page is served: pages lose their ending, and what is not served is not a link. */
export function addressOf(href: string): string | undefined {
  if (href.startsWith('#') || href === '../openapi.json') return href;
  const [, name, anchor = ''] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? [];
  return ENTRIES.some((entry) => entry.name === name) ? `${name}${anchor}` : undefined;
}
