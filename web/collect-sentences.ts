import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

const folder = join(import.meta.dirname, 'src');

export interface Sentence {
  /** Singular of a sentence that counts. */
  one?: string;
  /** File that has it first: `payments/payment-facts.tsx`. */
  at: string;
}

export interface Sentences {
  /** Sentences by their keys in the word lists. */
  all: ReadonlyMap<string, Sentence>;
  /** Sentences that cannot be translated as they are written, each with the reason. */
  faults: string[];
}

type Node = { type: string; [name: string]: unknown };

/** Every sentence the dashboard says, from its sources. */
export function collectSentences(): Sentences {
  const all = new Map<string, Sentence>();
  const faults: string[] = [];
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.tsx?$/.test(file) || file.includes('.test.') || file.startsWith('words/')) continue;
    const { program } = parseSync(file, readFileSync(join(folder, file), 'utf8'));
    for (const node of nodesOf(program as unknown as Node)) {
      const bare = bareWords(node);
      if (bare !== undefined) faults.push(`${file}: “${bare}” is not translated`);
      const said = saidBy(node);
      if (said === undefined) continue;
      if (said.texts.some((text) => text === undefined)) {
        faults.push(`${file}: ${said.by} is called with something other than a literal`);
        continue;
      }
      const [one, key] = said.texts.length === 2 ? said.texts : [undefined, said.texts[0]];
      const whole = said.context === undefined ? key! : `${key} (${said.context})`;
      if (whole.trim() !== whole || whole === '')
        faults.push(`${file}: “${whole}” begins or ends with a space`);
      const known = all.get(whole);
      if (known && known.one !== one) faults.push(`${file}: “${whole}” has two singulars`);
      if (!known) all.set(whole, { ...(one !== undefined && { one }), at: file });
    }
  }
  return { all, faults };
}

interface Said {
  by: string;
  /** One text, or the singular and the plural. */
  texts: (string | undefined)[];
  context?: string | undefined;
}

function saidBy(node: Node): Said | undefined {
  if (node.type === 'CallExpression') {
    const by = (node.callee as Node).name;
    const [first, second, third] = (node.arguments as Node[]).map(literal);
    if (by === 't') return { by, texts: [first] };
    if (by === 'tc') return { by, texts: [second], context: first };
    if (by === 'tn') return { by, texts: [second, third] };
  }
  if (node.type === 'JSXOpeningElement' && (node.name as Node).name === 'T') {
    const of = (node.attributes as Node[]).find((each) => (each.name as Node | undefined)?.name === 'of');
    const value = of?.value as Node | undefined;
    return { by: '<T>', texts: [literal((value?.expression as Node | undefined) ?? value)] };
  }
  return undefined;
}

const SHOWN = ['label', 'title', 'placeholder', 'description', 'aria-label', 'alt', 'submit', 'done'];
/** The same in every language. */
const NAMES = /\b(?:USDC|SOL|Solana|Florin|Slack|Discord|Telegram|URL|ms)\b/g;

/** Words that people read and that no list knows: text between elements, or in an attribute that is shown. */
function bareWords(node: Node): string | undefined {
  const isShown = node.type === 'JSXAttribute' && SHOWN.includes(String((node.name as Node).name));
  const text = node.type === 'JSXText' ? String(node.value) : isShown && literal(node.value as Node);
  return text && /\p{L}{2}/u.test(text.replace(NAMES, '').replace(/^https:.*/, '')) ? text.trim() : undefined;
}

function literal(node: Node | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof (child as Node | null)?.type === 'string') yield* nodesOf(child as Node);
    }
  }
}
