import { toTimestamp, type Day } from '../../src/core/dates.ts';
import type { ReleaseFile } from '../../src/core/schemas/published/release-file.ts';
import type { RecordedRelease } from '../../src/core/schemas/recorded.ts';
import type { Change } from '../../src/decide/change.ts';
import { changesOf } from '../../src/decide/changes.ts';
import type { Component } from '../../src/decide/component.ts';
import { renderReleaseFile } from '../../src/site/render/component-json.ts';

/** What a day's site says of a component: its release file, and everything that ever changed. */
export interface DailySite {
  file: ReleaseFile;
  changes: readonly Change[];
  /** Releases that were recorded by hand: their coming is not told. */
  byHand: ReadonlySet<string>;
  /** The digests of each release that has any. */
  digests: ReadonlyMap<string, NonNullable<RecordedRelease['digests']>>;
}

export function dailySite(component: Component): DailySite {
  const { releases } = component.judgement;
  const byHand = releases.filter(({ recorded }) => recorded.firstSeen === undefined);
  return {
    file: JSON.parse(renderReleaseFile(component)) as ReleaseFile,
    changes: changesOf(component),
    byHand: new Set(byHand.map(({ version }) => version)),
    digests: new Map(
      releases.flatMap(({ version, recorded: { digests } }) => (digests ? [[version, digests]] : [])),
    ),
  };
}

/** Where the difference between two days is not what the changes of the second say, and what they no longer say of earlier days. */
export function departures(before: DailySite, after: DailySite, day: Day): string[] {
  const today = after.changes.filter(({ on }) => on === day);
  return [
    ...forgotten(before, after, day),
    ...untoldReleases(before, after, today),
    ...untoldVerdicts(before, after, today),
    ...untoldValues(before, after, today),
    ...untoldFlags(before, after, today),
    ...untoldArtifacts(before, after, today),
    ...wrongLatest(after.file),
  ].map((text) => `${day}: ${text}`);
}

/** What was told stays told, under its id and day; nothing is told of a past day later. */
function forgotten(before: DailySite, after: DailySite, day: Day): string[] {
  const past = (changes: readonly Change[]) =>
    new Set(changes.filter(({ on }) => on < day).map(({ on, id, kind }) => `${on} ${kind} ${id}`));
  const [old, now] = [past(before.changes), past(after.changes)];
  const isUnique = new Set(after.changes.map(({ id }) => id)).size === after.changes.length;
  return [
    ...Array.from(old.difference(now), (entry) => `no longer told: ${entry}`),
    ...Array.from(now.difference(old), (entry) => `told late: ${entry}`),
    ...(isUnique ? [] : ['two changes have one id']),
  ];
}

function untoldReleases(before: DailySite, after: DailySite, today: readonly Change[]): string[] {
  const [old, now] = [versionsOf(before), versionsOf(after)];
  const fresh = now.filter((version) => !old.includes(version));
  const gone = old.filter((version) => !now.includes(version));
  // What upstream lists again was there all the time.
  const came = today.filter(
    ({ kind, version }) => kind === 'added' || (kind === 'returned' && !old.includes(version ?? '')),
  );
  const left = today.filter(({ kind }) => kind === 'left out');
  return [...untoldOf(fresh, came, after.byHand), ...untoldOf(gone, left)];
}

/** Versions that came, or went, and what is told of them: each alone, or many of one kind as their number. */
function untoldOf(
  versions: readonly string[],
  told: readonly Change[],
  byHand: ReadonlySet<string> = new Set(),
): string[] {
  const single = told.flatMap(({ version }) => version ?? []);
  const many = told.filter(({ version }) => version === undefined);
  const rest = versions.filter(
    (version) => !single.includes(version) && (many.length > 0 || !byHand.has(version)),
  );
  const count = many.reduce((sum, { releases }) => sum + releases!, 0);
  const ends = many.flatMap(({ first, last }) => [first!, last!]);
  return [
    ...single
      .filter((version) => !versions.includes(version))
      .map((version) => `${version} neither came nor went`),
    ...(new Set(many.map(({ kind }) => kind)).size < many.length ? ['many of one kind are told twice'] : []),
    ...(count === rest.length && ends.every((version) => rest.includes(version)) && isFramed(rest, ends)
      ? []
      : [`told ${count}, ${ends.join()}; there are ${rest.join()}`]),
  ];
}

function isFramed(versions: readonly string[], ends: readonly string[]): boolean {
  return versions.length === 0 || (ends.includes(versions[0]!) && ends.includes(versions.at(-1)!));
}

/** The verdicts that the changes of a day tell. */
function* verdictsTold(
  today: readonly Change[],
): Generator<[version: string, isDeprecated: boolean, change: Change]> {
  for (const change of today) {
    const { kind, version, versions = version === undefined ? [] : [version], rule } = change;
    for (const subject of versions) {
      if (kind === 'deprecated' || kind === 'withdrawn') yield [subject, true, change];
      if (kind === 'supported') yield [subject, false, change];
      if ((kind === 'added' && version !== undefined) || kind === 'returned')
        yield [subject, rule !== undefined, change];
    }
  }
}

function untoldVerdicts(before: DailySite, after: DailySite, today: readonly Change[]): string[] {
  const [old, now] = [before, after].map(
    ({ file }) => new Map(file.releases.map(({ version, isDeprecated }) => [version, isDeprecated])),
  ) as [Map<string, boolean>, Map<string, boolean>];
  const told = [...verdictsTold(today)];
  return [
    ...told.flatMap(([version, isDeprecated, { id, kind }]) => {
      if (now.get(version) !== isDeprecated)
        return `${id} says of ${version}: ${isDeprecated}; it is ${now.get(version)}`;
      return kind === 'supported' && old.get(version) !== true ? `${id}: ${version} was not deprecated` : [];
    }),
    ...Array.from(old, ([version, was]) => {
      const is = now.get(version);
      if (is === was || is === undefined || told.some(([subject]) => subject === version)) return '';
      return `${version} is ${is ? 'deprecated' : 'supported'} now: untold`;
    }).filter((text) => text !== ''),
  ];
}

/** The days and links that differ, and those that are said to. */
function untoldValues(before: DailySite, after: DailySite, today: readonly Change[]): string[] {
  const old = new Map(before.file.releases.map((release) => [release.version, release]));
  return (['releaseTimestamp', 'changelogUrl'] as const).flatMap((field) => {
    const form = (value: string | undefined) =>
      value !== undefined && field === 'releaseTimestamp' ? toTimestamp(value) : value;
    return after.file.releases.flatMap((release) => {
      const { version } = release;
      const was = old.get(version);
      if (!was) return [];
      // The newest first.
      const told = today.filter((change) => change.version === version && change.field === field);
      const [from, to] = [told.at(-1)?.from, told[0]?.to].map(form);
      const seen = was[field] === release[field] ? [] : [was[field], release[field]];
      if (told.length === 0 ? seen.length === 0 : form(from) === was[field] && form(to) === release[field])
        return [];
      return `${version}: ${field} was ${was[field]} and is ${release[field]}; told ${from} and ${to}`;
    });
  });
}

function untoldFlags(before: DailySite, after: DailySite, today: readonly Change[]): string[] {
  const old = new Map(before.file.releases.map(({ version, isStable }) => [version, isStable]));
  return after.file.releases
    .filter(({ version, isStable }) => old.has(version) && old.get(version) !== isStable)
    .filter(
      ({ version }) => !today.some((change) => change.version === version && change.field === 'isPrerelease'),
    )
    .map(({ version, isStable }) => `${version}: isStable is ${isStable} now: untold`);
}

/** The releases that have an artifact with other bytes than the day before, and those that are said to. */
function untoldArtifacts(before: DailySite, after: DailySite, today: readonly Change[]): string[] {
  const changed = Array.from(before.digests).flatMap(([version, digests]) => {
    const now = after.digests.get(version);
    if (now === undefined) return [];
    const isKept = Object.entries(digests).every(([source, artifacts]) =>
      Object.entries(artifacts).every(([artifact, digest]) => now[source]?.[artifact] === digest),
    );
    return isKept ? [] : [version];
  });
  const told = today.filter(({ kind }) => kind === 'republished');
  return untoldOf(changed, told).map((text) => `republished: ${text}`);
}

/** The latest follows from the rest. */
function wrongLatest({ releases, tags }: ReleaseFile): string[] {
  const expected = releases.findLast(
    ({ isDeprecated, isStable }) => !isDeprecated && isStable !== false,
  )?.version;
  return expected === tags?.latest ? [] : [`the latest is ${tags?.latest}, not ${expected}`];
}

function versionsOf({ file }: DailySite): string[] {
  return file.releases.map(({ version }) => version);
}
