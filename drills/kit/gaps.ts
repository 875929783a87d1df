// How long nothing was acknowledged: what merchants notice of a failover or of a move.

/** The times between acknowledgements from one moment to another, which count as the first and the last. */
export function listGaps(
  acknowledgedAt: readonly number[],
  { from, until }: { readonly from: number; readonly until: number },
): readonly { readonly ms: number; readonly endedAt: number }[] {
  const times = [...acknowledgedAt.filter((at) => at > from && at < until), until];
  return times.map((at, index) => ({ ms: Math.round(at - (times[index - 1] ?? from)), endedAt: at }));
}
