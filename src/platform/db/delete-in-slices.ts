/**
 * Deletes what has served its time, so many rows by a statement that no lock is held long, until a slice is not full.
 * Returns how many were deleted.
 */
export async function deleteInSlices(
  slice: number,
  deleteSome: (limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let deleted = 0;
  while (!signal?.aborted) {
    const count = await deleteSome(slice);
    deleted += count;
    if (count < slice) break;
  }
  return deleted;
}
