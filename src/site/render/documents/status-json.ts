import { addDays, cutDay, isDay, type Day } from '../../../core/model/dates.ts';
import { dropEmpty, listDistinct, pick } from '../../../core/model/objects.ts';
import type { Definition } from '../../../core/schemas/definition/definition.ts';
import type { ComponentStatus, StatusFile } from '../../../core/schemas/published/status-file.ts';
import type { Component } from '../../../decide/component.ts';
import type { ComponentSummary } from '../../../decide/component-summary.ts';
import { listComponentPackages } from '../../../core/model/package-names.ts';
import type { SiteContext, SiteInput } from '../site-context.ts';

/** `status.json` covers 90 days: those after this one. */
export function findStatusStart(day: Day): Day {
  return addDays(day, -90);
}

/** `status.json`: the freshness of the index. `inputs`: the digest of everything that the site was built from. */
export function renderStatusFile(
  site: SiteContext,
  { summaries, inputs, runs, delay }: Pick<SiteInput, 'summaries' | 'inputs' | 'runs' | 'delay'>,
): string {
  const components = Object.fromEntries(
    summaries.map((summary) => [summary.name, summariseComponentStatus(summary)]),
  );
  const document: StatusFile = {
    asOf: site.day,
    staleAfterDays: site.config.staleAfterDays,
    inputs,
    components,
    runs: dropEmpty(
      runs.map((run) => ({
        ...pick(run, ['id', 'asOf', 'at', 'published', 'startedAt', 'finishedAt', 'asked']),
        troubles: run.troubles?.length ?? 0,
        events: run.events,
      })),
    ),
    delay,
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** The names and packages of a component in `status.json`. */
export function collectNames(definition: Definition) {
  const { title, aliases = [], renamedFrom = [] } = definition;
  return {
    title,
    aliases: listDistinct([...aliases, ...renamedFrom]),
    packages: dropEmpty(listComponentPackages(definition)),
  };
}

/** The entry of a component in `status.json`. */
export function summariseComponentStatus({
  definition,
  freshness,
  releaseCount,
  latest,
}: Pick<
  ComponentSummary,
  'definition' | 'freshness' | 'releaseCount' | 'latest'
>): ComponentStatus {
  return {
    ...collectNames(definition),
    state: freshness.state,
    lastChecked: freshness.checkedOn,
    lastChanged: freshness.changedOn,
    consecutiveFailures: freshness.failures,
    releases: releaseCount,
    latest: latest?.version,
    troubles: dropEmpty(freshness.troubles),
  };
}

const msPerHour = 3_600_000;

/** The hours between the publication of each release and the run of these 90 days that recorded it, where its instant is stated. */
export function listRecordingDelays({
  judgement,
  journal,
}: Pick<Component, 'judgement' | 'journal'>): number[] {
  const instants = new Map<string | undefined, number>();
  for (const { version, timestampKind, recorded } of judgement.releases) {
    const { releaseTimestamp = '' } = recorded;
    if (timestampKind === 'published' && !isDay(releaseTimestamp)) {
      instants.set(version, Date.parse(releaseTimestamp));
    }
  }

  const after = findStatusStart(judgement.day);
  const delays: number[] = [];
  for (const { type, at, initial, version } of journal) {
    const instant = instants.get(version);
    if (type === 'released' && !initial && cutDay(at) > after && instant !== undefined) {
      delays.push(Math.max(0, Math.round((Date.parse(at) - instant) / msPerHour)));
    }
  }
  return delays;
}

/** The number of measured releases, with the median and the greatest delay. */
export function summariseDelays(delays: readonly number[]): StatusFile['delay'] {
  const sorted = delays.toSorted((a, b) => a - b);
  const medianHours = sorted[Math.floor((sorted.length - 1) / 2)];
  const worstHours = sorted.at(-1);
  if (medianHours === undefined || worstHours === undefined) {
    return undefined;
  }

  return { releases: sorted.length, medianHours, worstHours };
}
