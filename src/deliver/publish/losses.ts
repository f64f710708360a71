import type { Day } from '../../core/dates.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { counted, listed } from '../../core/text.ts';
import { compareIndexes, type ComponentDifference, type PublishedIndex } from './diff.ts';
import type { LiveSite } from './live.ts';

/** What readers of the live site would lose. Each is a reason not to publish, unless a person accepts it. */
export function findLosses(live: LiveSite, asOf: Day, index: PublishedIndex): Finding[] {
  const losses = compareIndexes(live.index, index).flatMap(lossesOf);
  if (asOf >= live.asOf) return losses;
  return [
    problem('status.json', `the site is of ${asOf}, older than what is live, of ${live.asOf}`),
    ...losses,
  ];
}

/** What readers were told before and is no longer said. It has good reasons on most days, so it is only named. */
export function findSetbacks(live: LiveSite, index: PublishedIndex): Finding[] {
  return compareIndexes(live.index, index).flatMap(setbacksOf);
}

function lossesOf({ component, kind, removed, latest, isLatestBackwards }: ComponentDifference): Finding[] {
  if (kind === 'removed')
    return [problem(component, `is live with ${counted(removed.length, 'release')} and not in the site`)];
  const findings: Finding[] = [];
  if (removed.length > 0)
    findings.push(problem(component, `${listed(removed, 5)}: live and not in the site`));
  if (isLatestBackwards === 'unfounded') {
    const { from } = latest!;
    findings.push(problem(component, `${latestMoved(latest!)}, although ${from} is not deprecated`));
  }
  return findings;
}

function setbacksOf(difference: ComponentDifference): Finding[] {
  const { component, kind, supportedAgain, redated, latest, isLatestBackwards } = difference;
  if (kind === 'removed') return [];
  const messages: string[] = [];
  if (supportedAgain.length > 0)
    messages.push(`${listed(supportedAgain, 5)}: deprecated in what is live, and in the site no longer`);
  if (redated.length > 0)
    messages.push(`${listed(redated, 5)}: live with another day than in the site, or without one`);
  if (isLatestBackwards === 'founded') messages.push(latestMoved(latest!));
  return messages.map((message) => ({ level: 'warning', subject: component, message }));
}

function latestMoved({ from, to }: NonNullable<ComponentDifference['latest']>): string {
  const now = to === undefined ? 'there is no latest release at all' : `its latest is ${to}`;
  return `live, its latest is ${from}; in the site, ${now}`;
}
