import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addDays, type Day } from '../../src/core/dates.ts';
import type { Definition } from '../../src/core/schemas/definition.ts';
import type { RecordedRelease } from '../../src/core/schemas/recorded.ts';
import { admission } from '../../src/decide/admission.ts';
import { pastOf } from '../../src/decide/past.ts';
import { loadComponent } from '../../src/site/load-component.ts';
import { listComponents, openRoot } from '../../src/io/files/root.ts';
import { defined } from '../../src/core/text.ts';
import { checkout, fixtureDay, fixtureIndex } from '../harness/checkout.ts';
import { departures, dailySite, type DailySite } from '../harness/change-law.ts';
import { merge } from '../harness/merging.ts';
import { drawing, LivingUpstream } from '../harness/upstream-life.ts';
import { componentOf, definitionOf } from '../site/render/sites.ts';

const start: Day = '2026-01-10';
const days = 90;
const seeds = Array.from({ length: 6 }, (_, index) => index + 1);

const policies: Record<string, Partial<Definition>> = {
  'no policy': {},
  'a list of deprecations': {
    deprecated: [
      { versions: ['1.1.0', '1.2.3', '1.4.4'], reason: 'Broken' },
      { versions: '<1.3', reason: 'Too old', since: addDays(start, 45) },
    ],
  },
  'a term': { support: { policy: 'term', months: 1 } },
  'a term of long lines': { support: { policy: 'term', months: 2, line: 1 } },
  'the newest two lines': { support: { policy: 'latest-lines', count: 2 } },
  'the newest line': { support: { policy: 'latest-lines', count: 1 }, ignoreUpstreamDeprecation: true },
  'stated days': {
    support: {
      policy: 'dated',
      lines: { '1.2': addDays(start, 20), '1.4': addDays(start, 40), '1.9': addDays(start, 99) },
    },
  },
  'an end': { support: { policy: 'ended', since: addDays(start, 30) } },
  'an end that is announced': {
    support: { policy: 'ended', deprecatedFrom: addDays(start, 35), since: addDays(start, 60) },
  },
};

/** Recorded by hand before anything was gathered. */
const recordedByHand: readonly RecordedRelease[] = [
  { version: '0.1' },
  { version: '0.2', releaseTimestamp: '2024-05-01' },
  { version: '1.0', releaseTimestamp: addDays(start, -20), timestampKind: 'observed' },
];

/** A day of a component: what is recorded, and what its definition says beside its policy. */
interface LivedDay {
  readonly day: Day;
  readonly recorded: readonly RecordedRelease[];
  readonly name: string;
  readonly about: Partial<Definition>;
}

const sources = (allowedVersions?: string): Pick<Definition, 'sources'> => ({
  sources: ['x', 'y'].map((packageName) => ({
    datasource: 'npm',
    packageName,
    ...(allowedVersions !== undefined && { allowedVersions }),
  })),
});

/** Makes the definition narrower and wider, twice for many releases at once; some things at once. */
function scopeOn(day: Day): Partial<Definition> {
  const isBetween = (from: number, until: number) =>
    day >= addDays(start, from) && day < addDays(start, until);
  const prereleases = !isBetween(15, 40) && !isBetween(55, 56);
  if (isBetween(25, 45)) return { prereleases, ...sources('!/\\.[13579]$/') };
  if (isBetween(50, 58)) return { prereleases, ...sources('/^1\\.[02468]\\./') };
  if (isBetween(65, 70)) return { prereleases, ...sources('/^9/') };
  return { prereleases, ...sources() };
}

/** A component that is gathered every day. Every other one has its definition changed, and every third another name. */
function lifeOf(seed: number): LivedDay[] {
  const upstream = new LivingUpstream(drawing(seed));
  // Some components begin with what a person wrote; some are added while the index runs.
  let recorded = seed % 3 === 0 ? recordedByHand : [];
  const firstAsked = addDays(start, seed % 4 === 1 ? 30 : 1);
  return Array.from({ length: days }, (_, index) => {
    const day = addDays(start, index);
    const scope = seed % 2 === 0 ? scopeOn(day) : { prereleases: true, ...sources() };
    const isAdmitted = admission(definitionOf(scope));
    const answers = upstream.live(day).map((answer) => ({
      ...answer,
      releases: answer.releases.filter(({ version, isPrerelease }) =>
        isAdmitted(defined({ version: version.text, source: answer.id, isPrerelease })),
      ),
    }));
    if (day >= firstAsked)
      recorded = merge(recorded, answers, { day, sources: ['npm:x', 'npm:y'], isAdmitted }).releases;
    const isRenamed = seed % 3 === 1 && index >= 60;
    return {
      day,
      recorded,
      name: isRenamed ? 'server' : 'svc',
      about: { ...scope, ...(isRenamed && { renamedFrom: ['svc'] }) },
    };
  });
}

const narrowed = { from: addDays(fixtureDay, -500), until: addDays(fixtureDay, -300) };

function narrow(definition: Definition): Definition {
  const narrower = definition.sources.map((source) => ({ ...source, allowedVersions: '!/[13579]$/' }));
  return { ...definition, sources: narrower };
}

/** What `gather` would have recorded up to a day. */
function leaveOut(
  entry: RecordedRelease,
  isAdmitted: (entry: RecordedRelease) => boolean,
  day: Day,
): RecordedRelease {
  const { firstSeen = narrowed.from, corrections = [] } = entry;
  const since = firstSeen > narrowed.from ? firstSeen : narrowed.from;
  if (day < narrowed.from || firstSeen >= narrowed.until || isAdmitted(entry)) return entry;
  if (day < narrowed.until) return { ...entry, leftOutSince: since };
  const returned = { on: narrowed.until, field: 'leftOutSince', from: since, reason: 'admitted' } as const;
  const later = corrections.findIndex(({ on }) => on > narrowed.until);
  return {
    ...entry,
    corrections: corrections.toSpliced(later === -1 ? corrections.length : later, 0, returned),
  };
}

/** Compares the site of each day with that of the day before. */
function departuresOf(life: Iterable<readonly [Day, DailySite]>): string[] {
  let before: DailySite | undefined;
  return Array.from(life).flatMap(([day, site]) => {
    const departed = before ? departures(before, site, day) : [];
    before = site;
    return departed;
  });
}

describe('the changes of a day are the difference between its site and that of the day before', () => {
  const lives = seeds.map(lifeOf);

  it.each(Object.entries(policies))('under %s, whatever upstream does', (_, definition) => {
    const found = lives.map((life) =>
      departuresOf(
        life.map(({ day, recorded, name, about }) => [
          day,
          dailySite(componentOf(recorded, { ...about, ...definition }, { name, day })),
        ]),
      ),
    );

    expect(found).toEqual(seeds.map(() => []));
  });

  // RELEASE_INDEX_ROOT names another index to look through, for instance that of the checkout.
  it('in an index of every policy, each day of three years', () => {
    const root = openRoot(resolve(process.env['RELEASE_INDEX_ROOT'] ?? fixtureIndex), checkout);
    const { names } = listComponents(root);
    const found = names.map((name) => {
      const { definition, judgement } = loadComponent(root, name, fixtureDay).component!;
      const { releases } = pastOf(judgement.releases);
      const narrower = narrow(definition);
      const isAdmitted = admission(narrower);
      return departuresOf(
        Array.from({ length: 3 * 365 }, (_, index) => {
          const day = addDays(fixtureDay, index - 3 * 365);
          const recorded = releases.flatMap(({ shown, states }) =>
            shown[0]!.from > day ? [] : states.findLast(({ from }) => from <= day)!.release.recorded,
          );
          const about = narrowed.from <= day && day < narrowed.until ? narrower : definition;
          const marked = recorded.map((entry) => leaveOut(entry, isAdmitted, day));
          return [day, dailySite(componentOf(marked, about, { name, day }))] as const;
        }),
      );
    });

    expect(found).toEqual(names.map(() => []));
  });
});
