import { Int32, Int64, OneOf, Optional, Shape, Text, Timestamp } from '../../platform/http/schema.ts';
import { callService, type ToolContext } from './call-service.ts';
import { type Tool, tool } from './tool.ts';
import { dataResult, isRefused, refusedResult, type ToolResult } from './tool-result.ts';

const TEST_MONEY = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

/** Test money and the movable clock: where there is real money, these tools do not exist. */
export const sandboxTools: Tool[] = [
  tool({
    name: 'pay_test',
    title: 'Pay with test money',
    description:
      'A test wallet pays what is due, as a customer would. It is detected within seconds: look with explain_payment before you pay again.',
    input: Shape(undefined, {
      target: Text({
        max: 2048,
        description:
          'The id of a payment intent, checkout session, invoice or subscription, or a checkout URL.',
      }),
      amountCents: Optional(
        Int64({ min: 1, description: 'Default: what is due. Pays just this, each time.' }),
      ),
      outcome: Optional(OneOf(['pay', 'fail', 'wrong_mint', 'no_reference'], 'Default: pay.')),
    }),
    annotations: { ...TEST_MONEY, idempotentHint: false },
    scopes: [],
    anyScope: ['billing:write', 'payments:write'],
    sandboxOnly: true,
    run: pay,
  }),
  tool({
    name: 'advance_clock',
    title: 'Advance the sandbox clock',
    description:
      'Moves the sandbox’s time forward, and runs everything that becomes due: renewals, reminders, expiry. It cannot be moved back.',
    input: Shape(undefined, {
      advanceSeconds: Optional(Int32({ min: 0, max: 315_360_000, description: 'How far: 86400 is a day.' })),
      to: Optional(Timestamp('Or the time to move to.')),
    }),
    annotations: { ...TEST_MONEY, destructiveHint: true, idempotentHint: false },
    scopes: [],
    anyScope: ['billing:write', 'payments:write'],
    sandboxOnly: true,
    async run(context, body) {
      const answer = await callService(context, { method: 'POST', path: '/api/v2/sandbox/clock', body });
      return isRefused(answer) ? refusedResult(answer) : dataResult(answer.body);
    },
  }),
];

async function pay(
  context: ToolContext,
  body: { target: string; amountCents?: bigint },
): Promise<ToolResult> {
  const answer = await callService(context, { method: 'POST', path: '/api/v2/sandbox/payments', body });
  if (isRefused(answer)) return refusedResult(answer);
  return dataResult(answer.body, 'Sent. It is detected within seconds: look with explain_payment.');
}
