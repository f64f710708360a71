/** Finds the verdict on any version in `details/<component>.json`. Pages run this file, so it imports neither zod nor Node. */
import { pick } from '../core/objects.ts';
import {
  describeAffected,
  distributionRemark,
  endKeys,
  findWords,
  isOpen,
  paidKeys,
  stateLabels,
} from '../core/phrases.ts';
import { formatPackage, parsePurl } from '../core/purl.ts';
import { compareToBound, isInRange, parseRange } from '../core/range.ts';
import type { Verdict } from '../core/schema/documents.ts';
import type { Component as Details, Line, Release } from '../core/schema/published.ts';
import { formatList, quote } from '../core/text.ts';
import {
  beginsWith,
  compareVersions,
  createLineFinder,
  isPrereleaseForm,
  parseVersion,
  keyLine,
  keyRelease,
  keyVersion,
  readVersion,
  type Version,
} from '../core/version.ts';
import { extractVersion, toExtraction } from './extract.ts';
import type { Item } from './item.ts';
import {
  describeCandidates,
  findNamesake,
  findOwners,
  isOfDistribution,
  isPlain,
  rankOwner,
  type Names,
  type Owner,
} from './owners.ts';

/** An item's component, with the verdict on the item's version. */
export interface Match extends Pick<
  Details,
  'component' | 'title' | 'sourceRepository' | 'support'
> {
  /** The version that was judged. Empty if the item has no version. */
  readonly version: string;
  /** The release of this version. Undefined if the version is not listed. */
  readonly release: Release | undefined;
  /** Undefined if the item has no version, or its version cannot be read. */
  readonly verdict: Verdict | undefined;
}

/** An item with its component, if the index contains the component. */
export interface Entry {
  readonly item: Item;
  readonly match: Match | undefined;
  /** The components of which the item may be. Given instead of `match` if the item's version does not tell which of them is meant. */
  readonly candidates?: readonly string[] | undefined;
  /** A component that has the same name as the item's package, but is about another package. */
  readonly namesake?: string | undefined;
}

/** Finds each item's component. If several components have its package, `rankOwner` decides. */
export async function findItems(
  items: readonly Item[],
  names: Names,
  readDetails: (component: string) => Promise<Details | undefined>,
): Promise<Entry[]> {
  const asked = items.flatMap((item) => findOwners(item, names).map((owner) => ({ item, owner })));
  const groups = Map.groupBy(asked, ({ owner }) => owner.component);
  const components = [...groups.keys()].sort();
  const matches = new Map<Item, RankedMatch[]>();
  while (components.length > 0) {
    // Reads at most six components at once, because all components together would not fit into a Worker's memory.
    const read = await Promise.all(components.splice(0, 6).map(readDetails));
    for (const details of read.filter((each) => each !== undefined)) {
      for (const { item, owner } of groups.get(details.component)!) {
        const match = item.isInWords ? matchWords(details, item) : matchItem(details, item, owner);
        const ranked = { match, rank: rankOwner(owner, item.version) };
        // A text in words that names no release line, such as `node exporter 1.8`, may be about something else.
        if (match.verdict || !item.isInWords) {
          matches.set(item, [...(matches.get(item) ?? []), ranked]);
        }
      }
    }
  }
  return items.map((item) => ({
    item,
    ...chooseMatch(matches.get(item) ?? []),
    namesake: findNamesake(item, names)?.component,
  }));
}

interface RankedMatch {
  readonly match: Match;
  /** The result of `rankOwner`. */
  readonly rank: number;
}

/**
 * Chooses the match with the highest rank. Of several such matches, chooses the first one that lists the item's version. Chooses none if
 * several remain and their verdicts differ.
 */
function chooseMatch(matches: readonly RankedMatch[]): Pick<Entry, 'match' | 'candidates'> {
  const rank = Math.max(...matches.map((each) => each.rank));
  const fitting = matches.filter((each) => each.rank === rank).map(({ match }) => match);
  // If no pattern finds the item's version, the item is about a tag that none of the components lists.
  const listed = rank > 0 ? fitting.filter(({ verdict }) => verdict?.isListed) : [];
  const judged = fitting.filter(({ verdict }) => verdict !== undefined);
  const best = [listed, judged, fitting].find(({ length }) => length > 0) ?? [];
  const isCertain = new Set(best.map(keyVerdict)).size <= 1;
  return isCertain
    ? { match: best[0] }
    : { match: undefined, candidates: best.map(({ component }) => component) };
}

const consequences = [
  ...endKeys,
  ...paidKeys,
  'state',
  'label',
  'isListed',
  'isSupported',
  'isDeprecated',
  'advisories',
  'moveReason',
  'moveToParts',
  'moveBy',
  'releasesBehind',
] as const;

/** Returns a key that is the same for verdicts with the same consequences for users. */
function keyVerdict({ verdict }: Match): string {
  return JSON.stringify(
    verdict && { ...pick(verdict, consequences), moveTo: verdict.moveTo?.version },
  );
}

/** Matches an item whose version has several words. Only the name of a release line can have several words. */
function matchWords(details: Details, { version: words = '' }: Item): Match {
  const verdict = describeCodename(details, words);
  const facts = pick(details, ['component', 'title', 'sourceRepository', 'support']);
  return { ...facts, version: verdict?.version ?? words, release: undefined, verdict };
}

function matchItem(details: Details, item: Item, owner: Owner): Match {
  const { component, title, sourceRepository, support, releases } = details;
  const { digests = [], isTag = false } = item;
  // Distributions put an epoch before a version (`1:2025.1`), and people may write a release line as `2025.1.x`.
  const stated = (item.version ?? '').replace(/^\d+:(?=\d)/, '').replace(/(?:\.[x*]){1,9}$/i, '');
  // Patterns may ask for the `v` of `svc v1.2`, but answers leave it out.
  const dropPrefix = (text: string) => (item.purl ? text : text.replace(/^v(?=\d)/i, ''));
  const version = dropPrefix(stated);
  const readings = listReadings(stated, owner, details).map(dropPrefix);
  const plain = isTag ? cutVariant(readings[0]!) : undefined;
  if (plain !== undefined) {
    readings.push(plain);
  }
  // An image may have a digest instead of a version.
  const bytes = readings.some(parseVersion) ? [] : [version, ...digests];
  const release =
    // A listed version that is spelt like the text takes precedence over the version that `extractVersion` finds in the text.
    findRelease(details, [version, ...readings], isTag) ??
    releases.find((each) => each.digests?.some((digest) => bytes.includes(digest)));

  const found: Verdict | undefined = release
    ? { ...release, ...findWords(release, details.lines), isListed: true }
    : describeUnlisted(details, plain ?? readings.find(parseVersion) ?? version);
  const ofTag = plain && found ? describeTag(version, found) : found;
  // A request may give the package URL as the name, and the version separately.
  const purl = item.purl ?? parsePurl(item.name ?? '');
  const isDistributed = owner.isOfDistribution || (purl && isOfDistribution(purl));
  const verdict = isDistributed && ofTag ? describeDistributed(ofTag, details) : ofTag;
  const judged = verdict?.version ?? version;
  return { component, title, sourceRepository, support, version: judged, release, verdict };
}

/**
 * Lists the versions that a text may mean. A package's text means the version that `extractVersion` finds. A component's text means itself.
 * If it has letters, as in `1.2-alpine`, it may also mean the versions that `extractVersion` of the component's sources finds.
 */
function listReadings(version: string, owner: Owner, { sources }: Details): string[] {
  if (owner.isPackage) {
    return [extractVersion(version, owner)];
  }
  if (isPlain(version)) {
    return [version];
  }

  const patterns = sources.flatMap((source) => toExtraction(source.extractVersion) ?? []);
  return [version, ...patterns.map((pattern) => extractVersion(version, pattern))];
}

/** Returns an image tag without its variant: `16.4` for `16.4-bookworm`. Undefined if there is no variant, as in `16-rc1` and `16-2`. */
function cutVariant(tag: string): string | undefined {
  const [, plain] = /^(v?\d[\d.]*|[a-z]+)-[a-z][\w.-]*$/i.exec(tag) ?? [];
  const parsed = parseVersion(tag);
  return parsed && isPrereleaseForm(parsed) ? undefined : plain;
}

/** Says which part of an image tag was judged: 1.0 of `1.0-alpine`. If 1.0 is not listed, the verdict's `version` is the whole tag. */
function describeTag(tag: string, verdict: Verdict): Verdict {
  const { version, isListed, because } = verdict;
  if (version === tag) {
    return verdict;
  }

  const isCodename = !parseVersion(tag);
  const remark = `The tag ${tag} was judged as ${version}; the packages of the image were not judged.`;
  return {
    ...verdict,
    version: isListed || isCodename ? version : tag,
    because: [remark, ...because],
  };
}

/**
 * Describes a package of a distribution, which may patch the package longer than its vendor. If the vendor's support has ended, it is unknown
 * whether the package is supported.
 */
function describeDistributed(verdict: Verdict, details: Details): Verdict {
  const sentence = `${verdict.sentence} ${distributionRemark}`;
  const { state, lineState = state, moveReason, reasons = [] } = verdict;
  const isPulled = verdict.isDeprecated && reasons.some(({ rule }) => rule !== 'support policy');
  if (lineState !== 'ended' || isPulled) {
    // Users of a distribution get its newest package, and not the vendor's newest release.
    const isStay = verdict.isListed === false && moveReason === undefined;
    const stay = isStay ? { moveTo: undefined, advice: describeLatest(details) } : {};
    return { ...verdict, ...stay, sentence };
  }

  const label = stateLabels['may-have-ended'];
  const isVersion = !verdict.isListed && verdict.lines === undefined;
  return {
    ...verdict,
    ...noMove,
    ...(verdict.isListed ? { state: 'may-have-ended' } : { lineState: 'may-have-ended' }),
    mayBePatched: true,
    isSupported: undefined,
    isDeprecated: undefined,
    deprecatedSince: undefined,
    supportedUntil: undefined,
    supportedUntilAtMost: undefined,
    isInferred: undefined,
    paidUntil: undefined,
    paidUntilAtMost: undefined,
    label: isVersion ? `Not listed; its line: ${label.toLowerCase()}` : label,
    sentence,
    advice: 'Find out until when the distribution supports its package.',
  };
}

/** Says why an item has no verdict, in the same words for commands, pages and tools. */
export function describeObstacle({ item, match, candidates, namesake }: Entry): string {
  const { text, purl, version } = item;
  if (candidates) {
    return describeCandidates(text, candidates);
  }
  if (namesake !== undefined && purl) {
    const alias = quote(formatPackage(purl.type, purl.name));
    return `${namesake} is a component, but this is not one of its packages. If it should be, add the alias ${alias}.`;
  }
  if (!match) {
    return `The index does not know ${quote(text)}.`;
  }
  if (match.verdict) {
    return match.verdict.sentence;
  }
  return version === undefined
    ? 'No version is given.'
    : `${quote(version)} is not a version such as 2025.3; a range, a tag or a commit may stand for any release.`;
}

/** Returns the verdict on an unlisted version, from its release line. Undefined if the text is neither a version nor a codename. */
function describeUnlisted(details: Details, version: string): Verdict | undefined {
  const { lines } = details;
  const wanted = parseVersion(version);
  if (!wanted) {
    return describeCodename(details, version);
  }

  const name = getLookup(details).findLine(wanted);
  const line = lines.find((each) => each.line === name);
  if (line) {
    const isLine = wanted.suffix === '' && keyLine(line.line) === wanted.groups.join('.');
    return isLine
      ? describeLine(details, version, line)
      : describeByLine(details, version, line, wanted);
  }

  return (
    describeStart(details, version, wanted) ??
    describeCodename(details, version) ?? {
      ...describeUnknown(details, version, wanted),
      advisories: findAffecting(details, wanted),
    }
  );
}

/** Returns the verdict for a codename. Several release lines may share it: Visual Studio 2026 is 18.0 to 18.9. */
function describeCodename(details: Details, text: string): Verdict | undefined {
  const line = findCodename(details.lines, text);
  if (line) {
    const name = [line.line, line.codename].filter(Boolean).join(' ');
    return describeLine(details, line.line, line, `${text} is ${name}.`);
  }

  const sharing = details.lines.filter((each) => listNames(each).includes(text.toLowerCase()));
  return describeOneOf(details, text, sharing);
}

/**
 * Finds the release line by its codename, its alias or their first word: `jammy` for Jammy Jellyfish. Undefined if several lines fit. The
 * first word of the alias `Core 3.1` belongs to other lines, too.
 */
function findCodename(lines: readonly Line[], text: string): Line | undefined {
  const word = text.toLowerCase();
  const [line, ...others] = lines.filter(({ codename, alias }) => {
    const names = listNames({ codename, alias });
    const starts = listNames({ codename, alias: /^\d/.test(alias ?? '') ? alias : undefined });
    return names.includes(word) || starts.some((name) => name.startsWith(`${word} `));
  });
  return others.length === 0 ? line : undefined;
}

/** Lists the other names of a line, in lower case. */
function listNames({ codename, alias }: Pick<Line, 'codename' | 'alias'>): string[] {
  return [codename, alias].flatMap((name) => name?.toLowerCase() ?? []);
}

/** Returns the verdict on the beginning of the name of a release line: 9 for 9.0. Undefined if no line begins with the text. */
function describeStart(details: Details, version: string, wanted: Version): Verdict | undefined {
  const lines = details.lines.filter(({ line }) => beginsWith(readVersion(line), wanted));
  return wanted.suffix === '' ? describeOneOf(details, version, lines) : undefined;
}

/**
 * Returns the verdict on a text that may mean several release lines. If only one has not ended, judges this line. If all have ended, judges
 * the newest line. If several have not ended, the verdict is `unknown-line`, and names them.
 */
function describeOneOf(
  details: Details,
  version: string,
  named: readonly Line[],
): Verdict | undefined {
  // Nobody runs a line that is not released yet.
  const released = named.filter(({ isUnreleased }) => !isUnreleased);
  const lines = released.length > 0 ? released : named;
  const open = lines.filter(isOpen);
  const newest = lines.at(-1);
  if (!newest) {
    return undefined;
  }
  if (open.length > 1) {
    const names = formatList(
      open.map(({ line }) => line),
      5,
    );
    return {
      version,
      isListed: false,
      state: 'unknown-line',
      label: 'Unknown line',
      because: [],
      advice: describeLatest(details),
      lines: lines.map(({ line }) => line),
      sentence: `${details.title} ${version} may be ${names}. State more of the version.`,
    };
  }

  const [line = newest] = open;
  const ended = formatList(
    lines.flatMap((each) => (each === line ? [] : each.line)),
    5,
  );
  const remark = `${version} was judged as ${line.line}.`;
  const verdict = {
    ...describeLine(details, version, line, remark),
    lines: lines.map((each) => each.line),
  };
  // A user of 8 may run 8.0, which has ended, although 8.4 has not.
  return open.length === 1 && lines.length > 1
    ? { ...verdict, sentence: `${line.sentence} These have ended: ${ended}.` }
    : verdict;
}

/**
 * Returns the release of the first of these versions that is listed. The same spelling takes precedence over an equal version: 2025.1.0
 * equals 2025.1. An image tag needs the same spelling, because the tag 2025.1 moves to the newest release of its line.
 *
 * A tag cannot contain `+`, so Helm pushes the chart `1.2.0+build.5` as `1.2.0_build.5`.
 */
function findRelease(
  details: Details,
  texts: readonly string[],
  isTag: boolean,
): Release | undefined {
  const { exact, loose } = getLookup(details);
  const tags = texts.map((text) => text.replaceAll('+', '_'));
  const versions = [...texts, ...tags].flatMap((text) => parseVersion(text) ?? []);
  const spelled = versions.map((version) => exact.get(keyVersion(version)));
  const similar = isTag ? [] : versions.map((version) => loose.get(keyRelease(version)));
  return [...spelled, ...similar].find((release) => release !== undefined);
}

const lookups = new WeakMap<Details, ReturnType<typeof createLookup>>();

function getLookup(details: Details) {
  const lookup = lookups.get(details) ?? createLookup(details);
  lookups.set(details, lookup);
  return lookup;
}

function createLookup({ lines, releases }: Details) {
  const exact = new Map<string, Release>();
  const loose = new Map<string, Release>();
  // If several releases have equal versions, the first of them is used.
  for (const release of releases.toReversed()) {
    const version = readVersion(release.version);
    exact.set(keyVersion(version), release);
    loose.set(keyRelease(version), release);
  }
  return { exact, loose, findLine: createLineFinder(lines.map(({ line }) => line)) };
}

const sharedKeys = [
  ...endKeys,
  ...paidKeys,
  'line',
  'because',
  'advice',
  'isSupported',
  'moveTo',
  'moveToParts',
  'through',
  'moveReason',
  'moveBy',
] as const;

/** Returns the verdict on a release line. `remark`: how the line was found. */
function describeLine(details: Details, version: string, line: Line, remark?: string): Verdict {
  const { label, sentence, because } = line;
  return {
    ...judgeUnlisted(version, line),
    lines: [line.line],
    label,
    sentence,
    because: remark === undefined ? because : [remark, ...because],
    advisories: findNewest(details, line)?.advisories,
  };
}

function describeByLine(details: Details, version: string, line: Line, wanted: Version): Verdict {
  const advisories = findAffecting(details, wanted);
  const newest = findNewest(details, line);
  return {
    ...judgeUnlisted(version, line),
    ...adviseUnlisted(details, line, wanted, advisories),
    label: `Not listed; its line: ${line.label.toLowerCase()}`,
    sentence: `${details.title} ${version} is not listed. ${line.sentence}`,
    because: [
      ...listAffected(advisories),
      // The line's verdict also names advisories of the line's newest release, which may not affect this version.
      ...line.because.filter((ground) => !listAffected(newest?.advisories).includes(ground)),
    ],
    advisories,
  };
}

type Advice = Pick<Verdict, 'advice' | keyof typeof noMove>;
const noMove = {
  moveReason: undefined,
  moveTo: undefined,
  moveToParts: undefined,
  through: undefined,
  moveBy: undefined,
};

/**
 * Advises users of an unlisted version. The advice of its line is about the line's newest release, so it is used only if it tells users to
 * leave the line. Examples for the line 18, whose newest release is 18.6:
 *
 * - 18.2 and 18beta1: "Move to 18.6."
 * - 18.7, which may have been released since the build: "It is newer than all known releases of line 18."
 * - 18.6-1, a rebuild: "The latest version is 18.6."
 */
function adviseUnlisted(
  details: Details,
  line: Line,
  wanted: Version,
  advisories: readonly string[] = [],
): Advice {
  const { component, releases, watchesAdvisories } = details;
  const newest = findNewest(details, line);
  const greatest = releases.findLast((release) => release.line === line.line);
  const compare = (release: Release) => compareToBound(wanted, readVersion(release.version));
  const unchecked = watchesAdvisories ? '' : ' Advisories are not checked.';

  const isAbove = greatest !== undefined && compare(greatest) > 0;
  const isFree = advisories.length === 0;
  // The newest known release may be affected by an advisory that a newer release fixes.
  const leavesNewest =
    line.moveReason === 'affected' && ['supported', 'no-promise'].includes(line.state);
  if (isAbove && isFree && (line.moveReason === undefined || leavesNewest)) {
    return {
      ...noMove,
      advice: `It is newer than all known releases of line ${line.line}.${unchecked}`,
    };
  }
  if (line.moveReason !== undefined) {
    return pick(line, ['advice', 'moveReason', 'moveTo', 'moveToParts', 'through', 'moveBy']);
  }

  const isNewestFree = newest !== undefined && !newest.advisories?.length;
  if (isNewestFree && compare(newest) < 0) {
    const moveTo = { component, version: newest.version };
    return { ...noMove, moveTo, advice: `Move to ${newest.version}.` };
  }
  const isStuck = !isFree && newest !== undefined && !isNewestFree;
  const stuck = isStuck ? 'No version is free of known advisories yet. ' : '';
  return { ...noMove, advice: `${stuck}${describeLatest(details)}${unchecked}` };
}

/** Returns the facts that an unlisted version takes from its release line. */
function judgeUnlisted(version: string, line: Line) {
  return {
    ...pick(line, sharedKeys),
    version,
    isListed: false,
    state: line.isUnreleased ? 'not-released' : 'not-listed',
    lineState: line.state,
  } as const;
}

function listAffected(advisories: readonly string[] = []): string[] {
  return advisories.length > 0 ? [describeAffected(advisories)] : [];
}

/** Finds the latest release of a line: the greatest stable release that is not deprecated. */
function findNewest({ releases }: Details, { latest }: Line): Release | undefined {
  return releases.find(({ version }) => version === latest);
}

/** Lists the advisories that affect an unlisted version. Undefined if no advisory source has answered. */
function findAffecting(
  { advisories, watchesAdvisories }: Details,
  version: Version,
): string[] | undefined {
  const affecting = advisories.filter(({ affected }) => {
    const range = parseRange(affected);
    return range !== undefined && isInRange(range, version);
  });
  return watchesAdvisories || affecting.length > 0 ? affecting.map(({ id }) => id) : undefined;
}

function describeUnknown(details: Details, version: string, wanted: Version): Verdict {
  const { title, lines, releases } = details;
  // The names of lines are compared, too, because a vendor may announce a release line before its first release is listed.
  const known = [
    ...releases.slice(-1).map((each) => each.version),
    ...lines.map(({ line }) => line),
  ]
    .map(readVersion)
    .sort(compareVersions);
  const newest = known.at(-1)!;
  const isFuture =
    releases.length > 0 &&
    known.every((each) => compareVersions(each, wanted) < 0 && !beginsWith(each, wanted));
  const isFarAbove = isFuture && isFar(wanted, newest);
  const fact = isFuture ? 'is not released yet' : 'belongs to no known release line';
  return {
    version,
    isListed: false,
    state: isFuture ? 'not-released' : 'unknown-line',
    isFarAbove: isFarAbove || undefined,
    label: isFuture ? 'Not released' : 'Unknown line',
    sentence: `${title} ${version} ${fact}.`,
    because: isFarAbove
      ? [`${version} is far above ${newest.text}, the newest known version.`]
      : [],
    advice: describeLatest(details),
  };
}

/**
 * Tells whether a version is so far above the newest known version that it cannot be the next release. Examples above 8.10:
 *
 * - 9.0 and 8.20 may be the next release.
 * - 10.0 is far, because its first number is more than 1 above.
 * - 8.21 is far, because its second number is more than 10 above.
 *
 * Great numbers, such as years and days, may also grow by less than a tenth: 20261201 may follow 20260822.
 */
function isFar(wanted: Version, newest: Version): boolean {
  const [first = 0, second = 0] = wanted.groups.map(Number);
  const [knownFirst = 0, knownSecond = 0] = newest.groups.map(Number);
  return first === knownFirst ? exceeds(second, knownSecond, 10) : exceeds(first, knownFirst, 1);
}

/** Tells whether a number is more than `step` and at least a tenth above the known number. */
function exceeds(number: number, known: number, step: number): boolean {
  return number > known + step && number >= known * 1.1;
}

function describeLatest({ latest }: Details): string {
  return latest === undefined ? 'No release is known.' : `The latest version is ${latest}.`;
}
