/** An answer that cannot be believed, or none: what was asked stays unknown. */
export class RpcFailure extends Error {}

/** A node has understood what it was asked and will not do it: the fault is the caller's, and the node is well. */
export class RpcRefusal extends RpcFailure {}

/** The call was not made, or never reached the node. */
export class RpcUnasked extends RpcFailure {}

/** A node will not answer for so many at once, or for one of them: asked about fewer, it may. */
export class RpcBadParams extends RpcFailure {}

/** More in one call than the provider's plan allows. It takes so many at the most. */
export class RpcTooMany extends RpcBadParams {
  readonly most: number;
  constructor(message: string, most: number) {
    super(message);
    this.most = most;
  }
}

/** The requested object exists but cannot be read, by us or by this node's rules: no reason to avoid the node. */
export class RpcUnreadable extends RpcFailure {}

/** The node does not have the transaction that a list was to begin or to end at. It may have pruned it, and is well. */
export class RpcNotFound extends RpcFailure {}

/** An answer about something else than was requested: the node's own fault, and not that of a sender. */
export class RpcMismatch extends RpcFailure {}
