import type { FinalityWatch } from '../finality.ts';
import type { Pay } from '../payer.ts';
import type { Client } from './client.ts';
import type { Acknowledged, DayMerchant, FinalPayment } from './mix.ts';
import type { Times } from './open-loop.ts';

export interface LoadParts {
  client: Client;
  pay: Pay;
  finality: FinalityWatch;
  merchants: readonly DayMerchant[];
  times: Times;
  acknowledged: Acknowledged;
  finals: FinalPayment[];
}

export function merchantOf({ merchants }: Pick<LoadParts, 'merchants'>, n: number): DayMerchant {
  return merchants[n % merchants.length]!;
}
