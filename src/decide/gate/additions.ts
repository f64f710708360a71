import { addDays, dayOf, latestDay, type Day } from '../../core/dates.ts';
import { contradiction } from '../../core/digest.ts';
import { refKindOf, type Provenance } from '../../core/schemas/provenance.ts';
import { listingSources, type RecordedRelease } from '../../core/schemas/recorded.ts';
import { counted, listed, lowerAscii } from '../../core/text.ts';
import { compareVersions, parseVersion, type Version } from '../../core/version.ts';
import { findOutliers } from './outliers.ts';

/** An unusual addition, which waits while the rest of the answer is accepted. */
export interface Suspicion {
  readonly kind: 'outlier' | 'flood' | 'restored' | 'trust' | 'bytes';
  readonly versions: readonly string[];
  readonly reason: string;
  readonly items: readonly string[];
}

/** Limits of additions that need no review; CONTRACT.md shows them as a table. */
export const additionMeasures = {
  /** `least`: smaller numbers count as this number. */
  outlier: [
    { days: 30, least: 10 },
    { days: 365, least: 100 },
  ],
  flood: { days: 30, most: 1000 },
  restored: { days: 7, most: 20 },
  trust: { versions: 5 },
} as const;

/** The new releases of a source. */
export interface Addition {
  readonly source: string;
  readonly added: readonly RecordedRelease[];
  readonly before: readonly RecordedRelease[];
  readonly day: Day;
  /** The day of its last answer for the same definition. */
  readonly answeredOn: Day | undefined;
  /** Whether all releases of that answer are recorded. */
  readonly isWhole: boolean;
  /** The day a person last accepted a change of the component. */
  readonly acceptedOn: Day;
}

/** One answer gives one suspicion of a kind, and a version waits for one: a person decides once, not for each of a thousand versions. */
export function suspicionsOf(addition: Addition): Suspicion[] {
  const many =
    [findFlood, findRestored].map((find) => find(addition)).find((found) => found.length > 0) ?? [];
  const added = addition.added.filter(
    ({ version }) => !many.some(({ versions }) => versions.includes(version)),
  );
  const rest = { ...addition, added };
  return [...many, ...together(findTowering(rest)), ...together(findTrustFalls(rest))];
}

function together(found: readonly Suspicion[]): Suspicion[] {
  const [first, ...others] = found;
  if (!first) {
    return [];
  }
  const more = others.length > 0 ? `; so ${counted(others.length, 'more version')}` : '';
  const versions = found.flatMap((one) => one.versions);
  return [
    suspicion(
      first.kind,
      versions,
      `${first.reason}${more}`,
      found.flatMap(({ items }) => items),
    ),
  ];
}

function findTowering({ added, before, day, answeredOn, acceptedOn }: Addition): Suspicion[] {
  const firstDay = before.flatMap(({ firstSeen }) => firstSeen ?? []).sort()[0] ?? '';
  const why = new Map<Version, string>();
  for (const { days, least } of additionMeasures.outlier) {
    const limit = latestDay(addDays(day, -days), firstDay, acceptedOn);
    const known = versionsIn(
      before.filter(({ firstSeen }) => firstSeen === undefined || firstSeen <= limit),
    );
    const how = { day, isFirst: answeredOn === undefined, minMeasure: least };
    for (const found of findOutliers(versionsIn(added), known, how)) {
      if (![...why.keys()].some(({ text }) => text === found.version.text)) {
        why.set(found.version, found.why);
      }
    }
  }
  return Array.from(why, ([{ text }, reason]) =>
    suspicion('outlier', [text], `${text}: ${reason}`),
  );
}

function findFlood({ added, before, source, day, answeredOn, acceptedOn }: Addition): Suspicion[] {
  const { days, most } = additionMeasures.flood;
  const own = before.filter((entry) => listingSources(entry).includes(source));
  const firstDay = own.flatMap(({ firstSeen }) => firstSeen ?? []).sort()[0] ?? '';
  const from = latestDay(addDays(day, -days), firstDay, acceptedOn);
  const count = added.length + own.filter(({ firstSeen = '' }) => firstSeen > from).length;
  if (answeredOn === undefined || added.length === 0 || count <= most) {
    return [];
  }
  const versions = added.map(({ version }) => version);
  const what = `${counted(count, 'new version')} within ${days} days (${listed(versions, 5)})`;
  return [suspicion('flood', versions, what)];
}

/** Restored or reverted data lacks versions that the source has listed before. */
function findRestored({ added, answeredOn, isWhole }: Addition): Suspicion[] {
  const versions = lateVersions(added, answeredOn);
  const { most } = additionMeasures.restored;
  if (versions.length === 0 || versions.length <= (isWhole ? most : 0)) {
    return [];
  }
  const what = `${counted(versions.length, 'version')} that the data lacks, with days long before the last answer (${listed(versions, 5)}). Was data/ restored?`;
  return [suspicion('restored', versions, what)];
}

/** New versions with a stated day long before the last answer, which did not list them. */
export function lateVersions(
  added: readonly Pick<RecordedRelease, 'version' | 'releaseTimestamp' | 'timestampKind'>[],
  answeredOn: Day | undefined,
): string[] {
  if (answeredOn === undefined) {
    return [];
  }
  const limit = addDays(answeredOn, -additionMeasures.restored.days);
  return added
    .filter(
      ({ releaseTimestamp, timestampKind }) =>
        releaseTimestamp !== undefined &&
        timestampKind !== 'observed' &&
        dayOf(releaseTimestamp) < limit,
    )
    .map(({ version }) => version);
}

/** A release published with stolen credentials is often built elsewhere. */
function findTrustFalls({ source, added, before }: Addition): Suspicion[] {
  const { versions: measured } = additionMeasures.trust;
  const known = before
    .filter((entry) => entry.withdrawnSince === undefined && listingSources(entry).includes(source))
    .flatMap((entry) => {
      const version = parseVersion(entry.version);
      return version ? { version, build: buildOf(entry, source) } : [];
    })
    .sort((a, b) => compareVersions(a.version, b.version));
  if (known.filter(({ build }) => build).length < measured) {
    return [];
  }
  return added.flatMap((entry): Suspicion | [] => {
    const version = parseVersion(entry.version);
    if (!version) {
      return [];
    }
    const next = known.findIndex((one) => compareVersions(one.version, version) > 0);
    const last = known.slice(0, next < 0 ? known.length : next).slice(-measured);
    const builds = last.flatMap(({ build }) => build ?? []);
    if (builds.length < measured) {
      return [];
    }
    const why = whyLessTrusted(buildOf(entry, source), builds);
    if (why === undefined) {
      return [];
    }
    return suspicion('trust', [entry.version], `${entry.version}: ${why}`, [
      `${entry.version}: ${why}`,
    ]);
  });
}

type Build = ReturnType<typeof comparable>;

function whyLessTrusted(build: Build | undefined, builds: readonly Build[]): string | undefined {
  const before = `the ${builds.length} versions before it`;
  if (!build) {
    return `it has no provenance, or none that could be verified, and ${before} have one`;
  }
  for (const [key, verb] of [
    ['repository', 'from'],
    ['builder', 'by'],
    ['ref', 'from a'],
  ] as const) {
    const others = [...new Set(builds.map((one) => one[key]))];
    // A certificate may name no ref.
    if (!others.includes(build[key]) && !others.includes(undefined)) {
      return `it was built ${verb} ${build[key]}, and ${before} ${verb} ${others.join(' and ')}`;
    }
  }
  return undefined;
}

function buildOf({ provenance }: RecordedRelease, source: string): Build | undefined {
  return provenance?.source === source ? comparable(provenance) : undefined;
}

/** Compares the kind of ref because each release has its own tag. A branch is easier to push to than a tag. */
function comparable(provenance: Provenance) {
  const { repository, builder } = provenance;
  return {
    repository: lowerAscii(repository),
    builder: builder.replace(/@[^@/]*(?:\/[^@]*)?$/, ''),
    ref: refKindOf(provenance),
  };
}

/** Finds artifacts of a release whose bytes differ from the recorded ones. */
export function findOtherBytes(
  before: RecordedRelease,
  after: RecordedRelease,
): Suspicion | undefined {
  const changed = changedArtifacts(before, after);
  const [first, ...others] = changed;
  if (!first) {
    return undefined;
  }
  const { version } = before;
  const more = others.length > 0 ? ` and ${counted(others.length, 'more artifact')}` : '';
  const reason = `${version} was republished with other bytes: ${first.artifact} was ${first.recorded} and is ${first.stated}${more}`;
  const items = changed.map(({ artifact, stated }) => `${version} ${artifact} ${stated}`);
  return { ...suspicion('bytes', [], reason), items };
}

function changedArtifacts(before: RecordedRelease, after: RecordedRelease) {
  return Object.entries(before.digests ?? {}).flatMap(([source, artifacts]) =>
    Object.entries(artifacts).flatMap(([artifact, digests]) => {
      const stated = after.digests?.[source]?.[artifact];
      if (stated === undefined) {
        return { artifact, recorded: digests, stated: 'gone' };
      }
      const kept = stated.split(' ');
      const gone = digests.split(' ').find((one) => !kept.includes(one));
      const found = contradiction(digests, stated) ?? (gone && ([gone, stated] as const));
      return found ? { artifact, recorded: found[0], stated: found[1] } : [];
    }),
  );
}

function suspicion(
  kind: Suspicion['kind'],
  versions: readonly string[],
  reason: string,
  items: readonly string[] = versions.map((version) => `new ${version}`),
): Suspicion {
  return { kind, versions, reason, items };
}

/** Oldest first. */
export function versionsIn(recorded: readonly RecordedRelease[]): Version[] {
  return recorded.flatMap((entry) => parseVersion(entry.version) ?? []).sort(compareVersions);
}
