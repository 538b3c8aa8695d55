import { sep } from 'node:path';

/**
 * Name by which an operator calls the command here: an installed release has it on the path, a checkout in its own
 * modules.
 */
export const COMMAND = import.meta.dirname.split(sep).includes('node_modules') ? 'florin' : 'npx florin';
