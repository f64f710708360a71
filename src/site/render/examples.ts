import { compactDetails } from '../../ask/compact-details.ts';
import { detailsOf } from '../../decide/details.ts';
import { dayOf } from '../../core/dates.ts';
import type { PublishedNamedPolicy } from '../../core/schemas/published/small-files.ts';
import type { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import type { Run } from '../../core/schemas/journal.ts';
import type { ListedChange } from '../../decide/journal/published-events.ts';
import type { Component, ComponentSummary } from '../../decide/component.ts';
import type { SiteContext } from './site-context.ts';
import { renderMachineFiles } from './component-files.ts';
import { renderReleaseFile } from './component-json.ts';
import { renderPreset } from './preset.ts';
import { renderBuildFiles, renderChangesFile } from './change-log.ts';
import { renderLatestOfLines, renderSearchedComponent } from './search-json.ts';
import { renderIndexFile, renderPackagesFile, renderPoliciesFile, renderStatusFile } from './site-json.ts';

export interface ExampleInput {
  summaries: readonly ComponentSummary[];
  /** Newest first. */
  changes: readonly PublishedChange[];
  listed: readonly ListedChange[];
  policies: readonly PublishedNamedPolicy[];
  /** The component that the examples are of. */
  sample: Component;
  firstRun: Run | undefined;
}

/** For each path a real document, shortened to the newest two releases of one component. */
export function renderExamples(
  site: SiteContext,
  { summaries, changes, listed, policies, sample, firstRun }: ExampleInput,
): ReadonlyMap<string, string> {
  const { name, judgement } = sample;
  const releases = judgement.releases.slice(-2);
  const lines = judgement.lines.filter((line) => releases.some((release) => release.line === line.name));
  const short: Component = {
    ...sample,
    journal: sample.journal.slice(0, 1),
    judgement: { ...judgement, releases, lines },
  };
  const newest = newestLine(short);
  const summary = summaries.filter((candidate) => candidate.name === name);
  const own = listed.filter(({ component }) => component === name).slice(0, 1);
  const ofComponent = Array.from(
    renderMachineFiles(short, detailsOf(short), own, site),
    ({ path, body }) => [path, body.toString()] as const,
  );
  const inAll = (entry: string) => `{"components": {\n"${name}": ${entry.trimEnd()}\n}}\n`;
  const compact = compactDetails(detailsOf(newest));
  return new Map([
    ...ofComponent,
    ['index.json', renderIndexFile(summaries.slice(0, 3).map((candidate) => candidate.name))],
    ['all.json', inAll(renderReleaseFile(short))],
    ['search.json', inAll(renderSearchedComponent(compact, newest.judgement))],
    ['lines.json', inAll(renderLatestOfLines(compact))],
    ['status.json', renderStatusExample(site, summary)],
    ['packages.json', renderPackagesFile(summary)],
    ['policies.json', renderPoliciesFile(policies.slice(0, 1))],
    ['renovate.json', renderPreset(site, summary)],
    ['changes.json', renderChangesFile(changes.slice(0, 2))],
    ['changes/{year}.json', renderChangesFile(changes.slice(0, 1))],
    ...renderBuildFiles(firstRun ? [firstRun] : []).map(
      ({ body }) => ['builds/{year}.json', String(body)] as const,
    ),
  ]);
}

/** The component with only its newest line. */
function newestLine(short: Component): Component {
  const { judgement } = short;
  const releases = judgement.releases.slice(-1);
  const lines = judgement.lines.slice(-1).map((line) => ({ ...line, releases }));
  return { ...short, judgement: { ...judgement, lines } };
}

/** The status of a day without failures. The real one would change the documentation every day. */
function renderStatusExample(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const day = dayOf(summaries[0]?.latest?.releaseTimestamp ?? '2026-01-31');
  const freshness = { state: 'live', checkedOn: day, changedOn: day, failures: 0, troubles: [] } as const;
  return renderStatusFile(
    { ...site, day },
    summaries.map((summary) => ({ ...summary, freshness })),
    `sha256:${'0'.repeat(64)}`,
  );
}
