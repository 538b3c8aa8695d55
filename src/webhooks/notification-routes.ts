import type { Change } from '../accounts/merchants/change-merchant.ts';
import { billingRoute } from '../accounts/projects/billing-route.ts';
import { SCOPES } from '../platform/access/key.ts';
import type { Principal } from '../platform/access/principal.ts';
import type { Database } from '../platform/db/database.ts';
import { SECRETS, SENDING } from '../platform/http/assistant.ts';
import { answerList, Page, pageQuery } from '../platform/http/list.ts';
import type { App } from '../platform/http/route.ts';
import {
  Flag,
  Int32,
  List,
  Name,
  Nullable,
  OneOf,
  Optional,
  Shape,
  Text,
  Uuid,
} from '../platform/http/schema.ts';
import { withIdempotency } from '../platform/idempotency/with-idempotency.ts';
import { type Clock, realNow } from '../platform/lib/clock.ts';
import { AppError } from '../platform/lib/errors.ts';
import {
  createNotification,
  type NotificationRules,
  patchNotification,
  removeNotification,
  testNotification,
} from './change-notifications.ts';
import { NotificationView, presentNotification } from './notification-present.ts';
import { findNotification, listNotifications } from './notification-queries.ts';
import { CHANNELS, NOTIFIABLE, USUAL } from './notifications/channel.ts';

const fields = {
  url: Optional({
    ...Text({
      max: 2048,
      description:
        'For `slack`, `discord` and `https`, the URL that takes the message; for `telegram`, `https://api.telegram.org/bot<token>`. The same rules as for the webhookUrl. It is kept sealed and never shown.',
    }),
    format: 'uri',
  }),
  chatId: Optional(
    Text({ max: 64, description: 'For `telegram`: the id of a chat, or the `@name` of a channel.' }),
  ),
  memberEmail: Optional(
    Text({ max: 254, description: 'For `email`: the address of a member who can sign in.' }),
  ),
  name: Optional(Nullable(Name({ description: 'For yourself.' }))),
  eventTypes: Optional({
    ...List(OneOf(NOTIFIABLE), { min: 1, max: NOTIFIABLE.length }),
    description: `The names of the events. Without them: ${USUAL.map((event) => `\`${event}\``).join(', ')}.`,
  }),
  isActive: Optional(Flag()),
  summaryHour: Optional(
    Int32({
      ...{ min: 0, max: 23 },
      description: 'At which hour the daily `notification.summary` is sent. Default: 8.',
    }),
  ),
  summaryTimeZone: Optional(
    Text({ max: 64, description: 'Where it is that hour, such as `Europe/Berlin`. Default: `UTC`.' }),
  ),
};

const CreateBody = Shape('CreateNotificationRequest', {
  kind: OneOf(CHANNELS, '`https` is any other server: it gets the sentence as JSON.'),
  ...fields,
});
const UpdateBody = Shape('UpdateNotificationRequest', fields);
const Tested = Shape('NotificationTest', { eventId: Uuid('Of the event that is about to be sent.') });

export interface NotificationRoutes extends NotificationRules {
  db: Database;
  clock: Clock;
}

/** The same as for webhook endpoints: both send what happens in the shop elsewhere. */
const GUARDED = { scopes: SCOPES, ownerOnly: true, stepUp: true, verified: true } as const;
const tag = 'Notifications';

export function notificationRoutes(app: App, parts: NotificationRoutes): void {
  const { db, clock } = parts;
  const changeOf = ({ merchantId, actor }: Principal): Change => ({ merchantId, actor, now: clock.now() });

  billingRoute(app, {
    method: 'POST',
    path: '/notifications',
    id: 'createNotification',
    sdk: 'notifications.create',
    assistant: { withheld: SECRETS },
    tag,
    summary: 'Create a notification',
    description:
      'Tells people of chosen events, each in a sentence with a link to the dashboard. It requires all four scopes or an owner who has just confirmed. There can be 16.',
    ...GUARDED,
    body: CreateBody,
    idempotency: 'text',
    success: { status: 201, schema: NotificationView, description: 'The new notification.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    handle({ principal, body, idempotencyKey: key, serialize }) {
      const change = changeOf(principal);
      const { merchantId, now } = change;
      return withIdempotency(
        db,
        { merchantId, operation: 'createNotification', key, body, now },
        async (tx) => {
          const made = await createNotification(tx, change, body, parts);
          return { status: 201, text: serialize(presentNotification(made)) };
        },
      );
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/notifications',
    id: 'listNotifications',
    sdk: 'notifications.list',
    assistant: 'read',
    tag,
    summary: 'List notifications',
    description: 'Without what must stay secret.',
    scopes: ['billing:read'],
    query: Shape(undefined, pageQuery),
    csv: true,
    success: {
      status: 200,
      schema: Page('NotificationPage', NotificationView),
      description: 'Newest first.',
    },
    errors: ['BAD_REQUEST'],
    handle: (call) =>
      answerList(
        call,
        NotificationView,
        (range) => listNotifications(db, call.principal.merchantId, range),
        presentNotification,
      ),
  });

  billingRoute(app, {
    method: 'GET',
    path: '/notifications/{notificationId}',
    id: 'getNotification',
    sdk: 'notifications.retrieve',
    assistant: 'read',
    tag,
    summary: 'Get a notification',
    scopes: ['billing:read'],
    success: { status: 200, schema: NotificationView, description: 'The notification as it is now.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const ref = { merchantId: principal.merchantId, id: params.notificationId!.toLowerCase() };
      const notification = await findNotification(db, ref);
      if (!notification) throw new AppError('NOT_FOUND');
      return presentNotification(notification);
    },
  });

  notificationChanges(app, parts, changeOf);
}

function notificationChanges(
  app: App,
  parts: NotificationRoutes,
  changeOf: (principal: Principal) => Change,
): void {
  const { db } = parts;

  billingRoute(app, {
    method: 'PATCH',
    path: '/notifications/{notificationId}',
    id: 'updateNotification',
    sdk: 'notifications.update',
    assistant: { withheld: SECRETS },
    tag,
    summary: 'Update a notification',
    description: 'Changes only the fields you send. Its kind stays.',
    ...GUARDED,
    body: UpdateBody,
    success: { status: 200, schema: NotificationView, description: 'The notification as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, body }) {
      const id = params.notificationId!.toLowerCase();
      return presentNotification(
        await db.transaction((tx) => patchNotification(tx, changeOf(principal), id, body, parts)),
      );
    },
  });

  billingRoute(app, {
    method: 'DELETE',
    path: '/notifications/{notificationId}',
    id: 'deleteNotification',
    sdk: 'notifications.delete',
    assistant: { withheld: SECRETS },
    tag,
    summary: 'Delete a notification',
    description: 'What is still to be sent is not sent; what was sent stays in the log of deliveries.',
    ...GUARDED,
    success: { status: 204, description: 'Nothing more is sent.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal, params }) {
      const id = params.notificationId!.toLowerCase();
      await db.transaction((tx) => removeNotification(tx, changeOf(principal), id));
    },
  });

  billingRoute(app, {
    method: 'POST',
    path: '/notifications/{notificationId}/test',
    id: 'testNotification',
    sdk: 'notifications.test',
    assistant: { withheld: SENDING },
    tag,
    summary: 'Test a notification',
    description: 'Sends a test message there, and nowhere else; retried and logged as any other.',
    scopes: ['billing:write'],
    verified: true,
    success: { status: 202, schema: Tested, description: 'The message is about to be sent.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params }) {
      const ref = { merchantId: principal.merchantId, id: params.notificationId!.toLowerCase() };
      return { eventId: await db.transaction((tx) => testNotification(tx, ref, realNow())) };
    },
  });
}
