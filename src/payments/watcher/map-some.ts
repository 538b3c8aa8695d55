/** Maps a list, with at most `atOnce` under way; the answers are in the order of the list. */
export async function mapSome<In, Out>(
  items: readonly In[],
  atOnce: number,
  work: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const answers: Out[] = new Array(items.length);
  let next = 0;
  const one = async () => {
    for (let i = next++; i < items.length; i = next++) answers[i] = await work(items[i]!);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, one));
  return answers;
}
