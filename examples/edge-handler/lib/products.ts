/** The browser says what it wants, never for how much. */
export const PRODUCTS = new Map([
  ['ebook', { name: 'The little book of espresso', amountCents: 900 }],
  ['course', { name: 'A video course', amountCents: 4900 }],
]);
