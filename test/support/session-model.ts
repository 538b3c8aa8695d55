/**
 * Model of a checkout session, its invoice and its intent by the rules: small, pure, and written apart from the
 * service, for tests to compare the service with. Amounts are cents; the session asks for 100. Dust is a quarter of
 * one: less than a whole cent counts as nothing, and four of them are a cent.
 */
export const ASKED = 100;
export const CREDITS = 7;

export type Operation =
  | 'see dust'
  | 'see part'
  | 'see rest'
  | 'see too much'
  | 'make final'
  | 'vanish'
  | 'pay dust'
  | 'pay part'
  | 'pay rest'
  | 'pay too much'
  | 'fail'
  | 'cancel'
  | 'run unread'
  | 'run'
  | 'time passes'
  | 'link part'
  | 'link too much'
  | 'mark returned'
  | 'spend credit';

export const OPERATIONS: readonly Operation[] = [
  'see dust',
  'see part',
  'see rest',
  'see too much',
  'make final',
  'vanish',
  'pay dust',
  'pay part',
  'pay rest',
  'pay too much',
  'fail',
  'cancel',
  'run unread',
  'run',
  'time passes',
  'link part',
  'link too much',
  'mark returned',
  'spend credit',
];

interface ModelException {
  kind: 'canceled' | 'late' | 'surplus' | 'stray' | 'unmatched';
  cents: number;
  status: 'open' | 'linked' | 'returned' | 'dust';
  /** Part that became account credit. */
  posted: number;
}

export interface Model {
  /** Knowledge of the buyer: from the start, never, or from the first final cent on. */
  customer: 'known' | 'none' | 'with money';
  /** Era of the session: before the deadline, after it, or more than 30 days after it. */
  era: 0 | 1 | 2;
  /** Era up to which the chain has been read: what nobody has read past is not decided yet. */
  readEra: 0 | 1 | 2;
  session: 'open' | 'complete' | 'expired' | 'canceled';
  resting: 'pending' | 'failed' | 'expired';
  /** Final payments in order; how much each brought. */
  parts: number[];
  /** Confirmed and not final, and whether it came in time. */
  seen: { cents: number; isInTime: boolean } | null;
  isUnapplied: boolean;
  accountCredit: number;
  exceptions: ModelException[];
}

export const START: Omit<Model, 'customer'> = {
  era: 0,
  readEra: 0,
  session: 'open',
  resting: 'pending',
  parts: [],
  seen: null,
  isUnapplied: false,
  accountCredit: 0,
  exceptions: [],
};

export const receivedOf = ({ parts }: Model) => parts.reduce((sum, part) => sum + part, 0);
const seenInTime = ({ seen }: Model) => (seen?.isInTime ? seen.cents : 0);
export const hasMoney = (model: Model) => receivedOf(model) >= 1;
export const hasCustomer = (model: Model) =>
  model.customer === 'known' || (model.customer === 'with money' && hasMoney(model));
/** True if confirmed money adds a whole cent to the final money. */
const isUnderWay = (model: Model) =>
  Math.floor(receivedOf(model) + seenInTime(model)) > Math.floor(receivedOf(model));

export function intentOf(model: Model): string {
  if (model.session === 'canceled') return 'canceled';
  const received = receivedOf(model);
  if (received >= ASKED) return 'succeeded';
  if (seenInTime(model) > 0 && received + seenInTime(model) >= ASKED) return 'processing';
  return received >= 1 ? 'underpaid' : model.resting;
}

export function paymentStatusOf(model: Model): string {
  const intent = intentOf(model);
  if (intent === 'succeeded') return 'paid';
  return intent === 'processing' || intent === 'underpaid' ? intent : 'unpaid';
}

export const invoiceOf = ({ session }: Model) =>
  ({ open: 'open', complete: 'paid', expired: 'uncollectible', canceled: 'void' })[session];

const rest = (model: Model) => Math.max(ASKED - receivedOf(model), 1);

/** Returns the amount that an operation brings. */
export function centsOf(model: Model, operation: Operation): number {
  if (operation.endsWith('dust')) return 0.25;
  if (operation.endsWith('part')) return 30;
  return operation.endsWith('rest') ? rest(model) : rest(model) + 20;
}

/** True if the operation makes sense here at all; a refusal by the service is an outcome, not nonsense. */
export function isPossible(model: Model, operation: Operation): boolean {
  if (operation === 'make final' || operation === 'vanish') return model.seen !== null;
  if (operation.startsWith('see')) return model.seen === null;
  if (operation === 'mark returned') return model.exceptions.some(({ status }) => status === 'open');
  if (operation === 'spend credit') return model.accountCredit > 0;
  if (operation === 'time passes') return model.era < 2;
  return true;
}

/** Returns the model afterwards, or the refusal with nothing changed. */
export function next(model: Model, operation: Operation): { model: Model; refused?: 409 } {
  const after: Model = structuredClone(model);
  switch (operation) {
    case 'see dust':
    case 'see part':
    case 'see rest':
    case 'see too much':
      after.seen = {
        cents: centsOf(model, operation),
        isInTime: model.era < 2 && model.session !== 'canceled',
      };
      return { model: after };
    case 'make final': {
      const { cents, isInTime } = model.seen!;
      after.seen = null;
      return { model: arrived(after, cents, isInTime) };
    }
    case 'vanish':
      after.seen = null;
      return { model: after };
    case 'pay dust':
    case 'pay part':
    case 'pay rest':
    case 'pay too much':
      return { model: arrived(after, centsOf(model, operation), model.era < 2) };
    case 'fail':
      if (intentOf(model) === 'pending' && model.era < 2) after.resting = 'failed';
      return { model: after };
    case 'cancel':
      if (model.session !== 'open' || receivedOf(model) >= 1 || isUnderWay(model))
        return { model, refused: 409 };
      after.session = 'canceled';
      return { model: after };
    case 'run unread':
      return { model: ran(after) };
    case 'run':
      after.readEra = model.era;
      return { model: ran(after) };
    case 'time passes':
      after.era = (model.era + 1) as Model['era'];
      return { model: after };
    case 'link part':
    case 'link too much':
      return linked(after, centsOf(model, operation));
    case 'mark returned':
      return returned(model, after);
    case 'spend credit':
      after.accountCredit = 0;
      return { model: after };
  }
}

/** Less than a cent waits for nobody, unless some of it became account credit. */
function listed(kind: ModelException['kind'], cents: number, posted = 0): ModelException {
  return { kind, cents, status: cents < 1 && posted === 0 ? 'dust' : 'open', posted };
}

/** Final money that names the session's intent. */
function arrived(model: Model, cents: number, isInTime: boolean): Model {
  if (model.session === 'canceled') {
    const posted = hasCustomer(model) ? Math.floor(cents) : 0;
    model.accountCredit += posted;
    model.exceptions.push(listed('canceled', cents, posted));
  } else if (!isInTime && receivedOf(model) < ASKED) model.exceptions.push(listed('late', cents));
  else credited(model, cents);
  return model;
}

function credited(model: Model, cents: number): void {
  // A paid session keeps its amount.
  if (receivedOf(model) >= ASKED) {
    model.exceptions.push(listed('surplus', cents));
    return;
  }
  model.parts.push(cents);
  const surplus = Math.max(receivedOf(model) - ASKED, 0);
  if (surplus > 0) model.exceptions.push(listed('surplus', surplus));
  if (receivedOf(model) >= ASKED) model.session = 'complete';
}

/** Everything the time has made due, as far as the chain was read. */
function ran(model: Model): Model {
  const isWhole = intentOf(model) === 'processing';
  if (model.readEra >= 1 && model.session === 'open' && !isWhole && !isUnderWay(model)) {
    model.session = 'expired';
    if (receivedOf(model) < 1) model.resting = 'expired';
  }
  const isQuiet = seenInTime(model) === 0;
  const isPart = intentOf(model) === 'underpaid';
  if (model.readEra === 2 && model.session === 'expired' && isPart && isQuiet && !model.isUnapplied) {
    model.isUnapplied = true;
    let sum = 0;
    for (const cents of model.parts) {
      // Floored once, over all of them.
      const whole = Math.floor(sum + cents) - Math.floor(sum);
      sum += cents;
      const posted = hasCustomer(model) ? whole : 0;
      model.accountCredit += posted;
      model.exceptions.push(listed('stray', cents, posted));
    }
  }
  return model;
}

/** Money that named nothing arrives, and a person gives it to the intent. */
function linked(model: Model, cents: number): { model: Model; refused?: 409 } {
  const exception = listed('unmatched', cents);
  model.exceptions.push(exception);
  const intent = intentOf(model);
  if (intent === 'succeeded' || intent === 'canceled' || model.isUnapplied) return { model, refused: 409 };
  exception.status = 'linked';
  credited(model, cents);
  return { model };
}

function returned(before: Model, after: Model): { model: Model; refused?: 409 } {
  const exception = after.exceptions.find(({ status }) => status === 'open')!;
  if (exception.posted > after.accountCredit) return { model: before, refused: 409 };
  after.accountCredit -= exception.posted;
  exception.status = 'returned';
  return { model: after };
}

/** Describes a situation by all that the rules distinguish; how often something happened does not count. */
export function situationOf(model: Model): string {
  const received = receivedOf(model);
  const money =
    received === 0
      ? 'none'
      : received < 1
        ? 'dust'
        : received < ASKED
          ? 'part'
          : received === ASKED
            ? 'all'
            : 'over';
  const { seen } = model;
  const isEnough = seen && received + seen.cents >= ASKED;
  const posted = model.exceptions.find(({ status, posted }) => status === 'open' && posted > 0);
  const isDecided = model.session === 'complete' || model.session === 'canceled';
  return [
    model.era,
    isDecided || model.readEra === model.era ? 'read' : 'unread',
    model.session,
    intentOf(model),
    isDecided ? '' : model.resting,
    money,
    seen
      ? `${seen.isInTime ? 'in time' : 'late'} ${isEnough ? 'enough' : isUnderWay(model) ? 'part' : 'dust'}`
      : 'unseen',
    model.isUnapplied ? 'left over' : '',
    posted ? (posted.posted > model.accountCredit ? 'spent' : 'kept') : '',
  ].join('|');
}
