import { expect, test } from 'vitest';
import { rank, type SearchEntry } from './search.ts';

const entry = (heading: string, text = '', page = 'Page'): SearchEntry => ({
  url: heading,
  page,
  heading,
  text,
});
const found = (entries: SearchEntry[], query: string) =>
  rank(entries, query, 10).map(({ entry }) => entry.heading);

test('a whole word in a heading comes before its beginning, and that before words of the text', () => {
  const entries = [entry('Other', 'all about keys'), entry('Keyboards'), entry('Key'), entry('Monkeys')];
  expect(found(entries, 'key')).toEqual(['Key', 'Keyboards', 'Monkeys', 'Other']);
});

test('every word must be there, in any letter case, and names in capitals are several words', () => {
  const entries = [entry('Errors', 'INSUFFICIENT_SCOPE 403'), entry('Scopes', 'of keys')];
  expect(found(entries, 'Insufficient scope')).toEqual(['Errors']);
  expect(found(entries, 'scope 404')).toEqual([]);
  expect(found(entries, ' .,! ')).toEqual([]);
});

test('the excerpt begins and ends with whole words around the match', () => {
  const text = `${'before '.repeat(30)}the needle is here ${'after '.repeat(30)}`.trim();
  const [finding] = rank([entry('A', text)], 'needle', 1);
  expect(finding).toMatchObject({ match: 'needle', before: expect.stringMatching(/^… before .*the $/) });
  expect(finding!.after).toMatch(/after …$/);
  expect(rank([entry('Needle', 'short')], 'needle', 1)[0]).toMatchObject({
    before: 'short',
    match: '',
    after: '',
  });
});

test('a page stands before its own sections, and no more come than were asked for', () => {
  const entries = [
    entry('Webhooks', '', 'Events'),
    entry('Webhooks', '', 'Webhooks'),
    entry('Webhooks', '', 'SDK'),
  ];
  expect(rank(entries, 'webhooks', 2).map(({ entry }) => entry.page)).toEqual(['Webhooks', 'Events']);
});
