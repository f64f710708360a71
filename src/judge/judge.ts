/** What an index says of its components on a day: `details/<component>.json`. Pure. */
import { nameSourcePackage } from '../core/datasources.ts';
import { toTimestamp, type Day } from '../core/day.ts';
import { formatPackage, parsePurl } from '../core/purl.ts';
import type { Definition } from '../core/schema/definition.ts';
import type { Component, Line, Release, State } from '../core/schema/published.ts';
import { nameSources } from '../core/schema/names.ts';
import { addPlaces } from '../core/short-releases.ts';
import { compareVersions, findNewest, readVersion } from '../core/version.ts';
import { stateLabels, stateTones, vulnerableLabel } from '../core/words.ts';
import { findMove, isUsable, listChoices, type Move, type Options, type Start } from './move.ts';
import { findCertainDay, sortReasons } from './releases.ts';
import {
  judgeStates,
  type Judged,
  type JudgedLine,
  type JudgedRelease,
  type Subject,
} from './states.ts';
import { describePolicy } from './policy-words.ts';
import { describeAdvice, describeLineEnd, describeState, listGrounds } from './words.ts';

export type { Subject } from './states.ts';

/** Judges all components of an index on a day: a component may be replaced by another. */
export function judgeAll(subjects: readonly Subject[], day: Day): Component[] {
  const names = new Set(subjects.map(({ definition }) => definition.replacedBy));
  const replacements = new Map(
    subjects
      .filter(({ name }) => names.has(name))
      .map((subject) => [subject.name, judgeStates(subject, day)]),
  );
  return subjects.map((subject) => {
    const judged = replacements.get(subject.name) ?? judgeStates(subject, day);
    return complete(judged, replacements.get(subject.definition.replacedBy ?? ''), day);
  });
}

/** What the moves and sentences of all lines and releases of a component depend on. */
interface Context extends Options {
  readonly judged: Judged;
  readonly title: string;
}

/** Adds what to move to, and the sentences. */
function complete(judged: Judged, replacement: Judged | undefined, day: Day): Component {
  const { subject, lines, releases, latest } = judged;
  const successor = replacement && {
    title: replacement.subject.definition.title,
    choices: listChoices(replacement.releases),
  };
  const choices = listChoices(releases, successor?.choices);
  const { title } = subject.definition;
  const context: Context = { judged, title, day, choices, replacement: successor };
  const component: Component = {
    ...describeDefinition(subject),
    latest: latest?.parsed.text,
    watchesAdvisories: judged.watchesAdvisories,
    advisories: [...judged.advisories],
    lines: lines.map((line) => completeLine(line, context)),
    releases: releases.map((release) => completeRelease(release, context)),
  };
  addPlaces(component);
  return component;
}

function describeDefinition({ name, definition }: Subject) {
  const { title, description, homepage, sourceRepository, changelogUrl } = definition;
  const { aliases, renamedFrom, replacedBy, sources } = definition;
  const { support = { policy: 'none' as const } } = definition;
  const ids = nameSources(sources);
  return {
    component: name,
    title,
    description,
    homepage,
    sourceRepository,
    changelogUrl,
    aliases,
    renamedFrom,
    replacedBy,
    support: {
      policy: support.policy,
      description: describePolicy(support),
      url: 'url' in support ? support.url : undefined,
      inferred: 'inferred' in support ? support.inferred : undefined,
    },
    packages: listPackageUrls(definition),
    sources: sources.map(
      ({ datasource, packageName, registryUrl, field, extractVersion }, position) => ({
        id: ids[position]!,
        datasource,
        packageName,
        registryUrl,
        field,
        extractVersion,
      }),
    ),
  };
}

/** The package URLs of its sources and aliases. */
function listPackageUrls({ sources, aliases = [] }: Definition): string[] {
  const ofAliases = aliases
    .map(parsePurl)
    .map((purl) => purl && formatPackage(purl.type, purl.name));
  const packages = [...sources.map(nameSourcePackage), ...ofAliases];
  return [...new Set(packages)].filter((purl) => purl !== undefined);
}

function completeLine(line: JudgedLine, context: Context): Line {
  const { name, began, support, releases } = line;
  const newest = releases.findLast(isUsable);
  const latest = newest?.parsed.text;
  const parsed = findNewest(releases)?.parsed ?? readVersion(name);
  const isAffected = newest?.isAffected ?? false;
  const start = { parsed, line: name, state: line.state, isAffected };
  const until = support.supportedUntil;
  const move = findMove(start, { deprecated: until, 'ends-soon': until }, context);

  return {
    line: name,
    since: began.from,
    sinceAtMost: began.atMost,
    ...support,
    latest,
    releases: releases.length,
    end: describeLineEnd(support),
    label: findLabel(support.state, isAffected),
    ...move,
    sentence: describeState(`${context.title} ${name}`, support, support),
    advice: advise(latest ?? name, start, move, context),
    because: listGrounds(support.reason ? [support.reason] : [], newest?.security.advisories),
  };
}

/** Without what order says: `addPlaces` adds it. */
function completeRelease(release: JudgedRelease, context: Context): Release {
  const { recorded: facts, parsed, line, support, because, security, state } = release;
  const { judged, day } = context;
  const { text: version } = parsed;
  const isKnown = release.isAffected || judged.watchesAdvisories;
  const reasons = [...because, ...release.reasons.filter((reason) => !because.includes(reason))];
  const hasOwnReason = release.reasons.some((reason) => findCertainDay(reason) <= day);
  const isEndAhead = support.reason && !because.includes(support.reason);
  const grounds = isEndAhead ? [...because, support.reason!] : because;
  const until = support.supportedUntil;
  const deprecated = hasOwnReason ? undefined : until;
  const deadlines = { affected: security.dueBy, deprecated, 'ends-soon': until };
  const move = findMove(release, deadlines, context);
  const sentence = describeState(`${context.title} ${version}`, release, support, because);
  // As one literal: keys that are added later make an object slow.
  return {
    version,
    releaseTimestamp: facts.releaseTimestamp && toTimestamp(facts.releaseTimestamp),
    timestampKind: release.day === undefined ? undefined : (facts.timestampKind ?? 'published'),
    notBefore: facts.notBefore,
    firstSeen: facts.firstSeen,
    sources: facts.sources,
    changelogUrl: release.changelogUrl,
    isPrerelease: release.isPrerelease || undefined,
    withdrawnSince: facts.withdrawnSince,
    digests: facts.digests,
    digest: facts.digest,
    republishedOn: facts.republishedOn,
    line,
    availableAt: judged.subject.availableAt?.get(version),
    isDeprecated: release.isDeprecated,
    deprecatedSince: findDeprecatedSince(release, judged.subject),
    reasons: sortReasons(reasons),
    advisories: isKnown ? security.advisories : undefined,
    fixes: security.fixes,
    isTrustedFix: security.isTrustedFix,
    severity: security.severity,
    exploitedSince: security.exploitedSince,
    dueBy: security.dueBy,
    isLatest: undefined,
    isLatestOfLine: undefined,
    releasesBehind: undefined,
    behind: undefined,
    state,
    label: findLabel(state, release.isAffected),
    isSupported: release.isSupported,
    moveReason: move.moveReason,
    moveTo: move.moveTo,
    moveBy: move.moveBy,
    sentence,
    advice: advise(version, release, move, context),
    // A sentence that ends with its reason has said it.
    because: listGrounds(grounds, security.advisories).filter(
      (ground) => !sentence.endsWith(ground),
    ),
  };
}

/** Unknown where one of the reasons has neither a day of its own nor one on which readers were told. */
function findDeprecatedSince(
  { because, line, support, parsed }: JudgedRelease,
  { told }: Subject,
): Day | undefined {
  // All may be deprecated before the end of support.
  const ended = support.supportedUntil === undefined ? told?.lines.get(line) : undefined;
  const own = told?.releases.get(parsed.text);
  const days = because.map((reason) => {
    const day = reason.rule === 'support policy' ? ended?.endedOn : own?.deprecatedOn;
    return findCertainDay(reason) || day;
  });
  return days.includes(undefined) ? undefined : days.sort()[0];
}

function findLabel(state: State, isAffected: boolean): string {
  return isAffected && stateTones[state] !== 'over' ? vulnerableLabel : stateLabels[state];
}

/** `version`: that of the release that may be the latest. */
function advise(
  version: string,
  { parsed, isAffected }: Start,
  move: Move,
  { judged: { subject, latest, watchesAdvisories }, replacement }: Context,
): string {
  const { moveTo } = move;
  const isOwn = moveTo?.component === subject.name;
  const owner = isOwn ? '' : `${replacement?.title} `;
  return describeAdvice({
    ...move,
    target: moveTo && `${owner}${moveTo.version}`,
    version,
    isBack: isOwn && compareVersions(readVersion(moveTo.version), parsed) < 0,
    latest: latest?.parsed.text,
    isAffected,
    isUnwatched: !watchesAdvisories,
  });
}
