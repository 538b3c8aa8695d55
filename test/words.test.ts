import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Phrases that documents have given up, each with what to write instead. */
const BANNED: readonly [phrase: RegExp, instead: string][] = [
  [/\bletters? (to|for) (the )?(customers?|owners?)\b/i, 'e-mail'],
  [/\b(is|are|was|were) told\b/i, 'say who gets what: "owners get an e-mail"'],
  [/\btold (of|by)\b/i, '"is reported", "is sent"'],
  [/\bby itself\b/i, 'leave it out, or "automatically"'],
  [/\b(is|are) asked for\b/i, '"is requested"'],
  [/\bwhoever\b/i, '"anyone who", or name the person'],
  [/\bfor who\b/i, '"for operators", "for clients that"'],
  [/\bfor ever\b/i, '"forever"'],
  [/\banew\b/i, '"again"'],
  [/\bdearer\b/i, '"more expensive"'],
  [/\bunless said\b/i, '"default"'],
  [/\bin peace\b/i, 'leave it out'],
  [/\bstrays?\b/i, '"unapplied"'],
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
];

const documents = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) =>
    /^([A-Z]+\.md|(docs|examples|sdk|sandbox-chain|bench)\/.*\.md)$/.test(file) &&
    !file.includes('node_modules'),
);

/** The text without its blocks of code, which show what programs print. */
const proseOf = (text: string) =>
  text.replace(/^ *```[\s\S]*?^ *```$/gm, (block) => block.replace(/[^\n]/g, ''));

function objections(file: string, text: string): string[] {
  return proseOf(text)
    .split('\n')
    .flatMap((line, index) =>
      BANNED.filter(([phrase]) => phrase.test(line)).map(
        ([phrase, instead]) => `${file}:${index + 1}: "${phrase.exec(line)![0]}"; write ${instead}`,
      ),
    );
}

test('documents use plain English: none of the phrases that we have given up', () => {
  expect(documents.length).toBeGreaterThan(40);
  expect(documents.flatMap((file) => objections(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

test('the guard itself objects to what it should', () => {
  expect(objections('a.md', 'fine\nIt goes on by itself.')).toEqual([
    'a.md:2: "by itself"; write leave it out, or "automatically"',
    'a.md:2: "goes on"; write "continues"',
  ]);
  expect(objections('a.md', '```sh\necho it goes on\n```\nfine')).toEqual([]);
});
