import { counted } from '../../core/text.ts';
import type { GatherResult } from './gather-component.ts';

/** In a run of more components, the log has a line for every hundredth part. */
const mostLines = 500;

/** Before this, a run says more about its start than about its end. */
const leastElapsedMs = 5_000;

/** Counts the components that are finished, and tells how far the run is. */
export function createProgress(all: number, tell: (text: string) => void): (result: GatherResult) => void {
  const start = performance.now();
  const step = all > mostLines ? Math.ceil(all / 100) : 1;
  let done = 0;
  return (result) => {
    done += 1;
    if (done % step !== 0 && done !== all) return;
    const left = timeLeft(performance.now() - start, done, all);
    const what = `${result.component}: ${describeResult(result)}`;
    tell(`gather ${done}/${all} ${what}${left === '' ? '' : `; ${left}`}`);
  };
}

/** How long the rest will take at the pace so far, in words; empty while that would be a guess. */
export function timeLeft(elapsedMs: number, done: number, all: number): string {
  if (elapsedMs < leastElapsedMs || done === 0 || done >= all) return '';
  const seconds = Math.ceil(((elapsedMs / done) * (all - done)) / 1000);
  if (seconds < 90) return `about ${seconds} s left`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `about ${minutes} min left` : `about ${Math.round(minutes / 60)} h left`;
}

function describeResult({ sources, changes, releases }: GatherResult): string {
  const failed = sources.filter((source) => source.kind === 'failed').length;
  const held = sources.filter((source) => source.kind === 'held').length;
  const parts = [counted(releases.length, 'release')];
  if (changes.length > 0) parts.push(counted(changes.length, 'change'));
  if (held > 0) parts.push(`${held} of ${counted(sources.length, 'source')} held`);
  if (failed > 0) parts.push(`${failed} of ${counted(sources.length, 'source')} failed`);
  return parts.join(', ');
}
