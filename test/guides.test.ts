import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { cleanUp } from './support/clean-up.ts';
import { newDataFolder } from './support/data-folder.ts';
import { requireTool } from './support/debian.ts';
import { stepsOf, tryGuide } from './support/guide.ts';
import { freePort, type Running, startProcess, temporaryFolder } from './support/process.ts';

const docs = new URL('../docs/', import.meta.url);
const textOf = (page: string) => readFileSync(new URL(page, docs), 'utf8');

/** The pages that ask their reader to put in an API key and to follow. */
const guides = readdirSync(docs).filter((name) => name.endsWith('.md') && textOf(name).includes('fl_dev_…'));

beforeAll(() => requireTool('curl'));

/** A guide starts dozens of processes, one after the other: on a busy machine that takes a while. */
const GIVE_UP_MS = 600_000;

/** All guides are followed with one service, each twice: what others, and the first time, left there is in nobody's way. */
let service: Running;

beforeAll(async () => {
  // Payments are final at once, or nearly: a reader has the time to wait for them.
  const FAST = { SANDBOX_SLOT_MS: '10', WATCH_FINALITY_MS: '20' };
  service = await startProcess({ FLORIN_DATA: await newDataFolder(), ...FAST });
  cleanUp(() => service.end('SIGTERM'));
});

test.each(guides)(
  'docs/%s: every command works and prints what the guide says, also the second time',
  async (name) => {
    const steps = stepsOf(await filledIn(textOf(name)));
    expect(await follow(steps)).toBeUndefined();
    expect(await follow(steps)).toBeUndefined();
  },
  GIVE_UP_MS,
);

test('no guide waits forever', () => {
  const endless = guides.filter((name) => /\b(until|while)\b.*\bdo\b/.test(commandsOf(name)));
  expect(endless).toEqual([]);
});

/** Features of Node 19 or later that a small program for a guide could use. */
const NEWER_THAN_NODE_18 =
  /\bfromAsync\b|\btoArray\(|\bwithResolvers\b|\bgroupBy\(|\.toSorted\(|\.toReversed\(|import\.meta\.(dirname|filename)|loadEnvFile|getSetCookie/;

test('programs in guides run on Node 18, as the guides say', () => {
  const pages = [...guides, 'webhooks.md'];
  const tooNew = pages.filter((name) => NEWER_THAN_NODE_18.test(commandsOf(name)));
  expect(tooNew).toEqual([]);
});

/** Commands and programs of a page, without the text between them. */
function commandsOf(page: string): string {
  return [...textOf(page).matchAll(/^```(?:sh|js)\n([\s\S]*?)^```$/gm)].map(([, text]) => text).join('\n');
}

test('these guides are followed, and the receiver in one verifies as docs/webhooks.md says', () => {
  expect(guides).toEqual([
    'accept-a-payment.md',
    'accounting.md',
    'cli.md',
    'connect-your-assistant.md',
    'credits-and-usage.md',
    'customer-erasure.md',
    'discounts.md',
    'embedded-checkout.md',
    'expand.md',
    'idempotency.md',
    'invoices.md',
    'line-items.md',
    'metadata.md',
    'network-fees.md',
    'notifications.md',
    'payment-links.md',
    'quickstart.md',
    'refunds.md',
    'scopes.md',
    'subscriptions.md',
    'tax.md',
    'trials.md',
    'x402.md',
  ]);
  const verify = /export (function verify\([\s\S]*?\n}\n)/.exec(textOf('webhooks.md'))![1]!;
  expect(textOf('accept-a-payment.md')).toContain(verify);
});

/** Command by which a reader starts the service, which is started here already. */
const START = '```sh\nnpm ci && npm start\n```\n';

/** The guide with the values of the first start filled in. */
async function filledIn(guide: string): Promise<string> {
  return guide
    .replace(START, '')
    .replaceAll('http://127.0.0.1:4020', service.url)
    .replaceAll('fl_dev_…', service.apiKey!)
    .replaceAll('whsec_…', /whsec_\w+/.exec(service.output())![0])
    .replaceAll('8787', String(await freePort()));
}

async function follow(steps: ReturnType<typeof stepsOf>): Promise<string | undefined> {
  return tryGuide(steps, await temporaryFolder(cleanUp));
}

describe('a guide that is wrong is found out', () => {
  const sh = (commands: string) => `\`\`\`sh\n${commands}\n\`\`\`\n`;
  const json = (text: string) => `\`\`\`json\n${text}\n\`\`\`\n`;
  const verdict = (guide: string) => follow(stepsOf(guide));
  const answer = sh(`A='{"id":"x1","list":[1,2],"inner":{"b":null}}'\necho '{}'; echo "$A"`);

  test('what is abridged or left open is fine, and variables last', async () => {
    expect(await verdict(answer + json('{"id":"x…","inner":{"b":null}}'))).toBeUndefined();
    expect(await verdict(`${answer + sh('echo "$A"')}\`\`\`text\n{…}\n\`\`\`\n`)).toBeUndefined();
  });

  test.each([
    ['another value', '{"id":"x2"}', 'the answer.id is "x1", not "x2"'],
    ['a field that is not there', '{"more":"…"}', 'the answer.more is undefined'],
    ['another number of items', '{"list":[1]}', 'has 2 items, not 1'],
    ['another type', '{"inner":[]}', 'the answer.inner is {"b":null}'],
    ['null for a value', '{"id":null}', 'the answer.id is "x1", not null'],
  ])('%s', async (_, promised, problem) => {
    expect(await verdict(answer + json(promised))).toContain(problem);
  });

  test('a line that is not the one, or one line more', async () => {
    const text = (lines: string) => `${sh('echo one; echo two')}\`\`\`text\n${lines}\n\`\`\`\n`;
    expect(await verdict(text('one\n…'))).toBeUndefined();
    expect(await verdict(text('o…e\ntwo'))).toBeUndefined();
    expect(await verdict(text('o…'))).toContain('promised');
    expect(await verdict(text('one\nt.o'))).toContain('promised');
  });

  test('a command that fails, and one that was to be refused and was not', async () => {
    expect(await verdict(`intro\n${sh('echo fine')}${sh('false\necho after')}`)).toContain('line 5');
    expect(await verdict(sh('curl -sS http://127.0.0.1:1/'))).toContain('failed with 7');
    const refusal = json('{"error":{"code":"X"}}');
    expect(await verdict(sh(`echo '{"error":{"code":"X"}}'; false`) + refusal)).toBeUndefined();
    expect(await verdict(sh(`echo '{"error":{"code":"X"}}'`) + refusal)).toContain('was to be refused');
  });

  test('a process that is left behind', async () => {
    expect(await verdict(sh('sleep 1000 >/dev/null 2>&1 &\nkill $!'))).toBeUndefined();
    expect(await verdict(sh('sleep 1000 >/dev/null 2>&1 &'))).toContain('still runs');
  }, 60_000);

  test('a block that nothing checks', () => {
    expect(() => stepsOf(json('{}'))).toThrow('line 1');
    expect(() => stepsOf(sh('true') + json('{}') + json('{}'))).toThrow('line 7');
    expect(() => stepsOf(`${sh('true')}\`\`\`js\n1\n\`\`\`\n`)).toThrow('"js"');
  });
});
