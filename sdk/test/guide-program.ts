export interface Promised {
  /** Line on which the block that prints it begins. */
  line: number;
  text: string;
}

/** The `ts` blocks of a guide as one program that tells its blocks apart when it prints, and what each is to print. */
export function guideProgram(guide: string): { program: string; promises: Promised[] } {
  const parts: string[] = [];
  const promises: Promised[] = [];
  let last: number | undefined;
  for (const match of guide.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)) {
    const [, language, text] = match as unknown as [string, string, string];
    const line = guide.slice(0, match.index).split('\n').length;
    if (language === 'ts') {
      parts.push(`console.log('\\u0000${line}');\n${text}`);
      last = line;
    } else if (language === 'text' && last !== undefined) {
      promises.push({ line: last, text });
      last = undefined;
    } else if (language !== 'sh' && language !== 'json') {
      throw new Error(`line ${line}: a block of "${language}" that does not follow a program's`);
    }
  }
  return { program: parts.join('\n'), promises };
}
