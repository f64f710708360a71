import { compareIndexes, type ComponentDifference } from './diff.ts';
import type { PublishedIndex } from './published-index.ts';
import type { Day } from '../dates.ts';
import type { Finding } from '../model/finding.ts';
import type { LiveSite } from './live.ts';

const namedAtMost = 5;

/** What readers of the live site would lose. Each is a reason not to publish, unless a person accepts it. */
export function findLosses(live: LiveSite, asOf: Day, index: PublishedIndex): Finding[] {
  const findings: Finding[] = [];
  if (asOf < live.asOf) {
    findings.push(loss('status.json', `the site is of ${asOf}, older than what is live, of ${live.asOf}`));
  }
  for (const difference of compareIndexes(live.index, index)) findings.push(...lossesOf(difference));
  return findings;
}

function lossesOf({ component, kind, removed, latest, isLatestBackwards }: ComponentDifference): Finding[] {
  if (kind === 'removed')
    return [loss(component, `is live with ${removed.length} releases and not in the site`)];
  const findings: Finding[] = [];
  if (removed.length > 0) {
    const more = removed.length > namedAtMost ? ` and ${removed.length - namedAtMost} more` : '';
    findings.push(
      loss(component, `${removed.slice(0, namedAtMost).join(', ')}${more}: live and not in the site`),
    );
  }
  if (isLatestBackwards) {
    const { from, to } = latest!;
    const now = to === undefined ? 'no latest release at all' : `its latest is ${to}`;
    findings.push(
      loss(component, `live, its latest is ${from}; in the site, ${now}, although ${from} is not deprecated`),
    );
  }
  return findings;
}

function loss(subject: string, message: string): Finding {
  return { level: 'error', subject, message };
}
