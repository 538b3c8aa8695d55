import { type CreatedMemberLink, createSetupLink } from '../../accounts/members/create-link.ts';
import { setPasskeysRequired } from '../../accounts/members/passkey-policy.ts';
import { publicUrlOf } from '../../config/public-url.ts';
import type { Tx } from '../../platform/db/database.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { type CommandContext, CommandFailed, chooseMerchant } from './context.ts';

/**
 * A link for the operator to open or hand over: the person who opens it becomes an owner, or regains access as one.
 */
export async function setupLinkCommand(
  context: CommandContext,
  options: { merchant?: string },
): Promise<void> {
  const merchantId = await chooseMerchant(context, options.merchant);
  const { link, url } = await context.db.transaction((tx) => operatorsLink(tx, context, merchantId));
  context.print(
    { merchantId, setupUrl: url, expiresAt: link.expiresAt },
    `${url}\n\nIt works once and expires in 24 hours. The person who opens it becomes an owner, or regains access as one.`,
  );
}

export function operatorsLink(
  tx: Tx,
  { config }: Pick<CommandContext, 'config'>,
  merchantId: string,
): Promise<CreatedMemberLink> {
  const now = realNow();
  const moment = { now, serviceNow: now };
  return createSetupLink(tx, { merchantId, actor: 'operator', publicUrl: publicUrlOf(config), moment });
}

/** Also the way back if no member with a passkey is left to turn it off. */
export async function requirePasskeysCommand(
  context: CommandContext,
  value: string,
  options: { merchant?: string },
): Promise<void> {
  if (value !== 'on' && value !== 'off') throw new CommandFailed('the value must be on or off');
  const merchantId = await chooseMerchant(context, options.merchant);
  const requirePasskeys = value === 'on';
  const change = { merchantId, actor: 'operator', requirePasskeys, now: realNow() };
  await context.db.transaction((tx) => setPasskeysRequired(tx, change));
  context.print(
    { merchantId, requirePasskeys },
    requirePasskeys
      ? 'Owners with a passkey must use it to sign in.'
      : 'Owners can sign in with a password again.',
  );
}
