import { listDistinct, pick } from '../../../core/model/objects.ts';
import type { Definition } from '../../../core/schemas/definition/definition.ts';
import type { ComponentStatus } from '../../../core/schemas/published/status-file.ts';
import type { Run } from '../../../core/schemas/recorded/journal.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import type { JudgedRelease } from '../../../decide/judge.ts';
import { listPackages } from '../../component-names.ts';
import type { SiteContext, SiteInput } from '../site-context.ts';

/** The period that `status.json` covers. */
export const statusDays = 90;

/**
 * `status.json`: the freshness of the index. Only this document, the runs of the year, `assets/today.css` and `SHA256SUMS` change
 * every day. `inputs`: the digest of the definitions and recorded data that the site was built from.
 */
export function renderStatusFile(
  site: SiteContext,
  { summaries, inputs, runs, delay }: Pick<SiteInput, 'summaries' | 'inputs' | 'runs' | 'delay'>,
): string {
  const components = Object.fromEntries(
    summaries.map((summary) => [summary.name, summariseComponentStatus(summary)]),
  );
  const { staleAfterDays } = site.config;
  const recent = runs.length === 0 ? undefined : runs.map(toPublishedRun);
  const document = { asOf: site.day, staleAfterDays, inputs, components, runs: recent, delay };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function toPublishedRun(run: Run): object {
  const { troubles = [], events } = run;
  return {
    ...pick(run, ['id', 'asOf', 'at', 'published', 'startedAt', 'finishedAt', 'asked']),
    troubles: troubles.length,
    events,
  };
}

/** The names and packages of a component in `status.json`. */
export function describeNames(definition: Definition) {
  const { title, aliases = [], renamedFrom = [] } = definition;
  const packages = listPackages(definition);
  return {
    title,
    aliases: listDistinct([...aliases, ...renamedFrom]),
    packages: packages.length > 0 ? packages : undefined,
  };
}

/** The entry of a component in `status.json`. */
export function summariseComponentStatus({
  definition,
  freshness,
  releases,
  latest,
}: Pick<ComponentSummary, 'definition' | 'freshness' | 'releases'> & {
  readonly latest?: JudgedRelease | undefined;
}): ComponentStatus {
  return {
    ...describeNames(definition),
    state: freshness.state,
    lastChecked: freshness.checkedOn,
    lastChanged: freshness.changedOn,
    consecutiveFailures: freshness.failures,
    releases,
    latest: latest?.version,
    troubles: freshness.troubles.length > 0 ? [...freshness.troubles] : undefined,
  };
}
