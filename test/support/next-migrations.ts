import { type Migration, parseMigration, readMigrations } from '../../src/platform/db/migrations.ts';
import { SHOP } from './rows.ts';

const known = await readMigrations();

/** One of each kind that the rules allow, as the next releases may have them. */
const NEXT: readonly [name: string, sql: string][] = [
  [
    'colours',
    `-- @expands
     alter table payment_intents add column colour text, add column shade integer not null default 1;
     alter table payment_intents add constraint shade_check check (shade > 0) not valid;
     create table colours (merchant_id uuid references merchants, name text, primary key (merchant_id, name))`,
  ],
  [
    'colours_found',
    `-- @expands
-- @each-statement-alone
     create index concurrently payment_intents_by_colour on payment_intents (merchant_id, colour);
     alter table payment_intents validate constraint shade_check`,
  ],
  [
    'fill_colours',
    `-- @expands
-- @in-batches
     update payment_intents set colour = 'red' where (merchant_id, id) in (
       select merchant_id, id from payment_intents where colour is null limit 5)`,
  ],
  [
    'usual_colour',
    `-- @expands
-- @few-rows installation
     alter table installation add column usual_colour text not null default 'red' check (usual_colour <> '')`,
  ],
  [
    'without_shades',
    `-- @needs-schema ${known.length + 4}
     alter table payment_intents drop column shade`,
  ],
];

/** For `fillTables()`. */
export const NEXT_ROWS = { colours: [{ merchant_id: SHOP, name: 'red' }] };

/** Everything that this release knows, and what comes next. */
export const withNextMigrations: readonly Migration[] = [
  ...known,
  ...NEXT.map(([name, sql], i) => parseMigration(known.length + 1 + i, name, sql)),
];
