import type { Config } from '../../config/config.ts';
import { findIntentAnywhere } from '../../intents/queries.ts';
import { generateKey } from '../../platform/access/generate-key.ts';
import { SCOPES } from '../../platform/access/key.ts';
import { revokeKey } from '../../platform/access/revoke-key.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { isUuid } from '../../platform/lib/ids.ts';
import { parseJson } from '../../platform/lib/json.ts';
import { type CommandContext, CommandFailed } from './context.ts';

const ACTOR = 'operator';

/** Pays an intent with test money through the running service, as its merchant could. */
export async function payCommand(
  { config, db, print }: CommandContext,
  intentId: string,
  options: { amountCents?: string; outcome?: string },
): Promise<void> {
  const intent = isUuid(intentId) ? await findIntentAnywhere(db, intentId.toLowerCase()) : undefined;
  if (!intent) throw new CommandFailed(`there is no payment intent ${intentId}`);
  const { merchantId } = intent;
  const { environment } = config;
  const now = realNow();
  const ceiling = { scopes: SCOPES, expiresAt: null };
  const key = await db.transaction((tx) =>
    generateKey(tx, { merchantId, actor: ACTOR, environment, name: 'florin pay', ceiling, now }),
  );
  try {
    const body = `{"paymentIntentId":"${intent.id}"${options.amountCents ? `,"amountCents":${options.amountCents}` : ''}${options.outcome ? `,"outcome":${JSON.stringify(options.outcome)}` : ''}}`;
    const response = await fetch(`${serviceUrl(config)}/api/v2/sandbox/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.raw}`, 'content-type': 'application/json' },
      body,
    }).catch(() => {
      throw new CommandFailed(`the service at ${serviceUrl(config)} does not answer; is it running?`);
    });
    const answer = parseJson(await response.text()) as { signature?: string; error?: { message: string } };
    if (!answer.signature)
      throw new CommandFailed(answer.error?.message ?? `the service answered ${response.status}`);
    print({ signature: answer.signature }, `Sent. Transaction ${answer.signature}`);
  } finally {
    await db.transaction((tx) => revokeKey(tx, { merchantId, keyId: key.id, actor: ACTOR, now: realNow() }));
  }
}

function serviceUrl(config: Config): string {
  return (
    config.PUBLIC_URL ??
    `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${config.PORT}`
  );
}
