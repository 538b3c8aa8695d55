import { readdirSync, readFileSync } from 'node:fs';

const docs = new URL('../../docs/', import.meta.url);

/** One fenced block of a page. */
export interface Block {
  page: string;
  line: number;
  language: string;
  text: string;
}

export interface DocPage {
  name: string;
  text: string;
  blocks: Block[];
}

export function docPages(): DocPage[] {
  return readdirSync(docs)
    .filter((name) => name.endsWith('.md'))
    .map((name) => {
      const text = readFileSync(new URL(name, docs), 'utf8');
      return { name, text, blocks: blocksOf(name, text) };
    });
}

/** Also those inside of lists, which are indented. */
export function blocksOf(page: string, text: string): Block[] {
  return [...text.matchAll(/^( *)```(\S*)\n([\s\S]*?)^\1```$/gm)].map((match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length,
    language: match[2]!,
    text: match[3]!.replaceAll(new RegExp(`^${match[1]}`, 'gm'), ''),
  }));
}

/** Returns the text between backticks on a line. */
export function codeWords(text: string): string[] {
  const prose = text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);
}

/** One command of a shell: what is set for it alone, and its words. */
export interface Command {
  env: Record<string, string>;
  words: string[];
}

/** The commands of a block as an operator types them: continued lines joined, comments gone, `&&` taken apart. */
export function commandsOf(text: string): Command[] {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter(Boolean)
    .flatMap((line) => line.split(' && '))
    .map(commandOf);
}

function commandOf(text: string): Command {
  // A gap to fill, such as <Solana address>, is one word.
  const words = [...text.matchAll(/'[^']*'|"[^"]*"|<[^>]*>|[^\s'"]+/g)].map((match) => match[0]);
  const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  return {
    env: Object.fromEntries(words.slice(0, first).map((word) => word.split(/=(.*)/s).slice(0, 2))),
    words: words.slice(first).map((word) => word.replace(/^(['"])(.*)\1$/s, '$2')),
  };
}

/** Returns the reason why an nginx file could not be read; undefined if it could. */
export function nginxObjection(text: string): string | undefined {
  let depth = 0;
  for (const line of text.split('\n').map((part) => part.replace(/#.*/, '').trim())) {
    if (line.endsWith('{')) depth++;
    else if (line === '}') depth--;
    else if (line !== '' && !line.endsWith(';')) return `"${line}" does not end`;
    if (depth < 0) return 'one } too many';
  }
  return depth === 0 ? undefined : 'a { that nothing closes';
}

/** `Section.Key` → its values, of a unit file. */
export function unitOf(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let section = '';
  for (const line of text.split('\n').filter(Boolean)) {
    const [, name] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (name) {
      section = name;
      continue;
    }
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (!key || section === '') throw new Error(`"${line}" is no setting of a unit`);
    const at = `${section}.${key}`;
    found.set(at, [...(found.get(at) ?? []), value!]);
  }
  return found;
}

/** A file of NAME=value lines. */
export function envOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const match = /^([A-Z_]+)=(.*)$/.exec(line);
        if (!match) throw new Error(`"${line}" sets nothing`);
        return [match[1]!, match[2]!];
      }),
  );
}
