/** `A draft invoice`, `An open invoice`: for the start of a sentence. */
export function inState(status: string, noun: string): string {
  return `${/^(a|e|i|o|u)/.test(status) ? 'An' : 'A'} ${status.replaceAll('_', ' ')} ${noun}`;
}
