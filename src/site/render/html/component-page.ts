import { computeDetailsOn, type DetailsOn } from '../../../ask/answers/component-on.ts';
import { describeUnusableGreatest } from '../../../ask/answers/verdict-sentences.ts';
import { pick } from '../../../core/model/objects.ts';
import { listUpcomingChanges, type UpcomingChange } from '../../../core/model/upcoming-changes.ts';
import { resolveStops } from '../../../core/model/upgrade-stops.ts';
import {
  describeUnknownAdvisories,
  describeMove,
  describePresentPhase,
  findTone,
} from '../../../core/model/words.ts';
import { isStaticId, listSourceIds } from '../../../core/schemas/definition/source-ids.ts';
import {
  capitalise,
  formatCount,
  formatNumber,
  formatList,
  endSentence,
} from '../../../core/text/wording.ts';
import type { Component } from '../../../decide/component.ts';
import { type ComponentSummary, summarise } from '../../../decide/component-summary.ts';
import { describeDetails } from '../../../decide/details.ts';
import {
  describeTrouble,
  explainFreshness,
  hasFailed,
} from '../../../decide/component-freshness.ts';
import { explainNoLatest, type JudgedRelease, type Judgement } from '../../../decide/judge.ts';
import { describeReplacement, describeTarget, findLatestMove } from '../../../decide/moves.ts';
import type { ComparedComponents } from '../../../decide/partners.ts';
import { describeAdvisory, describeSecurity } from '../../../decide/advisories.ts';
import { describePolicy } from '../../../decide/policy-sentences.ts';
import { listIndexNews } from '../../../record/journal/events/index-news.ts';
import type { ChangeEntry } from '../../../record/journal/events/change-entries.ts';
import { listPackageNames } from '../renovate/package-rules.ts';
import { renderComponentSnippets } from '../renovate/snippets.ts';
import type { SiteContext } from '../site-context.ts';
import { createLineEndView } from './end-view.ts';
import { createLineList } from './line-list.ts';
import { findDrawnState } from './picture.ts';
import { createReleaseList, hasNoPhases } from './release-list.ts';
import { renderPage } from './templates.ts';
import { createWorksWithView } from './works-with-table.ts';

// The number that the page shows of each; links lead to the rest.
const maxChanges = 3;
const maxDeprecations = 2;
const maxAdvisories = 5;
/** Versions that an advisory names. */
const maxAffected = 4;

/** The changes of a component, newest first, and the component as answers see it. */
interface PageFacts {
  readonly changes: readonly ChangeEntry[];
  readonly today: DetailsOn;
}

/** `<component>.html`. If no line is known, the template leaves out most of the fields. */
export function renderComponentPage(
  component: Component,
  { changes, today: details }: PageFacts,
  site: SiteContext,
  comparedComponents: ComparedComponents,
): string {
  const { name, definition, judgement, freshness } = component;
  const isWithoutPhases = hasNoPhases(judgement);
  const summary = summarise(component);
  const advisories = listAffectingAdvisories(summary);
  const advisoriesLeft = advisories.length - maxAdvisories;

  const view = {
    ...pick(definition, ['title', 'description', 'homepage', 'changelogUrl', 'replacedBy']),
    ...renderComponentSnippets(site, summary),
    name,
    latest: judgement.latest?.version,
    count: formatCount(judgement.releases.length, 'release'),
    isTroubled: isTroubled(freshness),
    freshness: explainFreshness(freshness),
    troubles: freshness.troubles.map(describeTrouble),
    isEmpty: judgement.lines.length === 0,
    askedSources: listSourceIds(definition.sources).filter((id) => !isStaticId(id)),
    replacement: describeReplacement(component).join(''),
    replacementTitle: component.replacement?.definition.title,
    managed: formatList(listPackageNames(summary), 3),
    head: createHeadView(component, details),
    advisories: advisories.slice(0, maxAdvisories).map(createAdvisoryView),
    moreAdvisories: advisoriesLeft > 0 ? formatNumber(advisoriesLeft) : '',
    // The template reads `releases.frequency`, which Handlebars rejects for undefined, but not for false.
    releases: isWithoutPhases && createReleaseList(judgement),
    list:
      !isWithoutPhases &&
      createLineList(component, { details, replacement: computeReplacement(component) }),
    worksWith: createWorksWithView(name, comparedComponents),
    stops: listStops(component),
    changes: describeChanges(summary, changes),
  };

  return renderPage(site, 'component', view, { path: `${name}.html`, component: name });
}

/** Whether the page says above the releases that they may be out of date. */
function isTroubled({ state, troubles }: Component['freshness']): boolean {
  return (
    (state === 'stale' && troubles.length === 0) ||
    troubles.some((trouble) => trouble.kind === 'held' || hasFailed(trouble))
  );
}

/** The component that replaces it, as answers see it. */
export function computeReplacement({ replacement }: Component): DetailsOn | undefined {
  return (
    replacement &&
    computeDetailsOn(describeDetails({ ...replacement, journal: [] }), replacement.judgement.day)
  );
}

/**
 * The newest changes, without what the page shows elsewhere: near ends, and releases that were recorded soon after their day. Their
 * texts do not name the component: the heading does.
 */
function describeChanges(summary: ComponentSummary, changes: readonly ChangeEntry[]) {
  const past = changes.filter(({ type }) => type !== 'support-ending');
  return listIndexNews([summary], past)
    .filter((news) => news.kind === 'change')
    .slice(0, maxChanges)
    .map(({ day, text, change }) => ({
      day,
      text: capitalise(text),
      behind: change.group?.sentences,
    }));
}

/** The releases that no upgrade may skip, lowest first. */
function listStops({ definition, judgement }: Component) {
  const stops = resolveStops({ ...judgement, upgradeStops: definition.upgradeStops });
  return stops.map(({ release, reason, url }) => ({
    version: release.version,
    day: release.releaseDay ?? '',
    reason: reason && endSentence(reason),
    url,
  }));
}

type AffectingAdvisory = ComponentSummary['advisories'][number];

/** Advisories that affect a release: the exploited ones, then the others, the greatest id first. */
function listAffectingAdvisories({ advisories }: ComponentSummary): AffectingAdvisory[] {
  const affecting = advisories.filter(({ versions }) => versions.length > 0).reverse();
  const rank = ({ advisory }: AffectingAdvisory) => (advisory.exploitedSince === undefined ? 1 : 0);
  return affecting.sort((a, b) => rank(a) - rank(b));
}

function createAdvisoryView({ advisory, versions }: AffectingAdvisory) {
  return {
    ...advisory,
    affected: formatList(versions.toReversed(), maxAffected),
    remedy: describeAdvisory(advisory),
  };
}

/** The head of the page: the version to use, its support and security, and coming deprecations; undefined without a line. */
function createHeadView(component: Component, details: DetailsOn) {
  const { definition, judgement } = component;
  const { latest, lines, releases, day, nextChangeOn } = judgement;
  const line = lines.find(({ name }) => name === latest?.line);
  // Without a version to use, the head is about the newest line.
  const shownLine = line ?? lines.at(-1);
  if (!shownLine) {
    return undefined;
  }

  // The ends of lines follow from the policy, which the head describes.
  const deprecations = listUpcomingChanges(
    lines.map((each) => ({ ...each, line: each.name })),
    day,
  ).filter(({ version }) => version !== undefined);
  const moreDeprecations = deprecations.length - maxDeprecations;

  return {
    tone: releases.length === 0 ? 'none' : findTone(findDrawnState(shownLine, day)),
    latest,
    greater: latest ? describeUnusableGreatest(details, latest.version) : '',
    // From this day on, the script of the page judges the head again.
    changesOn: nextChangeOn,
    move: describeLatestMove(component),
    why: latest ? '' : explainNoLatest(judgement),
    security: latest ? describeLatestSecurity(latest, judgement) : '',
    // Without a support policy, the sentence about the policy says so.
    end: definition.support && createLineEndView(shownLine),
    phase: line ? describePresentPhase(line) : '',
    isObserved: latest?.timestampKind === 'observed',
    policy: describePolicy(definition.support),
    deprecations: deprecations.slice(0, maxDeprecations).map(describeDeprecation),
    moreDeprecations: moreDeprecations > 0 ? formatCount(moreDeprecations, 'more release') : '',
  };
}

function describeDeprecation(change: UpcomingChange): string {
  // A change of a release has a day and a reason.
  return `${change.version} is deprecated from ${change.from} on: ${endSentence(change.reason!)}`;
}

/** `Move back to 2.0.`; empty where there is no reason to move off the latest version. */
function describeLatestMove(component: Component): string {
  const move = findLatestMove(component);
  // The latest version is the greatest one to use, so a target in the component is older.
  const isBack = move.moveTo?.component === component.name;
  const words = describeMove({ ...move, isBack }, (target) => describeTarget(component, target));
  return words && `${words}.`;
}

function describeLatestSecurity(latest: JudgedRelease, { watchesAdvisories }: Judgement): string {
  const sentences = describeSecurity(latest);
  const allSentences = watchesAdvisories ? sentences : [...sentences, describeUnknownAdvisories()];
  return allSentences.join(' ');
}
