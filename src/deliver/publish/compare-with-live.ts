import type { Day } from '../../core/dates.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { counted, listed, sentence } from '../../core/text.ts';
import { compareIndexes, type ComponentDifference, type PublishedIndex } from './index-difference.ts';
import type { Live, LiveSite } from './live.ts';

export interface NewSite {
  asOf: Day;
  index: PublishedIndex;
}

export interface CompareOptions {
  /** Where readers find the live site. */
  address: string;
  /** A person has seen the breaking changes, and accepts them. */
  accept: boolean;
  /** The command that accepts them. */
  remedy: string;
}

/** The changes that a new site would bring to readers of the live one. An error must keep it from being published. */
export function compareWithLive(
  live: Live,
  site: NewSite,
  { address, accept, remedy }: CompareOptions,
): Finding[] {
  if (live.kind === 'nothing') {
    const message = `${sentence(live.reason)} Nothing to compare with.`;
    return [{ level: 'notice', subject: 'live site', message }];
  }
  const { breaking, suspicious } =
    live.kind === 'site'
      ? findChanges(live.site, site)
      : { breaking: [problem('live site', live.reason)], suspicious: [] };
  if (breaking.length === 0) return suspicious;
  if (accept) {
    const accepted = breaking.map((finding): Finding => {
      return { ...finding, level: 'warning', message: `${sentence(finding.message)} Accepted.` };
    });
    return [...accepted, ...suspicious];
  }
  const why =
    live.kind === 'site'
      ? `readers of ${address} would lose this`
      : `${address} could not be read, so losses of its readers are unknown`;
  return [
    ...breaking,
    ...suspicious,
    problem('publish', `${why}. The live site stays as it is. To publish all the same: ${remedy}`),
  ];
}

/**
 * Breaking: readers would lose releases or components, or get an older day. Suspicious: the site takes back statements. On
 * most days these have good reasons, so they are only reported.
 */
export function findChanges(live: LiveSite, { asOf, index }: NewSite) {
  const differences = compareIndexes(live.index, index);
  const breaking = differences.flatMap(breakingChangesOf);
  if (asOf < live.asOf) {
    const message = `the site is of ${asOf}, older than the live one of ${live.asOf}`;
    breaking.unshift(problem('status.json', message));
  }
  return { breaking, suspicious: differences.flatMap(suspiciousChangesOf) };
}

function breakingChangesOf(difference: ComponentDifference): Finding[] {
  const { component, kind, removed, latest, isLatestBackwards } = difference;
  if (kind === 'removed')
    return [problem(component, `is live with ${counted(removed.length, 'release')} and not in the site`)];
  const messages: string[] = [];
  if (removed.length > 0) messages.push(`${listed(removed, 5)}: live and not in the site`);
  if (isLatestBackwards === 'unfounded')
    messages.push(`${describeLatest(latest!)}, although ${latest!.from} is not deprecated`);
  return messages.map((message) => problem(component, message));
}

function suspiciousChangesOf(difference: ComponentDifference): Finding[] {
  const { component, kind, supportedAgain, redated, latest, isLatestBackwards } = difference;
  if (kind === 'removed') return [];
  const messages: string[] = [];
  if (supportedAgain.length > 0)
    messages.push(`${listed(supportedAgain, 5)}: deprecated in the live site, and in this one no longer`);
  if (redated.length > 0)
    messages.push(`${listed(redated, 5)}: live with another day than in the site, or without one`);
  if (isLatestBackwards === 'founded') messages.push(describeLatest(latest!));
  return messages.map((message) => ({ level: 'warning', subject: component, message }));
}

function describeLatest({ from, to }: NonNullable<ComponentDifference['latest']>): string {
  return `the latest release of the live site is ${from}; of this one, ${to ?? 'there is none'}`;
}
