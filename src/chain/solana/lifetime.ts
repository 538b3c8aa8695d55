/** Nodes are not all at the same block: a transaction counts as lost only well past its last valid block. */
export const MARGIN_BLOCKS = 32n;
