import { OneOf, Optional, Shape } from '../../platform/http/schema.ts';
import { LANGUAGES } from '../../platform/lib/language.ts';

/** The language in which a PDF is wanted. */
export const PdfQuery = Shape(undefined, {
  language: Optional({
    ...OneOf(LANGUAGES),
    description: 'Where it is left out: the customer’s language if it is one of these, else English.',
  }),
});
