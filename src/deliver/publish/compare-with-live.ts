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
  const breaking =
    live.kind === 'site' ? breakingChanges(live.site, site) : [problem('live site', live.reason)];
  if (breaking.length === 0) return [];
  if (accept)
    return breaking.map((finding): Finding => {
      return { ...finding, level: 'warning', message: `${sentence(finding.message)} Accepted.` };
    });
  const why =
    live.kind === 'site'
      ? `readers of ${address} would lose this`
      : `${address} could not be read, so losses of its readers are unknown`;
  return [
    ...breaking,
    problem('publish', `${why}. The live site stays as it is. To publish all the same: ${remedy}`),
  ];
}

/** Readers would lose releases or components, or get an older day. */
export function breakingChanges(live: LiveSite, { asOf, index }: NewSite): Finding[] {
  const breaking = compareIndexes(live.index, index).flatMap(breakingChangesOf);
  if (asOf >= live.asOf) return breaking;
  return [
    problem('status.json', `the site is of ${asOf}, older than the live one of ${live.asOf}`),
    ...breaking,
  ];
}

function breakingChangesOf(difference: ComponentDifference): Finding[] {
  const { component, kind, removed, latest, isLatestWrong } = difference;
  if (kind === 'removed')
    return [problem(component, `is live with ${counted(removed.length, 'release')} and not in the site`)];
  const messages: string[] = [];
  if (removed.length > 0) messages.push(`${listed(removed, 5)}: live and not in the site`);
  if (latest && isLatestWrong)
    messages.push(
      `the latest release of the live site is ${latest.from}; of this one, ${latest.to ?? 'none'}, although ${latest.from} is not deprecated`,
    );
  return messages.map((message) => problem(component, message));
}
