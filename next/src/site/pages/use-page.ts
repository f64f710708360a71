/** The view of `use.html`: what to copy into Renovate, pipelines, and an index of one's own. */
import type { Index } from '../../core/judged-index.ts';
import { listPackageConditions } from '../renovate/conditions.ts';
import { writeComment } from '../words.ts';

export function viewUse({ settings, components }: Index) {
  const { datasource, signingPublicKey, hosting } = settings;
  const example = components.find(({ latest }) => latest !== undefined);
  return {
    example: example?.component,
    latest: example?.latest,
    comment: example && writeComment(datasource, example.component),
    publicKey: signingPublicKey,
    hasWorker: hosting === undefined || hosting === 'cloudflare',
    waitingRules: JSON.stringify(
      { packageRules: listWaitingRules(datasource, components) },
      undefined,
      2,
    ),
  };
}

/** Rules by which the packages of the index do not wait, neither below a comment nor where Renovate finds them by itself. */
function listWaitingRules(datasource: string, components: Index['components']): object[] {
  const packages = listPackageConditions(components);
  return [{ matchDatasources: [`custom.${datasource}`] }, ...packages].map((conditions) => ({
    ...conditions,
    minimumReleaseAge: '0 days',
  }));
}
