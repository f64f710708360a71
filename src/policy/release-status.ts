import type { JudgedRelease } from './judge.ts';

export type ReleaseStatus = 'supported' | 'deprecated' | 'withdrawn';

/** The verdict in a word. */
export function statusOf(release: JudgedRelease): ReleaseStatus {
  if (release.reasons.some((reason) => reason.rule === 'withdrawn')) return 'withdrawn';
  return release.isDeprecated ? 'deprecated' : 'supported';
}
