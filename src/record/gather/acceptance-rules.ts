import type { Day } from '../../core/dates.ts';
import { listingSources, type RecordedRelease } from '../../core/schemas/recorded.ts';
import { counted, countedInWords, listed } from '../../core/text.ts';
import { compareVersions, parseVersion, rankKey, type Version } from '../../core/version.ts';
import { changedDigests } from './merge-values.ts';
import { rankOf } from './recorded-release.ts';
import type { StatedRelease } from './stated-release.ts';

/** The answer of a source, beside what is recorded. */
export interface Comparison {
  id: string;
  day: Day;
  releases: readonly StatedRelease[];
  /** Ranks of all versions that it lists now, whether or not the definition admits them. */
  listed: ReadonlySet<string>;
  /** The source's own message where it lists nothing. */
  emptyReason: string | undefined;
  onlyAdds: boolean;
  /** Versions that it listed before and that are not withdrawn, oldest first. */
  before: readonly Version[];
  /**
   * What was recorded, and not withdrawn, before the day of this run, or before something of the source was held: what a
   * run accepts must not change the measure for what it holds.
   */
  settled: readonly RecordedRelease[];
  /** Versions that an earlier run found missing and tolerated, with the first day on which they were. */
  missingSince: Readonly<Record<string, Day>>;
  /** Recorded releases by rank. */
  byRank: ReadonlyMap<string, RecordedRelease>;
  /** Whether it has answered for this definition before. */
  hasAnswered: boolean;
}

interface Violation {
  sentence: string;
  /** What is held, a line each: a person accepts exactly these. */
  waiting: string[];
  versions?: readonly Version[];
  /** Names of artifacts, by release. */
  artifacts?: ReadonlyMap<StatedRelease, ReadonlySet<string>>;
}

/** A rule that every answer has to satisfy; what violates it is held until a person accepts it. */
interface AcceptanceRule {
  name: string;
  holds: 'answer' | 'versions' | 'deprecations' | 'digests';
  check(answer: Comparison): Violation | undefined;
}

/** A source may stop listing this part of its versions, or deprecate it, before a person is asked. */
const toleratedPart = 1 / 5;
/** Recorded releases are never deleted, so a flood of made-up versions would stay for good. */
const toleratedNewVersions = 1000;
/** A first digit group may be this many times the highest recorded one. */
const toleratedGrowth = 10n;
const firstCalendarYear = 2000;
/** As many changed artifacts as a message has room for: a digest can have 128 digits. */
const maxNamedArtifacts = 2;

const rules: readonly AcceptanceRule[] = [
  {
    name: 'empty list',
    holds: 'answer',
    check(answer) {
      const { before, listed: ranks, emptyReason } = answer;
      if (before.length === 0 || ranks.size > 0) return undefined;
      const why = emptyReason === undefined ? '' : ` (${emptyReason})`;
      const what = `it listed ${countedInWords(before.length, 'version')} (${nameVersions(before)})`;
      return wholeAnswer(answer, `lists nothing; ${what}${why}`);
    },
  },
  {
    name: 'shrunk list',
    holds: 'answer',
    check(answer) {
      const { before, onlyAdds, missingSince } = answer;
      const missing = missingFrom(answer).filter(({ text }) => missingSince[text] === undefined);
      const isGreatestMissing = missing.length > 0 && missing.at(-1) === before.at(-1);
      // The greatest version alone was pulled; a page may drop its oldest versions, but not the newest with them.
      if ((isGreatestMissing && missing.length === 1) || (onlyAdds && !isGreatestMissing)) return undefined;
      if (missing.length <= before.length * toleratedPart) return undefined;
      const what = `${missing.length} of the ${countedInWords(before.length, 'version')} it listed`;
      return wholeAnswer(answer, `no longer lists ${what} (${nameVersions(missing)})`);
    },
  },
  {
    name: 'flood of versions',
    holds: 'answer',
    check(answer) {
      const added = addedBy(answer);
      if (!answer.hasAnswered || added.length <= toleratedNewVersions) return undefined;
      const what = `${counted(added.length, 'new version')} at once (${nameVersions(added)})`;
      return wholeAnswer(answer, `lists ${what}`);
    },
  },
  {
    // One absurd version becomes the latest for everybody, and with some policies it deprecates all others.
    name: 'version outlier',
    holds: 'versions',
    check(answer) {
      const greatest = answer.settled
        .flatMap(({ version }) => parseVersion(version) ?? [])
        .sort(compareVersions)
        .at(-1);
      if (!greatest) return undefined;
      const year = Number(answer.day.slice(0, 4));
      const highest = greatest.groups[0]!;
      const isCalendar = highest >= firstCalendarYear && highest <= year + 1;
      const limit = BigInt(highest > 0 ? highest : 1) * toleratedGrowth;
      const versions = addedBy(answer).filter(({ groups: [first] }) =>
        isCalendar ? first! > highest && first! > year : first! > limit,
      );
      if (versions.length === 0) return undefined;
      const names = versions.map(({ text }) => text).join(', ');
      const why = isCalendar
        ? `its year has not begun, and the highest recorded version is ${greatest.text}`
        : `more than ten times the highest recorded version (${greatest.text})`;
      const sentence = `Held ${names}: ${why}. Other versions were accepted.`;
      return { sentence, waiting: marked('+', versions), versions };
    },
  },
  {
    name: 'mass deprecation',
    holds: 'deprecations',
    check(answer) {
      const inUse = inUseBefore(answer);
      // A registry that locks a package as unsafe means all of it, and nobody should wait.
      const deprecated = answer.releases.filter(
        (release) => release.deprecated !== undefined && !release.isQuarantined,
      );
      const versions = versionsOf(deprecated).filter((version) => inUse.has(rankKey(version)));
      const isNothingLeft = deprecated.length === answer.releases.length;
      const isMany = versions.length > 1 && versions.length > inUse.size * toleratedPart;
      if (versions.length === 0 || !(isNothingLeft || isMany)) return undefined;
      const what = `deprecates ${versions.length} of ${counted(inUse.size, 'version')} in use (${nameVersions(versions)})`;
      const sentence = `${what}${isNothingLeft ? ', which leaves none' : ''}. Held the deprecations; the rest was accepted.`;
      return { sentence, waiting: marked('!', versions), versions };
    },
  },
  {
    name: 'changed digests',
    holds: 'digests',
    check({ id, releases, byRank }) {
      const all = releases.flatMap((release) => {
        const recorded = byRank.get(rankKey(release.version));
        return changedDigests(recorded, id, release.digests).map((artifact) => ({ release, ...artifact }));
      });
      if (all.length === 0) return undefined;
      const named = all.map(
        ({ release, name, recorded, stated }) =>
          `${release.version.text} (${name} was ${recorded} and is ${stated})`,
      );
      const more = all.length - maxNamedArtifacts;
      const rest = more > 0 ? ` and ${counted(more, 'more artifact')}` : '';
      const waiting = all.map(({ release, name, stated }) => `~ ${release.version.text} ${name} ${stated}`);
      const groups = Map.groupBy(all, ({ release }) => release);
      return {
        sentence:
          `was republished, as artifacts have other bytes than those recorded: ${named.slice(0, maxNamedArtifacts).join(', ')}${rest}. ` +
          'Held the new digests; the recorded ones stay, and the rest was accepted.',
        waiting: waiting.sort(),
        artifacts: new Map(
          Array.from(groups, ([release, of]) => [release, new Set(of.map(({ name }) => name))]),
        ),
      };
    },
  },
];

/** What of an answer is held, and why. Where it is the whole answer, nothing else is named. */
export function findViolations(answer: Comparison): (Violation & Pick<AcceptanceRule, 'holds'>)[] {
  const found = rules.flatMap(({ holds, check }) => {
    const violation = check(answer);
    return violation ? [{ holds, ...violation }] : [];
  });
  const whole = found.find(({ holds }) => holds === 'answer');
  return whole ? [whole] : found;
}

function wholeAnswer(answer: Comparison, problem: string): Violation {
  const { releases, byRank } = answer;
  const flagged = releases.filter(({ version, deprecated }) => {
    return deprecated !== undefined && byRank.get(rankKey(version))?.deprecated === undefined;
  });
  const waiting = [
    ...marked('-', missingFrom(answer)),
    ...marked('+', addedBy(answer)),
    ...marked('!', versionsOf(flagged)),
    ...(rules.find(({ holds }) => holds === 'digests')!.check(answer)?.waiting ?? []),
  ];
  return { sentence: `${problem}. Nothing of it was accepted.`, waiting };
}

/** The versions that a source listed and that are not withdrawn, oldest first. */
export function listedBefore(id: string, recorded: readonly RecordedRelease[]): Version[] {
  return recorded
    .filter((entry) => entry.withdrawnSince === undefined && listingSources(entry).includes(id))
    .flatMap((entry) => parseVersion(entry.version) ?? [])
    .sort(compareVersions);
}

/** The greatest version that the source listed, if it is the only one that has gone missing today. */
export function findPulledRelease(answer: Comparison): Version | undefined {
  const { day, missingSince } = answer;
  const missing = missingFrom(answer).filter(({ text }) => !((missingSince[text] ?? day) < day));
  const greatest = answer.before.at(-1);
  return missing.length === 1 && missing[0] === greatest ? greatest : undefined;
}

function missingFrom({ before, listed: ranks }: Comparison): Version[] {
  return before.filter((version) => !ranks.has(rankKey(version)));
}

function addedBy({ releases, byRank }: Comparison): Version[] {
  return versionsOf(releases).filter((version) => !byRank.has(rankKey(version)));
}

/** Ranks of what the source listed before and nobody deprecated, or it no longer deprecates. */
function inUseBefore({ id, settled, releases }: Comparison): Set<string> {
  const freed = releases.filter(({ deprecated }) => deprecated === undefined);
  const freedRanks = new Set(versionsOf(freed).map(rankKey));
  const ranks = settled
    .filter((entry) => listingSources(entry).includes(id))
    .flatMap((entry) => {
      const rank = rankOf(entry);
      return rank !== undefined && (entry.deprecated === undefined || freedRanks.has(rank)) ? [rank] : [];
    });
  return new Set(ranks);
}

function versionsOf(releases: readonly StatedRelease[]): Version[] {
  return releases.map(({ version }) => version);
}

function marked(mark: string, versions: readonly Version[]): string[] {
  return versions.map(({ text }) => `${mark} ${text}`).sort();
}

/** The exact versions, as many as a person reads. */
function nameVersions(versions: readonly Version[]): string {
  return listed(
    versions.map(({ text }) => text),
    20,
  );
}
