import { formatCount } from '../core/text/wording.ts';
import type { Publication, PublicationPlan } from '../deliver/publish/publication.ts';

/** Why nothing was sent, although nothing prevented it. */
const notSent = {
  planned: 'Nothing was sent: this was a dry run.',
  unchanged: 'Nothing was sent: the live site is the same.',
  ready: 'Not sent: only the workflow deploys to GitHub Pages.',
};

/** The report for a person, without the findings. */
export function describePublication(publication: Publication): string[] {
  switch (publication.kind) {
    case 'failed':
      return [];
    case 'refused':
      return ['Nothing was sent.'];
    case 'published': {
      const { plan, versionId, verifiedFiles } = publication;
      const files = `${formatCount(verifiedFiles, 'file')} read back and verified`;
      const version = versionId === undefined ? '' : ` version ${versionId}`;
      return [describePlan(plan), `Published${version}: ${files} at ${plan.baseUrl}`];
    }
    default:
      return [describePlan(publication.plan), notSent[publication.kind]];
  }
}

function describePlan(plan: PublicationPlan): string {
  const { baseUrl, files, changed, gone, liveAsOf, protect, keys } = plan;
  const keyCount = keys === undefined ? '' : ` (${formatCount(keys, 'access key')})`;
  const protection = protect ? `; protects ${protect}${keyCount}` : '';
  const comparison =
    liveAsOf === undefined
      ? 'all of them new'
      : `compared with the live site (as of ${liveAsOf}): ${changed.length} changed, ${gone.length} gone`;
  return `${baseUrl}: ${formatCount(files, 'file')}${protection}; ${comparison}.`;
}
