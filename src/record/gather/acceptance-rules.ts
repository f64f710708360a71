import { counted, countedInWords, defined, listed } from '../../core/text.ts';
import { compareVersions, rankKey, type Version } from '../../core/version.ts';
import { addedBy, inUseBefore, missingFrom, versionsOf, type Comparison } from './comparison.ts';
import { fallDays, findFall } from './find-fall.ts';
import { problemOfLines } from './release-lines.ts';
import { changedDigests } from './merge-values.ts';
import { versionsIn } from './recorded-release.ts';
import type { StatedRelease } from './stated-release.ts';
import { findTrustFalls } from './trust-falls.ts';
import { findOutliers } from './version-outliers.ts';

/** An upstream that lies slowly satisfies a rule that knows only its last answer. */
const monthDays = 30;

/** Part of an answer that breaks a rule, and is held until a person accepts it. */
export interface Violation {
  holds: 'answer' | 'versions' | 'deprecations' | 'digests';
  sentence: string;
  /** The held things, a line each: a person accepts exactly these. */
  waiting: string[];
  versions?: readonly Version[];
  /** Names of artifacts, by release. */
  artifacts?: ReadonlyMap<StatedRelease, ReadonlySet<string>>;
}

/** A source may stop listing this part of its versions, or deprecate it, before a person is asked. */
const toleratedPart = 1 / 5;
/** Recorded releases are never deleted, so a flood of made-up versions would stay for good. */
const toleratedNewVersions = 1000;
/** As many changed artifacts as a message has room for: a digest can have 128 digits. */
const maxNamedArtifacts = 2;
const maxNamedFalls = 3;

/** The rules that every answer has to satisfy. */
const rules: readonly ((answer: Comparison) => Violation | undefined)[] = [
  function otherLines(answer) {
    const problem = problemOfLines(answer);
    return problem === undefined ? undefined : wholeAnswer(answer, problem);
  },
  function emptyList(answer) {
    const { before, listed: ranks, emptyReason, noun } = answer;
    if (before.length === 0 || ranks.size > 0) return undefined;
    const why = emptyReason === undefined ? '' : ` (${emptyReason})`;
    const what = `it listed ${countedInWords(before.length, noun)} (${nameVersions(before)})`;
    return wholeAnswer(answer, `lists nothing; ${what}${why}`);
  },
  function shrunkList(answer) {
    const { before, onlyAdds, own, listed: ranks, isRecent, noun } = answer;
    const missing = missingFrom(answer);
    const isGreatestMissing = missing.length > 0 && missing.at(-1) === before.at(-1);
    // A page may drop its oldest versions, but not the newest with them.
    if (missing.length === 0 || (onlyAdds && !isGreatestMissing)) return undefined;
    const withdrawn = versionsIn(own.filter((entry) => isRecent(entry.withdrawnSince, monthDays))).filter(
      (version) => !ranks.has(rankKey(version)),
    );
    const gone = [...missing, ...withdrawn].sort(compareVersions);
    // The greatest version alone was pulled.
    if (isGreatestMissing && !answer.ofLines && gone.length === 1) return undefined;
    const all = before.length + withdrawn.length;
    if (gone.length <= all * toleratedPart) return undefined;
    const when = withdrawn.length > 0 ? ` in the last ${monthDays} days` : '';
    const what = `${gone.length} of the ${countedInWords(all, noun)} it listed${when}`;
    return wholeAnswer(answer, `no longer lists ${what} (${nameVersions(gone)})`);
  },
  function floodOfVersions(answer) {
    const added = addedBy(answer);
    if (!answer.hasAnswered || added.length === 0) return undefined;
    const earlier = answer.own.filter(({ firstSeen }) => answer.isRecent(firstSeen, monthDays)).length;
    const all = added.length + earlier;
    if (all <= toleratedNewVersions) return undefined;
    const when = earlier > 0 ? `, ${counted(all, 'version')} in ${monthDays} days` : ' at once';
    const what = `${counted(added.length, 'new version')}${when} (${nameVersions(added)})`;
    return wholeAnswer(answer, `lists ${what}`);
  },
  function restoredData(answer) {
    const { restored } = answer;
    if (restored.length === 0) return undefined;
    const what = `lists ${counted(restored.length, 'version')} (${nameVersions(restored)}) that the data lacks, with days long before its last answer`;
    return wholeAnswer(answer, `${what} (was data/ restored?)`);
  },
  /** One absurd version becomes the latest for everybody, and with some policies it deprecates all others. */
  function versionOutlier(answer) {
    const { settled, isRecent, hasAnswered, day, ofLines } = answer;
    // A release line alone deprecates nothing.
    if (ofLines) return undefined;
    const known = versionsIn(settled.filter(({ firstSeen }) => !isRecent(firstSeen, monthDays)));
    const outliers = findOutliers(addedBy(answer), known, { day, isFirst: !hasAnswered });
    if (outliers.length === 0) return undefined;
    const versions = outliers.map(({ version }) => version);
    const why = listed([...new Set(outliers.map((outlier) => outlier.why))], 2);
    const sentence = `Held ${nameVersions(versions)}: ${why}. Other versions were accepted.`;
    return { holds: 'versions', sentence, waiting: marked('+', versions), versions };
  },
  function fallingTrust(answer) {
    const falls = findTrustFalls(answer);
    if (falls.length === 0) return undefined;
    const named = falls.map(({ version, why }) => `${version.text}: ${why}`);
    return {
      holds: 'versions',
      sentence: `Held ${listed(named, maxNamedFalls)}. Other versions were accepted.`,
      waiting: falls.map(({ version, stated }) => `+ ${version.text} ${stated}`).sort(),
      versions: falls.map(({ version }) => version),
    };
  },
  function massDeprecation(answer) {
    const { inUse, recent } = inUseBefore(answer, monthDays);
    // A registry that locks a package as unsafe means all of it, and nobody should wait.
    const deprecated = answer.releases.filter(
      (release) => release.deprecated !== undefined && !release.isQuarantined,
    );
    const versions = versionsOf(deprecated).filter((version) => inUse.has(rankKey(version)));
    const isNothingLeft = deprecated.length === answer.releases.length;
    const all = [...versions, ...recent].sort(compareVersions);
    const total = inUse.size + recent.length;
    const isMany = all.length > 1 && all.length > total * toleratedPart;
    if (versions.length === 0 || !(isNothingLeft || isMany)) return undefined;
    const when = recent.length > 0 ? ` ${monthDays} days ago` : '';
    const what = `deprecates ${all.length} of ${counted(total, 'version')} in use${when} (${nameVersions(all)})`;
    return deprecations(`${what}${isNothingLeft ? ', which leaves none' : ''}`, versions);
  },
  otherBytes,
];

function otherBytes({ id, releases, byRank }: Comparison): Violation | undefined {
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
  const groups = Map.groupBy(all, ({ release }) => release);
  return {
    holds: 'digests',
    sentence:
      `was republished, as artifacts have other bytes than those recorded: ${named.slice(0, maxNamedArtifacts).join(', ')}${rest}. ` +
      'Held the new digests; the recorded ones stay, and the rest was accepted.',
    waiting: all.map(({ release, name, stated }) => `~ ${release.version.text} ${name} ${stated}`).sort(),
    artifacts: new Map(Array.from(groups, ([release, of]) => [release, new Set(of.map(({ name }) => name))])),
  };
}

/** The held parts of an answer, with the reasons; if the whole answer is held, only that. */
export function findViolations(answer: Comparison): Violation[] {
  const found = rules.flatMap((rule) => rule(answer) ?? []);
  // Versions that other rules hold cannot make the latest version fall, in this run and in a second one of the day.
  const fall = latestFalls(answer, withoutHeld(answer.releases, found));
  const all = fall ? [...found, fall] : found;
  const whole = all.find(({ holds }) => holds === 'answer');
  return whole ? [whole] : all;
}

function latestFalls(answer: Comparison, releases: StatedRelease[]): Violation | undefined {
  const fall = answer.ofLines ? undefined : findFall({ ...answer, releases });
  if (!fall) return undefined;
  const { versions, deprecated } = fall;
  const what = `takes back ${nameVersions(versions)}, so that the latest version would fall by more than one release within ${fallDays} days`;
  return deprecated ? deprecations(what, deprecated) : wholeAnswer(answer, what);
}

function deprecations(problem: string, versions: readonly Version[]): Violation {
  const sentence = `${problem}. Held the deprecations; the rest was accepted.`;
  return { holds: 'deprecations', sentence, waiting: marked('!', versions), versions };
}

export function heldRanks(violations: readonly Violation[], kind: Violation['holds']): Set<string> {
  const held = violations.filter(({ holds }) => holds === kind);
  return new Set(held.flatMap(({ versions = [] }) => versions.map(rankKey)));
}

/** The answer without the versions, deprecations and digests that are held. */
export function withoutHeld(
  releases: readonly StatedRelease[],
  violations: readonly Violation[],
): StatedRelease[] {
  const versions = heldRanks(violations, 'versions');
  const deprecations = heldRanks(violations, 'deprecations');
  const artifacts = violations.find(({ holds }) => holds === 'digests')?.artifacts;
  return releases
    .filter(({ version }) => !versions.has(rankKey(version)))
    .map((release) => {
      const changed = artifacts?.get(release);
      const digests = Object.entries(release.digests ?? {}).filter(([name]) => !changed?.has(name));
      return defined({
        ...release,
        deprecated: deprecations.has(rankKey(release.version)) ? undefined : release.deprecated,
        digests: digests.length > 0 ? Object.fromEntries(digests) : undefined,
      });
    });
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
    ...(otherBytes(answer)?.waiting ?? []),
    ...(answer.ofLines ? [JSON.stringify([answer.ofLines.about, answer.ofLines.lines])] : []),
  ];
  return { holds: 'answer', sentence: `${problem}. Nothing of it was accepted.`, waiting };
}

/** The greatest version that the source listed, if it is the only one that has gone missing today. */
export function findPulledRelease(answer: Comparison): Version | undefined {
  const { day, missingSince } = answer;
  const missing = missingFrom(answer).filter(({ text }) => !((missingSince[text] ?? day) < day));
  const greatest = answer.before.at(-1);
  return missing.length === 1 && missing[0] === greatest ? greatest : undefined;
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
