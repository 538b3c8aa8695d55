import { oneLine } from '../../email/one-line.ts';

/** A sentence whose values are still apart from it, so that each channel can escape them in its own way. */
export interface Sentence {
  words: readonly string[];
  values: readonly string[];
}

const LONGEST_VALUE = 100;

/** Values are cut and kept on one line: anybody may have typed them. */
export function say(words: TemplateStringsArray, ...values: string[]): Sentence {
  return { words, values: values.map(tidy) };
}

function tidy(value: string): string {
  const letters = [...oneLine(value)];
  return letters.length > LONGEST_VALUE ? `${letters.slice(0, LONGEST_VALUE).join('')}…` : letters.join('');
}

export function speak({ words, values }: Sentence, shape: (value: string) => string): string {
  return words.map((word, i) => word + (i < values.length ? shape(values[i]!) : '')).join('');
}
