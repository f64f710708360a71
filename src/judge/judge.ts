/** What an index says of its components on a day: `details/<component>.json`. Pure. */
import { nameSourcePackage } from '../core/datasources.ts';
import { toTimestamp, type Day } from '../core/day.ts';
import { formatPackage, parsePurl } from '../core/purl.ts';
import type { Definition } from '../core/schema/definition.ts';
import type { Component, Line, Reason, Release } from '../core/schema/published.ts';
import { nameSources } from '../core/schema/names.ts';
import { addPlaces } from '../core/search.ts';
import { compareVersions, findNewest, readVersion } from '../core/version.ts';
import { stateLabels, stateTones, vulnerableLabel } from '../core/words.ts';
import {
  findMove,
  isUsable,
  listChoices,
  type Choices,
  type Deadlines,
  type Start,
} from './move.ts';
import { findCertainDay, sortReasons } from './releases.ts';
import {
  judgeStates,
  type Judged,
  type JudgedLine,
  type JudgedRelease,
  type Subject,
} from './states.ts';
import type { Support } from './support.ts';
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
interface Context {
  readonly judged: Judged;
  readonly day: Day;
  readonly choices: Choices;
  readonly replacement: { readonly title: string; readonly choices: Choices } | undefined;
}

/** Adds what to move to, and the sentences. */
function complete(judged: Judged, replacement: Judged | undefined, day: Day): Component {
  const { lines, releases, latest } = judged;
  const successor = replacement && {
    title: replacement.subject.definition.title,
    choices: listChoices(replacement.releases),
  };
  const choices = listChoices(releases, successor?.choices);
  const context: Context = { judged, day, choices, replacement: successor };
  const component: Component = {
    ...describeDefinition(judged.subject),
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
  const isAffected = newest?.isAffected ?? false;
  const parsed = findNewest(releases)?.parsed ?? readVersion(name);

  return {
    line: name,
    since: began.from,
    sinceAtMost: began.atMost,
    ...support,
    latest,
    releases: releases.length,
    end: describeLineEnd(support),
    ...completeVerdict(
      name,
      latest ?? name,
      { ...support, support, because: [] },
      { parsed, line: name, state: line.state, isAffected },
      { deprecated: support.supportedUntil },
      context,
    ),
    because: listGrounds(support.reason ? [support.reason] : [], newest?.security.advisories),
  };
}

/** Without what order says: `addPlaces` adds it. */
function completeRelease(release: JudgedRelease, context: Context): Release {
  const { recorded: facts, parsed, line, support, because, security } = release;
  const { judged, day } = context;
  const { text: version } = parsed;
  const isKnown = release.isAffected || judged.watchesAdvisories;
  const reasons = [...because, ...release.reasons.filter((reason) => !because.includes(reason))];
  const hasOwnReason = release.reasons.some((reason) => findCertainDay(reason) <= day);
  const isEndAhead = support.reason && !because.includes(support.reason);
  const grounds = isEndAhead ? [...because, support.reason!] : because;
  const deadlines = {
    affected: security.dueBy,
    deprecated: hasOwnReason ? undefined : support.supportedUntil,
  };

  const verdict = completeVerdict(version, version, release, release, deadlines, context);
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
    state: verdict.state,
    label: verdict.label,
    isSupported: verdict.isSupported,
    moveReason: verdict.moveReason,
    moveTo: verdict.moveTo,
    moveBy: verdict.moveBy,
    sentence: verdict.sentence,
    advice: verdict.advice,
    // A sentence that ends with its reason has said it.
    because: listGrounds(grounds, security.advisories).filter(
      (ground) => !verdict.sentence.endsWith(ground),
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

interface Judgement extends Pick<Release, 'state' | 'isSupported'> {
  readonly support: Support;
  /** Why it is deprecated now. */
  readonly because: readonly Reason[];
}

/**
 * What a line and a release have in common. `name`: what it is called; `version`: that of the release that may be the latest;
 * `deadlines`: besides the end of support.
 */
function completeVerdict(
  name: string,
  version: string,
  { state, isSupported, support, because }: Judgement,
  start: Start,
  deadlines: Deadlines,
  { judged, day, choices, replacement }: Context,
) {
  const { subject, latest, watchesAdvisories } = judged;
  const move = findMove(
    start,
    { ...deadlines, 'ends-soon': support.supportedUntil },
    choices,
    replacement?.choices,
    day,
  );
  const { moveReason, moveTo, moveBy } = move;
  const isVulnerable = start.isAffected && stateTones[state] !== 'over';
  const isOwn = moveTo?.component === subject.name;

  return {
    state,
    label: isVulnerable ? vulnerableLabel : stateLabels[state],
    isSupported,
    moveReason,
    moveTo,
    moveBy,
    sentence: describeState(
      `${subject.definition.title} ${name}`,
      { state, isSupported },
      support,
      because,
    ),
    advice: describeAdvice({
      ...move,
      version,
      isBack: isOwn && compareVersions(readVersion(moveTo.version), start.parsed) < 0,
      latest: latest?.parsed.text,
      isAffected: start.isAffected,
      isUnwatched: !watchesAdvisories,
      nameComponent: (component) => (component === subject.name ? '' : `${replacement!.title} `),
    }),
  };
}
