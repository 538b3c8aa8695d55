import type { App } from '../../platform/http/route.ts';

export interface Discovery {
  version: string;
  publicUrl(): string;
}

/** The newest revision, and the last one of those before it. */
const REVISIONS = ['2026-07-28', '2025-11-25'];
const CARD_TYPE = 'application/mcp-server-card+json';

/**
 * Routes at which programs look for an MCP server before they connect (SEP-2127): a catalog at a well-known address,
 * and the card it points to. Both are public and say nothing about any merchant.
 */
export function discoveryRoutes(app: App, { version, publicUrl }: Discovery): void {
  const serve = (path: string, type: string, make: () => object) =>
    app.get(path, (_request, reply) =>
      reply.headers({ ...HEADERS, 'Content-Type': type }).send(JSON.stringify(make())),
    );
  serve('/mcp/server-card', CARD_TYPE, () => serverCard(publicUrl(), version));
  serve('/.well-known/ai-catalog.json', 'application/ai-catalog+json', () => catalog(publicUrl(), '1.0'));
  serve('/.well-known/mcp/catalog.json', 'application/json', () => catalog(publicUrl(), 'draft'));
}

const HEADERS = {
  'Cache-Control': 'public, max-age=3600',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET',
  'Access-Control-Allow-Headers': 'Content-Type',
  'X-Content-Type-Options': 'nosniff',
};

function serverCard(publicUrl: string, version: string): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v2/server-card.schema.json',
    name: `${reversed(publicUrl)}/florin`,
    title: 'Florin',
    version,
    description: 'Run a shop’s payments and billing: USDC on Solana into the merchant’s own wallet.',
    websiteUrl: `${publicUrl}/docs/connect-your-assistant`,
    icons: [{ src: `${publicUrl}/icon.svg`, mimeType: 'image/svg+xml' }],
    remotes: [
      {
        type: 'streamable-http',
        url: `${publicUrl}/mcp`,
        supportedProtocolVersions: REVISIONS,
        headers: [
          {
            name: 'Authorization',
            value: 'Bearer {apiKey}',
            isRequired: true,
            isSecret: true,
            variables: { apiKey: { description: 'A merchant’s API key', isRequired: true, isSecret: true } },
          },
        ],
      },
    ],
  };
}

function catalog(publicUrl: string, specVersion: string): object {
  return {
    specVersion,
    entries: [
      {
        identifier: `urn:air:${new URL(publicUrl).hostname}:florin`,
        displayName: 'Florin',
        type: CARD_TYPE,
        url: `${publicUrl}/mcp/server-card`,
      },
    ],
  };
}

/** `pay.example.com` → `com.example.pay`. */
function reversed(publicUrl: string): string {
  return new URL(publicUrl).hostname
    .replace(/[[\]:]+/g, '-')
    .split('.')
    .reverse()
    .join('.');
}
