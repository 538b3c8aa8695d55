import pg from 'pg';

/** Name of a column as a field of a row has it: `merchant_id` is `merchantId`. */
export const fieldNameOf = (column: string) =>
  column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Name of the column behind a field: `merchantId` is `merchant_id`. */
export const columnNameOf = (field: string) =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Names met so far: those that our statements return, so their number is bounded. */
const names = new Map<string, string>();

/** Connection whose rows have fields in camel case, so that no statement writes a second name beside a column's. */
export class CamelCaseClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    // The description of rows comes before them, and this listener is the first to see it.
    (this as unknown as Described).connection.on('rowDescription', ({ fields }) => {
      for (const field of fields) {
        field.name = names.get(field.name) ?? remember(field.name);
      }
    });
  }
}

function remember(column: string): string {
  const name = fieldNameOf(column);
  names.set(column, name);
  return name;
}

interface Described {
  connection: {
    on(event: 'rowDescription', listener: (message: { fields: { name: string }[] }) => void): void;
  };
}
