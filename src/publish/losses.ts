import type { Day } from '../dates.ts';
import { problem, type Finding } from '../model/finding.ts';
import { counted, listed } from '../text.ts';
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

function lossesOf({ component, kind, removed, latest, isLatestBackwards }: ComponentDifference): Finding[] {
  if (kind === 'removed')
    return [problem(component, `is live with ${counted(removed.length, 'release')} and not in the site`)];
  const findings: Finding[] = [];
  if (removed.length > 0)
    findings.push(problem(component, `${listed(removed, 5)}: live and not in the site`));
  if (isLatestBackwards) {
    const { from, to } = latest!;
    const now = to === undefined ? 'there is no latest release at all' : `its latest is ${to}`;
    const message = `live, its latest is ${from}; in the site, ${now}, although ${from} is not deprecated`;
    findings.push(problem(component, message));
  }
  return findings;
}
