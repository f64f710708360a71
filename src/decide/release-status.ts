import type { JudgedRelease } from './judge.ts';

/** `listed`: it may be used, but no support policy promises anything. */
export type ReleaseStatus = 'supported' | 'listed' | 'deprecated' | 'withdrawn';

/** The verdict in a word. */
export function statusOf(release: JudgedRelease): ReleaseStatus {
  if (release.reasons.some((reason) => reason.rule === 'withdrawn')) return 'withdrawn';
  if (release.isDeprecated) return 'deprecated';
  return release.isSupported === undefined ? 'listed' : 'supported';
}
