import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { cleanUp } from '../support/clean-up.ts';

/** Parts of an assistant's client that tests need, whichever library it is. */
export interface Assistant {
  listTools(): Promise<{ tools: { name: string; annotations?: object | undefined }[] }>;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<any>;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

export const REVISIONS = {
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  '2025-11-25': {},
} as const;

const INFO = { name: 'Interop Desktop', version: '9.1' };
const BIN = join(import.meta.dirname, '../../bin/florin.js');

/** Every client there is to a server: unmodified, over HTTP and over the command line's stdio. */
export const CLIENTS: Record<string, (url: string, key: string) => Promise<Assistant>> = {
  'client 2.4.0, revision 2026-07-28, over HTTP': (url, key) => overHttp(url, key, '2026-07-28'),
  'client 2.4.0, revision 2025-11-25, over HTTP': (url, key) => overHttp(url, key, '2025-11-25'),
  'client 2.4.0, revision 2026-07-28, over stdio': (url, key) => overStdio(url, key, '2026-07-28'),
  'client 2.4.0, revision 2025-11-25, over stdio': (url, key) => overStdio(url, key, '2025-11-25'),
  async 'SDK 1.32.2, over HTTP'(url, key) {
    const client = new OldClient(INFO);
    await client.connect(new OldHttp(new URL(`${url}/mcp`), { requestInit: bearer(key) }) as never);
    return closing(client);
  },
  async 'SDK 1.32.2, over stdio'(url, key) {
    const client = new OldClient(INFO);
    await client.connect(new OldStdio(command(url, key)));
    return closing(client);
  },
};

export async function overHttp(
  url: string,
  key: string,
  revision: keyof typeof REVISIONS = '2026-07-28',
): Promise<Assistant> {
  const client = new Client(INFO, REVISIONS[revision]);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: bearer(key) }),
  );
  return closing(client);
}

async function overStdio(url: string, key: string, revision: keyof typeof REVISIONS): Promise<Assistant> {
  const client = new Client(INFO, REVISIONS[revision]);
  await client.connect(new StdioClientTransport(command(url, key)));
  return closing(client);
}

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

function command(url: string, key: string) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, XDG_CONFIG_HOME: '/nowhere', FLORIN_URL: url, FLORIN_API_KEY: key };
  return { command: process.execPath, args: [BIN, 'mcp'], env, stderr: 'inherit' as const };
}

function closing(client: Assistant): Assistant {
  cleanUp(() => client.close());
  return client;
}

/** The data of a tool's answer; an error is thrown with its text. */
export async function use(
  assistant: Assistant,
  name: string,
  args: Record<string, unknown> = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
): Promise<any> {
  const result = await assistant.callTool({ name, arguments: args });
  if (result.isError) throw new Error(result.content[0].text);
  return result.structuredContent.data ?? result.structuredContent;
}

/** The answer of a tool that refuses. */
export async function refused(
  assistant: Assistant,
  name: string,
  args: Record<string, unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
): Promise<any> {
  const result = await assistant.callTool({ name, arguments: args });
  if (!result.isError) throw new Error(`not refused: ${result.content[0].text}`);
  return result.structuredContent;
}
