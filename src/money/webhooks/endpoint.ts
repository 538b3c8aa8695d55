import type { Channel } from '../notifications/channel.ts';

/** A webhook takes the whole event, signed; every other kind a sentence for people. */
export type EndpointKind = 'webhook' | Channel;

/** Destination of a merchant's events. The first one is the profile's webhook URL; its id is the merchant's. */
export interface WebhookEndpoint {
  id: string;
  merchantId: string;
  name: string | null;
  url: string;
  /** Null: everything but what is sent only by name. */
  eventTypes: string[] | null;
  isActive: boolean;
  createdAt: Date;
}

export interface EndpointRef {
  merchantId: string;
  id: string;
}

/** Each event costs a delivery for each endpoint. */
export const MOST_ENDPOINTS = 16;

export function isFirst({ merchantId, id }: EndpointRef): boolean {
  return id === merchantId;
}
