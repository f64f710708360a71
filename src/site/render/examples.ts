import { cyclesOfVersion0 } from '../../core/endoflife.ts';
import { detailsOf } from '../../decide/details.ts';
import { dayOf } from '../../core/dates.ts';
import type { PublishedNamedPolicy } from '../../core/schemas/published/small-files.ts';
import type { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import type { ListedChange } from '../../decide/journal/published-events.ts';
import type { Component, ComponentSummary } from '../../decide/component.ts';
import type { SiteContext } from './site-context.ts';
import { renderCleFile } from './cle-json.ts';
import { renderComponentFeed } from './atom.ts';
import { renderBadgeFile, renderBadgePicture } from './badge.ts';
import { renderComponentCalendar } from './calendar.ts';
import { renderDetailsFile, renderReleaseFile } from './component-json.ts';
import { renderPreset } from './preset.ts';
import { renderChangesFile } from './change-log.ts';
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
}

/** For each path a real document, shortened to the newest two releases of one component. */
export function renderExamples(
  site: SiteContext,
  { summaries, changes, listed, policies, sample }: ExampleInput,
): ReadonlyMap<string, string> {
  const { name, judgement } = sample;
  const releases = judgement.releases.slice(-2);
  const lines = judgement.lines.filter((line) => releases.some((release) => release.line === line.name));
  const short: Component = { ...sample, judgement: { ...judgement, releases, lines } };
  const newest = newestLine(short);
  const summary = summaries.filter((candidate) => candidate.name === name);
  const releaseFile = renderReleaseFile(short);
  const details = detailsOf(short);
  return new Map([
    ['{component}.json', releaseFile],
    ['index.json', renderIndexFile(summaries.slice(0, 3).map((candidate) => candidate.name))],
    ['all.json', `{"components": {\n"${name}": ${releaseFile.trimEnd()}\n}}\n`],
    [
      'search.json',
      `{"components": {\n"${name}": ${renderSearchedComponent(detailsOf(newest), newest.judgement).trimEnd()}\n}}\n`,
    ],
    ['lines.json', `{"components": {\n"${name}": ${renderLatestOfLines(detailsOf(newest)).trimEnd()}\n}}\n`],
    ['details/{component}.json', renderDetailsFile(details)],
    ...(judgement.latest ? [['latest/{component}.txt', `${judgement.latest.version}\n`] as const] : []),
    ['status.json', renderStatusExample(site, summary)],
    ['packages.json', renderPackagesFile(summary)],
    ['policies.json', renderPoliciesFile(policies.slice(0, 1))],
    ['renovate.json', renderPreset(site, summary)],
    ['cle/{component}.json', renderCleFile(site, { name, journal: sample.journal.slice(0, 1) })],
    ['endoflife/api/{component}.json', `${JSON.stringify(cyclesOfVersion0(details))}\n`],
    ['changes.json', renderChangesFile(changes.slice(0, 2))],
    ['changes/{year}.json', renderChangesFile(changes.slice(0, 1))],
    [
      'feeds/{component}.atom',
      renderComponentFeed(short, listed.filter(({ component }) => component === name).slice(0, 1), site),
    ],
    ['calendars/{component}.ics', renderComponentCalendar(short, site)],
    ['badges/{component}.json', renderBadgeFile(sample)],
    ['badges/{component}.svg', renderBadgePicture(sample)],
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
