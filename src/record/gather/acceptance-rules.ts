import { counted, countedInWords, distinct, listed } from '../../core/text.ts';
import { compareVersions, parseVersion, rankKey, type Version } from '../../core/version.ts';
import { deprecatedSince } from '../../decide/releases.ts';
import type { Comparison } from './comparison.ts';
import { changedDigests } from './merge-values.ts';
import { versionsIn } from './recorded-release.ts';
import type { StatedRelease } from './stated-release.ts';
import { monthDays, outliersOf, takenBack, takenBackDays } from './taken-back.ts';

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
      const { before, onlyAdds, own, isRecent } = answer;
      const missing = missingFrom(answer);
      const isGreatestMissing = missing.length > 0 && missing.at(-1) === before.at(-1);
      // A page may drop its oldest versions, but not the newest with them.
      if (missing.length === 0 || (onlyAdds && !isGreatestMissing)) return undefined;
      const withdrawn = versionsIn(own.filter((entry) => isRecent(entry.withdrawnSince, monthDays)));
      const gone = [...missing, ...withdrawn].sort(compareVersions);
      // The greatest version alone was pulled.
      if (isGreatestMissing && gone.length === 1) return undefined;
      const all = before.length + withdrawn.length;
      if (gone.length <= all * toleratedPart) return undefined;
      const when = withdrawn.length > 0 ? ` in the last ${monthDays} days` : '';
      const what = `${gone.length} of the ${countedInWords(all, 'version')} it listed${when}`;
      return wholeAnswer(answer, `no longer lists ${what} (${nameVersions(gone)})`);
    },
  },
  {
    // A deprecation is held alone; a version that is gone or called a prerelease cannot be.
    name: 'second version taken back',
    holds: 'answer',
    check(answer) {
      const { versions, isByDeprecation } = takenBack(answer);
      if (versions.length < 2 || isByDeprecation) return undefined;
      return wholeAnswer(answer, describeTakenBack(versions));
    },
  },
  {
    name: 'flood of versions',
    holds: 'answer',
    check(answer) {
      const { hasAnswered, own, isRecent } = answer;
      const added = addedBy(answer);
      if (!hasAnswered || added.length === 0) return undefined;
      const earlier = own.filter(({ firstSeen }) => isRecent(firstSeen, monthDays)).length;
      if (added.length + earlier <= toleratedNewVersions) return undefined;
      const when =
        earlier > 0 ? `, ${counted(added.length + earlier, 'version')} in ${monthDays} days` : ' at once';
      return wholeAnswer(
        answer,
        `lists ${counted(added.length, 'new version')}${when} (${nameVersions(added)})`,
      );
    },
  },
  {
    name: 'restored data',
    holds: 'answer',
    check(answer) {
      const { restored } = answer;
      if (restored.length === 0) return undefined;
      const what = `lists ${counted(restored.length, 'version')} (${nameVersions(restored)}) that the data lacks, with days long before its last answer`;
      return wholeAnswer(answer, `${what} (was data/ restored?)`);
    },
  },
  {
    // One absurd version becomes the latest for everybody, and with some policies it deprecates all others.
    name: 'version outlier',
    holds: 'versions',
    check(answer) {
      const outliers = outliersOf(answer);
      if (outliers.length === 0) return undefined;
      const versions = outliers.map(({ version }) => version);
      const why = distinct(outliers.map((outlier) => outlier.why))!.join('; ');
      const names = versions.map(({ text }) => text).join(', ');
      const sentence = `Held ${names}: ${why}. Other versions were accepted.`;
      return { sentence, waiting: marked('+', versions), versions };
    },
  },
  {
    name: 'mass deprecation',
    holds: 'deprecations',
    check(answer) {
      const { inUse, recent } = inUseBefore(answer);
      const deprecated = answer.releases.filter((release) => release.deprecated !== undefined);
      const versions = versionsOf(deprecated).filter((version) => inUse.has(rankKey(version)));
      if (versions.length === 0) return undefined;
      const all = [...versions, ...recent].sort(compareVersions);
      const total = inUse.size + recent.length;
      const isNothingLeft = deprecated.length === answer.releases.length;
      const isMany = all.length > 1 && all.length > total * toleratedPart;
      const back = takenBack(answer).versions;
      if (!isNothingLeft && !isMany && back.length < 2) return undefined;
      const when = recent.length > 0 ? ` ${monthDays} days ago` : '';
      const what =
        isNothingLeft || isMany
          ? `deprecates ${all.length} of ${counted(total, 'version')} in use${when} (${nameVersions(all)})${isNothingLeft ? ', which leaves none' : ''}`
          : describeTakenBack(back);
      const sentence = `${what}. Held the deprecations; the rest was accepted.`;
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

/** Ranks of what the source listed before and nobody deprecated, or it no longer deprecates; and what it has deprecated lately. */
function inUseBefore({ own, settled, releases, isRecent }: Comparison) {
  const freed = releases.filter(({ deprecated }) => deprecated === undefined);
  const freedRanks = new Set(versionsOf(freed).map(rankKey));
  const isOwn = new Set(own);
  const inUse = new Set<string>();
  const recent: Version[] = [];
  for (const entry of settled) {
    const version = isOwn.has(entry) ? parseVersion(entry.version) : undefined;
    if (!version) continue;
    if (entry.deprecated === undefined || freedRanks.has(rankKey(version))) inUse.add(rankKey(version));
    else if (isRecent(deprecatedSince(entry), monthDays)) recent.push(version);
  }
  return { inUse, recent };
}

function describeTakenBack(versions: readonly Version[]): string {
  return `takes back ${nameVersions(versions)} within ${takenBackDays} days, for which the latest version would give way more than once`;
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
