/**
 * An expression as it is compared where the case of A to Z makes no difference: e-mail addresses. Never by the database's own locale:
 * some take `İ` for `i`, and with it one domain for another.
 */
export const folded = (expression: string) => `lower(${expression} collate "C")`;
