import { methodsOf } from '../../sdk/generate/methods.ts';
import type { OpenApi } from '../../sdk/generate/openapi.ts';
import { errorCodes, statusOf, textOf } from '../../src/lib/errors.ts';

/** The pages of docs/ that hold a table of the code's own words, each with how it reads now. */
export const docTables: Record<string, (page: string, document: OpenApi) => string> = {
  'docs/webhooks.md': (page, { webhooks }) =>
    withTable(page, 'events', [
      ['event', 'sent when'],
      ['---', '---'],
      ...Object.entries(webhooks).map(([event, { post }]) => [`\`${event}\``, post.summary]),
    ]),
  'docs/errors.md': (page) =>
    withTable(page, 'errors', [
      ['code', 'status', 'text'],
      ['---', '---', '---'],
      ...errorCodes.map((code) => [`\`${code}\``, `${statusOf(code)}`, textOf(code)]),
    ]),
  'docs/sdk.md': (page, document) =>
    withTable(page, 'methods', [
      ['resource', 'methods'],
      ['---', '---'],
      ...[...Map.groupBy(methodsOf(document), ({ resource }) => resource)].map(([resource, methods]) => [
        `\`florin.${resource}\``,
        methods.map(({ name }) => `\`${name}\``).join(', '),
      ]),
    ]),
};

/** The page with the table between its two marks written anew. */
function withTable(page: string, name: string, rows: string[][]): string {
  const marks = new RegExp(`(<!-- ${name}: [^\\n]*-->\\n)[^]*?(<!-- end -->)`);
  if (!marks.test(page)) throw new Error(`the page has no place for the table of ${name}`);
  const table = rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  return page.replace(marks, (_, begin: string, end: string) => `${begin}\n${table}\n${end}`);
}
