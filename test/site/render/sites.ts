import type { Day } from '../../../src/core/model/dates.ts';
import { FullDefinition } from '../../../src/record/read-definition.ts';
import type { Component } from '../../../src/decide/component.ts';
import { summarise, type ComponentSummary } from '../../../src/decide/component-summary.ts';
import { judgeRecorded } from '../../../src/decide/judge.ts';
import { openChangeLog } from '../../../src/site/render/documents/change-log.ts';
import type { JournalEvent } from '../../../src/core/schemas/recorded/journal.ts';
import {
  describeChange,
  numberEvents,
} from '../../../src/record/journal/events/describe-change.ts';
import { foldJournal } from '../../../src/decide/fold-journal.ts';
import { listChangeEntries } from '../../../src/record/journal/events/change-entries.ts';
import { toPublishedEvents } from '../../../src/decide/event-words.ts';
import { renderContents } from '../../../src/site/render/component-files.ts';
import { renderComponentPage } from '../../../src/site/render/html/component-page.ts';
import type { SiteContext } from '../../../src/site/render/site-context.ts';
import type { RecordedRelease } from '../../../src/core/schemas/recorded/recorded.ts';
import { fixtureTheme } from '../../harness/snippets.ts';
import { recordOn, rootOf, siteOf } from '../../harness/site.ts';

export const today: Day = '2026-06-30';

export const site: SiteContext = {
  config: {
    title: 'Release index',
    description: 'Every release.',
    datasource: 'release-index',
    releasesUrl: 'https://releases.example.com',
    repositoryUrl: 'https://github.com/example/release-index',
    staleAfterDays: 3,
  },
  baseUrl: 'https://releases.example.com',
  day: today,
  theme: fixtureTheme,
};

type DefinitionInput = Partial<FullDefinition>;

export function definitionOf(input: DefinitionInput): FullDefinition {
  return FullDefinition.parse({
    title: 'Server',
    homepage: 'https://example.com/svc',
    changelogUrl: 'https://example.com/svc/releases',
    sources: [],
    ...input,
  });
}

/** A component as a build of the day sees it. */
export function componentOf(
  releases: readonly RecordedRelease[],
  input: DefinitionInput = {},
  {
    name = 'svc',
    day = today,
    journal = [],
  }: { name?: string; day?: Day; journal?: JournalEvent[] } = {},
): Component {
  const definition = definitionOf(input);
  const judged = judgeRecorded(name, definition, { releases: [...releases] }, day);
  return { ...judged, journal, freshness: { state: 'static', failures: 0, troubles: [] } };
}

/** The journal of a component after one more run, as of the day that it was judged for. */
export function recordedBy(
  component: Component,
  before: readonly JournalEvent[] = [],
  at = `${component.judgement.day}T00:00:00.000Z`,
): JournalEvent[] {
  const drafts = describeChange(foldJournal(before), component, component.judgement.day);
  return [...before, ...numberEvents(before, drafts, at, component)];
}

/** The page of a component. */
export function pageOf(component: Component): string {
  return renderComponentPage(component, renderContents(component, site), site, new Map());
}

/** The changes of an index of components with these journals. */
export function changeLogOf(...journals: readonly (readonly JournalEvent[])[]) {
  const log = openChangeLog();
  for (const journal of journals) {
    const changes = toPublishedEvents(journal);
    log.add(changes, listChangeEntries(changes));
  }
  return log;
}

export function summariesOf(...components: readonly Component[]): ComponentSummary[] {
  return components.map(summarise);
}

/** Builds a site of components with the strangest content that the rules admit. Returns its folder. */
export async function buildOddSite(day: Day = today, baseUrl?: string): Promise<string> {
  const components = Object.entries(oddComponents).map(
    ([name, { definition, ...recorded }]) =>
      [name, { definition: definitionOf(definition), ...recorded }] as const,
  );
  const root = rootOf(Object.fromEntries(components));
  await recordOn(root, '2025-12-31', '2026-03-10', day);
  return siteOf(root, day, baseUrl);
}

const hostileText = `</title><script>alert(1)</script> "quoted" & 'single'; a\\b, ${'ü€😀'.repeat(12)} \u202E]]>`;

const oddComponents: Record<string, { definition: DefinitionInput; releases?: RecordedRelease[] }> =
  {
    '0': { definition: { title: hostileText, description: hostileText } },
    'all-deprecated': {
      definition: {
        title: 'Old',
        support: { policy: 'ended', until: '2026-01-31', reason: hostileText },
      },
      releases: [{ version: '1.0', releaseTimestamp: '2020-02-29' }, { version: '1.1' }],
    },
    corrected: {
      definition: {
        support: { policy: 'dated', lines: { '1.1': '2026-05-31', '1.2': '2026-12-31' }, line: 2 },
        deprecated: [
          {
            versions: '<1.1',
            reason: hostileText,
            url: 'https://example.com/why',
            since: '2026-02-01',
          },
        ],
        releaseChangelogUrl: {
          template: 'https://example.com/{versionDashed}?v={version}',
          since: '1.1',
        },
      },
      releases: [
        {
          version: '1.0',
          releaseTimestamp: '2025-01-01T10:11:12.345Z',
          source: 'npm:a',
          firstSeen: '2026-01-02',
        },
        {
          version: '1.1',
          releaseTimestamp: '2025-06-01',
          timestampKind: 'observed',
          source: 'npm:a',
          alsoListedBy: ['maven:b:c'],
          firstSeen: '2026-01-02',
          deprecated: hostileText,
          deprecatedSince: '2026-03-01',
          republished: { on: '2026-03-04', from: `file ${hostileText}`, to: hostileText },
        },
        { version: '1.2', source: 'npm:a', firstSeen: '2026-01-02', withdrawnSince: '2026-06-01' },
        {
          version: '1.2.1',
          releaseTimestamp: '2026-06-30',
          source: 'npm:a',
          firstSeen: '2026-06-30',
        },
      ],
    },
    'only-prereleases': {
      definition: { prereleases: true },
      releases: [
        {
          version: '2.0-rc.1',
          releaseTimestamp: '2026-01-01',
          changelogUrl: 'https://example.com/2.0-rc.1',
        },
        { version: '2.0', releaseTimestamp: '2026-02-01', isPrerelease: true },
      ],
    },
    strange: {
      definition: {
        support: { policy: 'latest-lines', count: 1, line: 1 },
        releaseChangelogUrl: { template: 'https://example.com/{version}' },
      },
      releases: [
        { version: `v1.2.3.4.5.6${'x'.repeat(180)}` },
        { version: '2-a_b+c~d!e:f end', releaseTimestamp: '2026-06-29' },
        { version: '2<b>"&\'é漢\u0085\u{1F600} end', releaseTimestamp: '2026-06-29' },
        { version: '02.00', releaseTimestamp: '2001-01-01' },
        { version: '3.0\uD800' },
      ],
    },
  };
