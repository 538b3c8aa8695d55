import { Int32, Int64, OneOf, Optional, Shape, Text, Timestamp } from '../../platform/http/schema.ts';
import type { Json } from '../../platform/lib/json.ts';
import type { ToolContext } from './call-service.ts';
import { Purpose } from './purpose.ts';
import { type Tool, tool } from './tool.ts';
import type { ToolResult } from './tool-result.ts';
import { writeOnce } from './write-once.ts';

const TEST_MONEY = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Test money and the movable clock: where there is real money, these tools do not exist. */
export const sandboxTools: Tool[] = [
  tool({
    name: 'pay_test',
    title: 'Pay with test money',
    description:
      'A test wallet pays what is due, as a customer would. It is detected within seconds: look with explain_payment.',
    input: Shape(undefined, {
      target: Text({
        max: 2048,
        description:
          'The id of a payment intent, checkout session, invoice or subscription, or a checkout URL.',
      }),
      amountCents: Optional(Int64({ min: 1, description: 'Default: what is due.' })),
      outcome: Optional(OneOf(['pay', 'fail', 'wrong_mint', 'no_reference'], 'Default: pay.')),
      purpose: Purpose,
    }),
    annotations: TEST_MONEY,
    scopes: [],
    anyScope: ['billing:write', 'payments:write'],
    sandboxOnly: true,
    run: (context, { purpose, ...body }) => callOnce(context, 'createSandboxPayment', body, purpose),
  }),
  tool({
    name: 'advance_clock',
    title: 'Advance the sandbox clock',
    description:
      'Moves the sandbox’s time forward, and runs everything that becomes due: renewals, reminders, expiry. It cannot be moved back.',
    input: Shape(undefined, {
      advanceSeconds: Optional(Int32({ min: 0, max: 315_360_000, description: 'How far: 86400 is a day.' })),
      to: Optional(Timestamp('Or the time to move to.')),
      purpose: Purpose,
    }),
    annotations: { ...TEST_MONEY, destructiveHint: true },
    scopes: [],
    anyScope: ['billing:write', 'payments:write'],
    sandboxOnly: true,
    run: (context, { purpose, ...body }) => callOnce(context, 'moveSandboxClock', body, purpose),
  }),
];

/**
 * Calls an operation that `write` does not offer, because `write` exists where there is real money too; otherwise the
 * same.
 */
function callOnce(context: ToolContext, id: string, body: object, purpose: string): Promise<ToolResult> {
  const route = context.app.routeDescriptions.find((each) => each.id === id)!;
  const offer = {
    tool: 'write',
    refused: [],
    refusedWith: {},
    note: '',
    storedAs: id,
    destructive: false,
  } as const;
  const operation = { route, offer };
  return writeOnce(context, { operation, path: route.path, params: {}, body: body as Json, purpose });
}
