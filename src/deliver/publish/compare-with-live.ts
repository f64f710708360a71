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
  const suspicious = live.kind === 'site' ? findSuspiciousChanges(live.site, site.index) : [];
  const breaking =
    live.kind === 'site' ? findBreakingChanges(live.site, site) : [problem('live site', live.reason)];
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

/** Releases and components that readers would lose, and an older day. */
export function findBreakingChanges(live: LiveSite, { asOf, index }: NewSite): Finding[] {
  const changes = compareIndexes(live.index, index).flatMap(breakingChangesOf);
  if (asOf >= live.asOf) return changes;
  return [
    problem('status.json', `the site is of ${asOf}, older than the live one of ${live.asOf}`),
    ...changes,
  ];
}

function breakingChangesOf({
  component,
  kind,
  removed,
  latest,
  isLatestBackwards,
}: ComponentDifference): Finding[] {
  if (kind === 'removed')
    return [problem(component, `is live with ${counted(removed.length, 'release')} and not in the site`)];
  const findings: Finding[] = [];
  if (removed.length > 0)
    findings.push(problem(component, `${listed(removed, 5)}: live and not in the site`));
  if (isLatestBackwards === 'unfounded') {
    const { from } = latest!;
    findings.push(problem(component, `${describeLatest(latest!)}, although ${from} is not deprecated`));
  }
  return findings;
}

/** Statements taken back. On most days they have good reasons, so they are only reported. */
function findSuspiciousChanges(live: LiveSite, index: PublishedIndex): Finding[] {
  return compareIndexes(live.index, index).flatMap(
    ({ component, kind, supportedAgain, redated, latest, isLatestBackwards }) => {
      if (kind === 'removed') return [];
      const messages: string[] = [];
      if (supportedAgain.length > 0)
        messages.push(`${listed(supportedAgain, 5)}: deprecated in the live site, and in this one no longer`);
      if (redated.length > 0)
        messages.push(`${listed(redated, 5)}: live with another day than in the site, or without one`);
      if (isLatestBackwards === 'founded') messages.push(describeLatest(latest!));
      return messages.map((message): Finding => ({ level: 'warning', subject: component, message }));
    },
  );
}

function describeLatest({ from, to }: NonNullable<ComponentDifference['latest']>): string {
  return `the latest release of the live site is ${from}; of this one, ${to ?? 'there is none'}`;
}
