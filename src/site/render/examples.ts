import { compactDetails } from '../../ask/compact-details.ts';
import { detailsOf } from '../../decide/details.ts';
import { dayOf } from '../../core/dates.ts';
import type { Component, ComponentSummary } from '../../decide/component.ts';
import type { SiteContext } from './site-context.ts';
import type { SiteInput } from './site-input.ts';
import { renderMachineFiles } from './component-files.ts';
import { renderReleaseFile } from './component-json.ts';
import { renderOwnPreset, renderPreset } from './preset.ts';
import { renderBuildFiles, renderChangesFile } from './change-log.ts';
import { renderCompatibilityFile } from './compatibility.ts';
import { renderSearchedComponent } from './search-json.ts';
import {
  renderIndexFile,
  renderPackagesFile,
  renderPoliciesFile,
  renderStatusFile,
} from './site-json.ts';

/** Examples for the documentation, from the index itself. */
export interface Examples {
  /** A real document for each path, shortened to the newest two releases of one component. */
  readonly documents: ReadonlyMap<string, string>;
  /** Real values for `{component}`, `{version}`, `{change}` and `{build}`; undefined if the index has none. */
  readonly values: Readonly<Record<string, string | undefined>>;
}

export function renderExamples(site: SiteContext, input: SiteInput): Examples {
  const { summaries, changes, listed, policies, sample, firstRun } = input;
  if (!sample) {
    return { documents: new Map(), values: {} };
  }
  const { name, judgement } = sample;
  const { version } = judgement.latest ?? judgement.releases.at(-1) ?? {};
  const releases = judgement.releases.slice(-2);
  const lines = judgement.lines.filter((line) =>
    releases.some((release) => release.line === line.name),
  );
  const short: Component = {
    ...sample,
    journal: sample.journal.slice(0, 1),
    judgement: { ...judgement, releases, lines },
  };
  const summary = summaries.filter((candidate) => candidate.name === name);
  const own = listed.filter(({ component }) => component === name).slice(0, 1);
  const files = [
    ...renderMachineFiles(short, detailsOf(short), own, site),
    ...renderBuildFiles(firstRun ? [firstRun] : []).map(({ body }) => ({
      path: 'builds/{year}.json',
      body,
    })),
  ];
  const inAll = (entry: string) => `{"components": {\n"${name}": ${entry.trimEnd()}\n}}\n`;
  const newest = lines.slice(-1).map((line) => ({ ...line, releases: releases.slice(-1) }));
  const compact = compactDetails(
    detailsOf({ ...short, judgement: { ...short.judgement, lines: newest } }),
  );
  const documents = new Map([
    ...files.map(({ path, body }) => [path, body.toString()] as const),
    ['index.json', renderIndexFile(summaries.slice(0, 3))],
    ['all.json', inAll(renderReleaseFile(short))],
    ['search.json', inAll(renderSearchedComponent(compact))],
    ['status.json', renderStatusExample(site, summary)],
    ['packages.json', renderPackagesFile(summary)],
    ['compatibility.json', renderCompatibilityFile(new Map())],
    ['policies.json', renderPoliciesFile(policies.slice(0, 1))],
    ['renovate.json', renderPreset(site, summary)],
    ['renovate/own.json', renderOwnPreset(site)],
    ['changes.json', renderChangesFile(changes.slice(0, 2))],
    ['changes/{year}.json', renderChangesFile(changes.slice(0, 1))],
  ]);
  return {
    documents,
    values: { component: name, version, change: changes[0]?.id, build: firstRun?.id },
  };
}

/** Replaces each `{name}` by its value. Undefined if the text or a value is missing. */
export function withValues(
  text: string | undefined,
  values: Examples['values'],
  write: (value: string) => string = (value) => value,
): string | undefined {
  const written = text?.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : write(value);
  });
  return written?.includes('{') ? undefined : written;
}

/** The status of a day without failures. The real status would change the documentation every day. */
function renderStatusExample(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const day = dayOf(summaries[0]?.latest?.releaseTimestamp ?? '2026-01-31');
  const freshness = {
    state: 'live',
    checkedOn: day,
    changedOn: day,
    failures: 0,
    troubles: [],
  } as const;
  return renderStatusFile(
    { ...site, day },
    {
      summaries: summaries.map((summary) => ({ ...summary, freshness })),
      inputs: `sha256:${'0'.repeat(64)}`,
      runs: [],
      delay: undefined,
    },
  );
}
