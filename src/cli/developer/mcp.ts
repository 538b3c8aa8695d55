import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { reasonOf } from './client.ts';
import { type ConnectionOptions, findConnection } from './connection.ts';
import { runCommand } from './explain.ts';
import { type Io, Refusal } from './io.ts';
import { connectionOptions } from './options.ts';

/** Moving the sandbox's clock by a year runs a year of renewals. */
const TIMEOUT_MS = 600_000;

/** MCP over stdio, for assistants that start a program instead of calling a URL. */
export function mcpCommand(florin: Command, io: Io): void {
  const command = florin
    .command('mcp')
    .description('connect an AI assistant over stdio: the tools of the server’s /mcp')
    .addHelpText('after', '\nExample, in an assistant’s settings:\n  command: npx, arguments: florin mcp');
  connectionOptions(command).action((options: ConnectionOptions) =>
    runCommand(io, false, () => bridge(io, options)),
  );
}

/** Session id and protocol version of the server's first answer: later requests repeat them for clients that do not. */
interface Session {
  headers: Record<string, string>;
}

/**
 * Hands each line to the server and each answer back, as they are: no digit of an amount is read on the way. Ends when
 * the assistant closes its end and everything is answered.
 */
async function bridge(io: Io, options: ConnectionOptions): Promise<void> {
  const { url, apiKey } = findConnection(io, options);
  if (!apiKey)
    throw new Refusal('you are not logged in', 'Run florin login, or set FLORIN_API_KEY and FLORIN_URL.');
  const session: Session = { headers: {} };
  const pending = new Set<Promise<void>>();
  let connecting = Promise.resolve();
  for await (const line of createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const message = readMessage(line);
    await connecting;
    const answered = exchange({ url, apiKey, session, line, message })
      .then((answers) => void io.stdout.write(answers.map((answer) => `${answer}\n`).join('')))
      .finally(() => pending.delete(answered));
    pending.add(answered);
    if (message.method === 'initialize') connecting = answered;
  }
  await Promise.all(pending);
}

interface Message {
  id?: unknown;
  method?: unknown;
  params?: { name?: unknown; _meta?: Record<string, unknown> };
}

function readMessage(line: string): Message {
  try {
    return (JSON.parse(line) as Message | null) ?? {};
  } catch {
    // The server says what is wrong with it.
    return {};
  }
}

interface Exchange {
  url: string;
  apiKey: string;
  session: Session;
  line: string;
  message: Message;
}

/** The answers to one line: one, or none to a notification. */
async function exchange({ url, apiKey, session, line, message }: Exchange): Promise<string[]> {
  try {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      redirect: 'manual',
      body: line,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...session.headers,
        ...headersOf(message),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answers = answersIn(await response.text());
    if (message.method === 'initialize') rememberSession(session, response, answers);
    if (answers.length > 0) return answers.map((answer) => withId(answer, message));
    return response.ok ? [] : noAnswer(message, `${url} is not Florin: it answers ${response.status}.`);
  } catch (error) {
    return noAnswer(message, `${url} does not answer: ${reasonOf(error)}`);
  }
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** Since 2026-07-28 a request repeats in its headers what it is about. */
function headersOf({ method, params }: Message): Record<string, string> {
  const version = params?._meta?.[VERSION];
  if (typeof version !== 'string' || typeof method !== 'string') return {};
  const { name } = params!;
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': headerValue(name) }),
  };
}

/** Encodes a text that a header cannot carry, as the protocol defines it. */
function headerValue(text: string): string {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** JSON, or a stream of events of which each has one message. */
function answersIn(text: string): string[] {
  if (text === '' || text.startsWith('{')) return text === '' ? [] : [text];
  return [...text.matchAll(/^data: ?(.+)$/gm)].map((match) => match[1]!.trim()).filter((data) => data !== '');
}

function rememberSession(session: Session, response: Response, [answer]: string[]): void {
  const id = response.headers.get('mcp-session-id');
  const { result } = readMessage(answer ?? '{}') as { result?: { protocolVersion?: string } };
  if (id) session.headers['mcp-session-id'] = id;
  if (result?.protocolVersion) session.headers['mcp-protocol-version'] = result.protocolVersion;
}

/** An error about HTTP names no request; over stdio the client waits for an answer with its id. */
function withId(answer: string, { id }: Message): string {
  const read = readMessage(answer) as { id?: unknown; error?: unknown };
  return read.id === null && read.error !== undefined && id !== undefined
    ? JSON.stringify({ ...read, id })
    : answer;
}

function noAnswer({ id }: Message, message: string): string[] {
  return id === undefined ? [] : [JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message } })];
}
