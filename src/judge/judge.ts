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
import type { Security } from './advisories.ts';
import { findMove, isUsable, listChoices, type Options } from './move.ts';
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
  const byName = new Map(subjects.map((subject) => [subject.name, subject]));
  return subjects.map((subject) => {
    return judgeOne(subject, day, byName.get(subject.definition.replacedBy ?? ''));
  });
}

/** What the verdicts on all lines and releases of a component depend on. */
interface Context extends Options {
  readonly judged: Judged;
}

/** `successor`: the component that replaces it. */
export function judgeOne(subject: Subject, day: Day, successor?: Subject): Component {
  const judged = judgeStates(subject, day);
  const replacement = successor && {
    title: successor.definition.title,
    choices: listChoices(judgeStates(successor, day).releases),
  };
  const choices = listChoices(judged.releases, replacement?.choices);
  const context: Context = { judged, day, choices, replacement };
  const component: Component = {
    ...describeDefinition(subject),
    latest: judged.latest?.parsed.text,
    watchesAdvisories: judged.watchesAdvisories,
    advisories: judged.advisories,
    lines: judged.lines.map((line) => completeLine(line, context)),
    releases: judged.releases.map((release) => completeRelease(release, context)),
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
  const { name, began, moveState, support, releases } = line;
  const newest = releases.findLast(isUsable);
  const latest = newest?.parsed.text;
  return {
    line: name,
    since: began.from,
    sinceAtMost: began.atMost,
    ...support,
    latest,
    releases: releases.length,
    end: describeLineEnd(support),
    ...describeVerdict(
      {
        ...support,
        support,
        name,
        line: name,
        version: latest ?? name,
        parsed: findNewest(releases)?.parsed ?? readVersion(name),
        moveState,
        because: [],
        security: newest?.security,
      },
      context,
    ),
  };
}

/** Without what order says: `addPlaces` adds it. */
function completeRelease(release: JudgedRelease, context: Context): Release {
  const { recorded: facts, security } = release;
  const { judged } = context;
  const version = release.parsed.text;
  const isKnown = release.isAffected || judged.watchesAdvisories;
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
    line: release.line,
    availableAt: judged.subject.availableAt?.get(version),
    isDeprecated: release.isDeprecated,
    deprecatedSince: findDeprecatedSince(release, judged.subject),
    reasons: sortReasons([...new Set([...release.because, ...release.reasons])]),
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
    ...describeVerdict({ ...release, name: version, version, moveState: release.state }, context),
  };
}

/** What a verdict follows from. */
interface Facts
  extends
    Pick<Release, 'state' | 'isSupported'>,
    Pick<JudgedRelease, 'parsed' | 'line' | 'support' | 'because'> {
  readonly name: string;
  /** Of the release that may be the latest. */
  readonly version: string;
  /** A line of which all releases are deprecated is moved off, whatever its support. */
  readonly moveState: State;
  /** Of a line, that of its newest release to use. */
  readonly security: Security | undefined;
}

/** The move of a line or a release, and the words. */
function describeVerdict(facts: Facts, context: Context) {
  const { name, version, parsed, state, isSupported, support, because, security } = facts;
  const { judged, replacement } = context;
  const { definition, name: component } = judged.subject;
  const advisories = security?.advisories ?? [];
  const isAffected = advisories.length > 0;

  const until = support.supportedUntil;
  // Its own reason does not wait for the end of its line.
  const deprecated = because.every((reason) => reason === support.reason) ? until : undefined;
  const deadlines = { affected: security?.dueBy, deprecated, 'ends-soon': until };
  const move = findMove({ ...facts, state: facts.moveState, isAffected }, deadlines, context);

  const { moveTo } = move;
  const isOwn = moveTo?.component === component;
  const owner = isOwn ? '' : `${replacement?.title} `;
  const sentence = describeState(`${definition.title} ${name}`, facts, support, because);
  const isVulnerable = isAffected && stateTones[state] !== 'over';
  return {
    state,
    label: isVulnerable ? vulnerableLabel : stateLabels[state],
    isSupported,
    ...move,
    sentence,
    advice: describeAdvice({
      ...move,
      target: moveTo && `${owner}${moveTo.version}`,
      version,
      isBack: isOwn && compareVersions(readVersion(moveTo.version), parsed) < 0,
      latest: judged.latest?.parsed.text,
      isAffected,
      isUnwatched: !judged.watchesAdvisories,
    }),
    // A sentence that ends with its reason has said it.
    because: listGrounds(because.concat(support.reason ?? []), advisories).filter(
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
