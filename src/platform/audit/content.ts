/**
 * The content that the hash of a row covers besides the previous hash, as SQL. The trigger that writes the hash does
 * the same; verifying does not rely on it, because anyone who can change rows may have changed it too.
 */
export const CONTENT = `jsonb_build_array(merchant_id, id, actor, action, target_id, detail,
  to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'))::text`;
