import { Text } from '../http/schema.ts';

const MAX_LENGTH = 254;

/** One @ with something on either side and no white space: more only the mail server knows. */
const PATTERN = '^[^\\s@]+@[^\\s@]+$';

/** An e-mail address, checked for its form. */
export function Email(description?: string) {
  return {
    ...Text({ max: MAX_LENGTH, ...(description && { description }) }),
    pattern: PATTERN,
  };
}
