import { type Entry, GROUPS } from './contents.ts';

const SUMMARY =
  'Self-hosted, non-custodial payments and billing: USDC on Solana straight into the merchant’s own wallet.';

/** The documentation for programs that read: what there is and where, after the convention of llms.txt. */
export function llmsText(publicUrl: string): string {
  const groups = GROUPS.map(
    ({ title, entries }) =>
      `## ${title}\n\n${entries.map(({ name, title, about }) => `- [${title}](${publicUrl}/docs/${name}.md): ${about}`).join('\n')}\n`,
  );
  return `# Florin

> ${SUMMARY}

Amounts are integer cents (int64). Every request carries an API key as "Authorization: Bearer <key>". Every error is
{"error": {"code", "message", "traceId"}}. All pages below are also in one file: ${publicUrl}/llms-full.txt

${groups.join('\n')}
## For assistants

- [MCP server](${publicUrl}/mcp): Tools to run a shop, by streamable HTTP with the API key as bearer token. How to connect: ${publicUrl}/docs/connect-your-assistant.md
- [Server card](${publicUrl}/mcp/server-card): The same for programs that discover MCP servers; ${publicUrl}/.well-known/ai-catalog.json points to it.

## Reference

- [openapi.json](${publicUrl}/openapi.json): Every operation, webhook and schema, as OpenAPI 3.1.
- [sdk.tgz](${publicUrl}/sdk.tgz): The TypeScript client as a package: npm install ${publicUrl}/sdk.tgz
`;
}

/** Every page, one after the other, each under its own address. */
export function llmsFullText(
  pages: readonly { entry: Entry; source(): string }[],
  publicUrl: string,
): string {
  const parts = pages.map(
    ({ entry, source }) => `<!-- ${publicUrl}/docs/${entry.name}.md -->\n\n${source().trim()}\n`,
  );
  return `${llmsText(publicUrl)}\n${parts.join('\n\n')}`;
}
