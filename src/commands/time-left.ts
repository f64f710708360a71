/** Before this, a run says more about its start than about its end. */
const leastElapsedMs = 5_000;

/** How long the rest will take at the pace so far, in words; empty while that would be a guess. */
export function timeLeft(elapsedMs: number, done: number, all: number): string {
  if (elapsedMs < leastElapsedMs || done === 0 || done >= all) return '';
  const seconds = Math.ceil(((elapsedMs / done) * (all - done)) / 1000);
  if (seconds < 90) return `about ${seconds} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `about ${minutes} min left` : `about ${Math.round(minutes / 60)} h left`;
}
