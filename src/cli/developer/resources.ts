import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { stringifyJson } from '../../platform/lib/json.ts';
import type { Answer } from './client.ts';
import { connect } from './connection.ts';
import { runCommand } from './explain.ts';
import { readNamed, writeNamed } from './files.ts';
import { type Given, readRequest } from './flag-values.ts';
import { type Io, painter, say, UsageError } from './io.ts';
import { type Field, listOperations, type Operation, typesOf } from './operations.ts';
import { connectionOptions } from './options.ts';
import { show } from './show.ts';

/** Addition to a command that is made from the document. */
export type Extension = (command: Command, usual: (given: Given) => Promise<void>) => void;

/** One command for each operation of the API: `florin customers create`. */
export function resourceCommands(florin: Command, io: Io, extensions: Record<string, Extension>): void {
  const resources = Map.groupBy(listOperations(), ({ resource }) => resource);
  for (const [resource, operations] of resources) {
    const names = operations.map(({ name }) => name).join(', ');
    const parent = florin.command(resource).description(names).helpGroup('Resources of the API:');
    if (EARLIER[resource]) parent.alias(EARLIER[resource]);
    for (const operation of operations) {
      const command = parent
        .command(operation.name, { isDefault: operations.length === 1 })
        .aliases(EARLIER[`${resource} ${operation.name}`] ? [EARLIER[`${resource} ${operation.name}`]!] : [])
        .summary(operation.summary)
        .description(`${operation.summary}.\n${operation.description}`.trim());
      describe(command, operation);
      const run = (params: string[], given: Given) =>
        runCommand(io, Boolean(given.json), () => perform(io, operation, params, given));
      command.action(async (...given: unknown[]) => {
        const params = given.slice(0, operation.params.length) as string[];
        await run(params, command.opts());
      });
      extensions[operation.id]?.(command, (options) => perform(io, operation, [], options));
    }
  }
}

/** Names that the documentation used before; they keep working. */
const EARLIER: Record<string, string> = {
  intents: 'payment-intents',
  'merchant retrieve-payout-address': 'payout-address',
};

/** Positional ids, a flag for each field, and how it is called. */
function describe(command: Command, operation: Operation): void {
  for (const { name, description } of operation.params) command.argument(`<${name}>`, description);
  for (const field of operation.fields) command.addOption(flagFor(field, operation.method));
  if (operation.hasBody) {
    const only = operation.nested.map(({ name }) => name).join(', ');
    const text = only ? `; the only way to set ${only}` : '';
    command.option('--data <json>', `the whole body as JSON, @file, or - for stdin${text}`);
  }
  if (operation.isUpload) command.option('--file <path>', 'what to send; - is stdin (required)');
  if (operation.takesIdempotencyKey)
    command.option(
      '--idempotency-key <key>',
      'repeating the same key returns the same response and has no further effect',
    );
  if (operation.types.includes('text/csv') && operation.types.includes('application/json'))
    command.option('--csv', 'everything that matches, as CSV');
  if (isFile(operation)) command.option('--output <file>', 'where to write it; - is stdout');
  connectionOptions(command);
  command.addHelpText('after', `\nExample:\n  $ ${exampleOf(operation)}`);
}

const isFile = ({ types }: Operation) => types.includes('application/pdf');

function flagFor({ flag, schema, isRequired }: Field, method: string): Option {
  const choices = schema.items?.enum ?? schema.enum;
  const text = [
    schema.description ?? '',
    schema.items ? 'Several are separated by commas.' : '',
    method === 'PATCH' && typesOf(schema).includes('null') ? 'null clears it.' : '',
    isRequired ? '(required)' : '',
    schema.items && choices ? `(${choices.join(', ')})` : '',
  ];
  const option = new Option(`--${flag} <${kindOf(schema)}>`, text.filter(Boolean).join(' '));
  // Only documented here: bad input is found when the request is parsed, with the exit code of every other misuse.
  if (choices && !schema.items) option.argChoices = choices;
  return option;
}

function kindOf(schema: Field['schema']): string {
  const types = typesOf(schema);
  if (types.includes('boolean')) return 'true|false';
  if (types.includes('integer')) return 'n';
  if (types.includes('array')) return 'list';
  if (schema.enum) return 'choice';
  const names = { uuid: 'id', 'date-time': 'time', 'day-or-time': 'day', email: 'email', uri: 'url' };
  return names[(schema.format ?? '') as keyof typeof names] ?? 'text';
}

function exampleOf({ resource, name, params, fields, example, isUpload }: Operation): string {
  const flags = fields
    .filter((field) => field.isRequired || (field.place === 'body' && example?.[field.name] !== undefined))
    .map(({ flag, name: field, schema }) => {
      const value = String(example?.[field] ?? schema.enum?.[0] ?? `<${kindOf(schema)}>`);
      return ` --${flag} ${/^[\w.:/@<>-]+$/.test(value) ? value : `'${value}'`}`;
    });
  const upload = isUpload ? ' --file logo.png' : '';
  return `florin ${resource} ${name}${params.map((param) => ` <${param.name}>`).join('')}${flags.join('')}${upload}`;
}

/** Asks, and shows the answer. */
async function perform(io: Io, operation: Operation, params: string[], given: Given): Promise<void> {
  const { query, body } = readRequest(operation, given, () => readFileSync(0, 'utf8'));
  if (isFile(operation) && given.output === undefined && io.stdout.isTTY)
    throw new UsageError(
      'this is a binary file, not text for a terminal',
      'Choose where to write it with --output <file>.',
    );
  const file = operation.isUpload ? readUpload(given) : undefined;
  const path = operation.path.replace(/\{[^}]+\}/g, () => encodeURIComponent(params.shift() ?? ''));
  const answer = await connect(io, given).ask({
    method: operation.method,
    path,
    query,
    body: file ?? (body === undefined ? undefined : stringifyJson(body)),
    headers: {
      ...(file && { 'content-type': 'application/octet-stream' }),
      ...(given.csv === true && { accept: 'text/csv' }),
      ...(isFile(operation) && { accept: 'application/pdf' }),
      ...(operation.takesIdempotencyKey &&
        given.idempotencyKey !== undefined && { 'idempotency-key': String(given.idempotencyKey) }),
    },
  });
  showAnswer(io, operation, answer, given);
}

/** The service looks at what it is. */
function readUpload({ file }: Given): Buffer<ArrayBuffer> {
  if (typeof file !== 'string') throw new UsageError('--file is missing', 'Choose the file to send.');
  return readNamed('--file', file);
}

function showAnswer(io: Io, operation: Operation, answer: Answer, given: Given): void {
  if (isFile(operation) && given.output !== undefined && given.output !== '-') {
    writeNamed('--output', String(given.output), answer.bytes);
    say(io, `Wrote ${given.output} (${answer.bytes.length} bytes).`);
  } else if (isFile(operation) || given.csv || (answer.body === undefined && answer.status !== 204)) {
    io.stdout.write(answer.bytes);
  } else if (given.json) {
    if (answer.status !== 204) say(io, answer.text);
  } else if (answer.status === 204) {
    say(io, `${painter(io, io.stdout)('green', 'Done.')}`);
  } else {
    const isRead = operation.method === 'GET';
    const cursorFlag = given.after === undefined ? 'cursor' : 'after';
    show(io, isRead ? withoutSecrets(answer.body) : answer.body, cursorFlag);
  }
}

/** Hides secrets in bodies that were only read; --json has them. A new secret is shown. */
function withoutSecrets(body: Record<string, unknown>): Record<string, unknown> {
  if (body === null || Array.isArray(body) || typeof body.webhookSecret !== 'string') return body;
  return { ...body, webhookSecret: 'whsec_… (shown with --json)' };
}
