import type { Day } from '../../core/dates.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { sentence } from '../../core/text.ts';
import type { PublishedIndex } from './diff.ts';
import type { Live } from './live.ts';
import { findLosses, findSetbacks } from './losses.ts';

export interface Weighing {
  /** Where readers find what is live. */
  address: string;
  asOf: Day;
  index: PublishedIndex;
  /** A person has looked at what readers would lose, and accepts it. */
  accept: boolean;
  /** The command that accepts. */
  remedy: string;
}

/** What speaks against putting a site in the place of what is live. An error refuses it. */
export function weighLive(live: Live, { address, asOf, index, accept, remedy }: Weighing): Finding[] {
  if (live.kind === 'nothing') {
    const message = `${sentence(live.reason)} Nothing to compare with.`;
    return [{ level: 'notice', subject: 'live site', message }];
  }
  const setbacks = live.kind === 'site' ? findSetbacks(live.site, index) : [];
  const losses =
    live.kind === 'site' ? findLosses(live.site, asOf, index) : [problem('live site', live.reason)];
  if (losses.length === 0) return setbacks;
  if (accept) {
    const accepted = losses.map((loss): Finding => {
      return { ...loss, level: 'warning', message: `${sentence(loss.message)} Accepted.` };
    });
    return [...accepted, ...setbacks];
  }
  const why =
    live.kind === 'site'
      ? `readers of ${address} would lose this`
      : `what readers of ${address} would lose cannot be known, as it cannot be compared with what is live`;
  return [
    ...losses,
    ...setbacks,
    problem('publish', `${why}. What is live stays live. If it is right all the same: ${remedy}`),
  ];
}
