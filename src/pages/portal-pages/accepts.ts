import { Email, Name, Shape, type TSchema } from '../../platform/http/schema.ts';
import { bodyValidator } from '../../platform/http/validate.ts';

/** Checks of what customers type about themselves: the same schemas as in the API. */
export const accepts = { name: fits(Name()), email: fits(Email()) };

function fits(schema: TSchema): (text: string) => boolean {
  const validate = bodyValidator(Shape(undefined, { text: schema }));
  return (text) => {
    try {
      validate({ text });
      return true;
    } catch {
      return false;
    }
  };
}
