import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { en } from '../src/email/messages/en.ts';

const root = join(import.meta.dirname, '..');

/** Phrases that documents have given up, each with what to write instead. */
const BANNED: readonly [phrase: RegExp, instead: string][] = [
  [/\bletters? (to|for) (the )?(customers?|owners?)\b/i, 'e-mail'],
  [/\b(is|are|was|were) told\b/i, 'say who gets what: "owners get an e-mail"'],
  [/\btold (of|by)\b/i, '"is reported", "is sent"'],
  [/\bby itself\b/i, 'leave it out, or "automatically"'],
  [/\b(is|are|was|were|be|been|being) asked for\b/i, '"is requested"'],
  [/\bstands?\b(?! (still|out|for|in for)\b)/i, '"is", "comes", "appears"'],
  [/\bwho pays (the )?(network )?fees?\b/i, '"whether fees are sponsored", "fee paid by"'],
  [/\bwhoever\b/i, '"anyone who", or name the person'],
  [/\bfor who\b/i, '"for operators", "for clients that"'],
  [/\bfor ever\b/i, '"forever"'],
  [/\banew\b/i, '"again"'],
  [/\bdearer\b/i, '"more expensive"'],
  [/\bunless said\b/i, '"default"'],
  [/\bin peace\b/i, 'leave it out'],
  [/(?<!`)\bstrays?\b(?!`)/i, '"unapplied"'],
  [/\bleads? on\b/i, '"continues"'],
  [/\bgoes on\b/i, '"continues"'],
  [/\bwants to leave\b/i, '"split it"'],
  [/\bhangs? together\b/i, '"relates"'],
  [/\bsign of life\b/i, '"heartbeat"'],
  [/\btime-outs?\b/i, '"timeout"'],
  [/\breckon(s|ed)?\b/i, '"calculate"'],
  [/\bset-up link\b/i, '"setup link"'],
  [/\bat the door\b/i, '"when signing in"'],
  [/\bis no second (order|click|payment)\b/i, '"creates one"'],
  [/\bput in what\b/i, '"fill in the values"'],
  [/(^|[:;.] |\/\*\* |\/\/ |')who (pays|has|was|signs in|comes)\b/i, 'name the person: "a buyer who pays"'],
  [/\b(is|are|was|were) given up\b/i, '"is dropped", "is forfeited"'],
  [/\bone who (is|was|has|came)\b/i, 'name the person: "a customer who"'],
  [/\bsays? `\w+`: what\b/i, '"`tipCents` is the tip"'],
];

/** Phrases that no text of the program may have either: labels, e-mails, errors, logs, descriptions. */
const BANNED_IN_TEXTS: typeof BANNED = [
  ...BANNED,
  [/\bUSDC (were|are|have|need)\b/, 'an amount is singular: "was", "is"'],
  [/\bby themselves\b/i, '"automatically"'],
  [/\basked for\b/i, '"requested"'],
  [/\bwaits\b/i, '"is waiting", "awaiting"'],
  [/\bin all\b/i, '"total"'],
  [/\btries\b/i, '"attempts"'],
  [/\b(Empty: |May stay empty)/, '"Optional.", "Leave blank for …"'],
  [/\b(any more|for good)\b/i, '"no longer", "permanently"'],
  [/\bat once\b/i, '"immediately"'],
  [/\bas things stand\b/i, '"right now"'],
  [/\bdoes not name\b/i, '"must be the id of"'],
];

/** Words of the API that merchants and shoppers do not know. */
const BANNED_ON_SCREENS: typeof BANNED = [
  ...BANNED_IN_TEXTS,
  [/\b(payment )?intents?\b/i, '"payment"'],
  [/\b(UUID|payoutAddress|paymentIntentId|externalCustomerId)\b/, 'the label of the field'],
  [/\b(buyers?|payers?)\b/i, '"customer"'],
];

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => !file.includes('node_modules'),
);
const documents = files.filter((file) =>
  /^([A-Z]+\.md|(docs|examples|sdk|sandbox-chain|bench)\/.*\.md)$/.test(file),
);
const sources = files.filter(
  (file) => /^(src|site|web\/src)\/.*\.(tsx?|js)$/.test(file) && !/\.test\.|\/(de|es|fr|ar)\.ts$/.test(file),
);
const isScreen = (file: string) =>
  /^web\/src\/|\/messages\/|^src\/(email\/(owner|compose)-email|documents\/layouts\/describe-invoice)\.ts$/.test(
    file,
  );

/** Comments; strings on one line; what is between tags, or between a tag and a value. */
const TOKENS =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\\n])*`|(?<!=)>[^<>{}=;()[\]]*<|\}[^<>{}=;()[\]*/]*</g;

/** The sentences in a program, each on the line where it starts. A single word is a name, not a text. */
function textsOf(source: string): string {
  const lines: string[] = [];
  for (const { 0: token, index } of source.matchAll(TOKENS)) {
    if (/^(\/[/*]|`select )/.test(token) || !/\S\s+\S/.test(token)) continue;
    const line = source.slice(0, index).split('\n').length - 1;
    lines[line] = `${lines[line] ?? ''} ${token.replace(/\$\{[^}]*\}/g, '').replace(/\s+/g, ' ')}`;
  }
  return Array.from(lines, (line) => line ?? '').join('\n');
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The text without its blocks of code, which show what programs print. */
const proseOf = (text: string) =>
  text.replace(/^ *```[\s\S]*?^ *```$/gm, (block) => block.replace(/[^\n]/g, ''));

const code = files.filter(
  (file) => /\.(tsx?|js)$/.test(file) && !/generated\/|^test\/words\.test/.test(file),
);

/** Comments, and what a test says that it shows; every other line is empty. */
function proseInCode(text: string): string {
  const isProse = (line: string) =>
    /^\s*(\/\/|\/\*|\*)/.test(line) || /^\s*(test|describe)(\.each)?\(\s*['`]/.test(line);
  return text
    .split('\n')
    .map((line) => (isProse(line) ? line : ''))
    .join('\n');
}

function objections(file: string, text: string, banned = BANNED): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      banned
        .filter(([phrase]) => phrase.test(line))
        .map(([phrase, instead]) => `${file}:${index + 1}: "${phrase.exec(line)![0]}"; write ${instead}`),
    );
}

test('documents use plain English: none of the phrases that we have given up', () => {
  expect(documents.length).toBeGreaterThan(40);
  expect(documents.flatMap((file) => objections(file, proseOf(read(file))))).toEqual([]);
});

test('comments and test titles use plain English, wherever code is', () => {
  expect(code.length).toBeGreaterThan(1_000);
  expect(code.flatMap((file) => objections(file, proseInCode(read(file))))).toEqual([]);
});

/** A comment says what it describes: the reader has not read the code yet. */
const HEADLESS: typeof BANNED = [
  [/^\s*(\/\*\*?|\/\/) (What|Whose|Where|Whether|Which|Those|Of)\b/, 'a beginning with a noun or a verb'],
];

/** Comments with their first words on the line that opens them. */
const opened = (text: string) => proseInCode(text).replace(/\/\*\*\n\s*\*/g, '/**');

test('comments begin with a noun or a verb, and can be read alone', () => {
  expect(code.flatMap((file) => objections(file, opened(read(file)), HEADLESS))).toEqual([]);
  for (const headless of [
    '/** Whether it is paid. */',
    '/**\n * Whether it is\n * paid.\n */',
    '// What is paid.',
  ])
    expect(objections('a.ts', opened(headless), HEADLESS)).toHaveLength(1);
});

test('names in code do without these words too', () => {
  const old = /dearer|whoever/i;
  const found = code.filter((file) => !file.endsWith('words.test.ts') && old.test(read(file)));
  expect(found).toEqual([]);
});

test('screens, e-mails, errors and logs use plain English too, and screens no words of the API', () => {
  expect([sources.length > 600, sources.filter(isScreen).length > 100]).toEqual([true, true]);
  const found = sources.flatMap((file) =>
    objections(file, textsOf(read(file)), isScreen(file) ? BANNED_ON_SCREENS : BANNED_IN_TEXTS),
  );
  expect(found).toEqual([]);
});

test('English e-mails start with a capital letter, in the subject and after the greeting', () => {
  const facts = {
    sender: 'Shop',
    number: 'INV-1',
    due: '$1.00',
    dueAt: '1 May',
    endsAt: '8 May',
    isOverdue: false,
  };
  for (const { subject, paragraphs } of Object.values(en.emails).map((compose) => compose(facts))) {
    for (const text of [subject, ...paragraphs]) expect(text).toMatch(/^[A-Z]/);
  }
});

test('the guard itself objects to what it should', () => {
  expect(objections('a.md', 'fine\nIt goes on by itself.')).toEqual([
    'a.md:2: "by itself"; write leave it out, or "automatically"',
    'a.md:2: "goes on"; write "continues"',
  ]);
  expect(objections('a.md', proseOf('```sh\necho it goes on\n```\nfine'))).toEqual([]);
  const screen = "// It goes on.\nconst goes = 'on';\n<Text>\n  2.00 USDC were\n  asked for\n</Text>";
  expect(objections('a.tsx', textsOf(screen), BANNED_IN_TEXTS)).toEqual([
    'a.tsx:3: "were asked for"; write "is requested"',
    'a.tsx:3: "USDC were"; write an amount is singular: "was", "is"',
    'a.tsx:3: "asked for"; write "requested"',
  ]);
});
