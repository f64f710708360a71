/** The view of `<component>.html`. */
import type { Index } from '../../core/judged-index.ts';
import type { ComponentFreshness } from '../../core/schema/documents.ts';
import type { Component, Line, Release } from '../../core/schema/published.ts';
import type { ShortRelease } from '../../core/search.ts';
import { formatCount, formatList } from '../../core/text.ts';
import { stateTones } from '../../core/words.ts';
import { describeSecurity, viewReplacement, writeComment } from '../words.ts';
import { listNews } from './changes-page.ts';
import { viewDay, viewLines, viewYears } from './line-view.ts';

/** Larger tables are slow in a browser; `details/` has all. */
const maxReleases = 300;
const maxChanges = 5;

/** `short`: its releases without what their lines say. */
export function viewComponent(component: Component, short: readonly ShortRelease[], index: Index) {
  const { component: name, lines, releases, latest } = component;
  const freshness = index.freshness.get(name)!;
  const shown = releases.toReversed().slice(0, maxReleases);
  const verdicts = short.filter(({ sentence, advice }) => sentence ?? advice);
  const own = new Set(verdicts.map(({ version }) => version));
  const context = { asOf: index.asOf, shown, own };

  const latestRelease = releases.find(({ version }) => version === latest);
  const headLine = lines.find(({ line }) => line === latestRelease?.line) ?? lines.at(-1);
  const hasPhases = lines.some(({ phases }) => phases.length > 0);
  const left = releases.length - shown.length;
  return {
    ...component,
    name,
    replacedBy: viewReplacement(component, index),
    freshness: describeFreshness(freshness),
    count: formatCount(releases.length, 'release'),
    isTroubled: freshness.state === 'stale' || freshness.state === 'held',
    head: headLine && viewHead(component, headLine, latestRelease),
    lineList: hasPhases && viewLines(lines, headLine, context),
    years: viewYears(context),
    left: left > 0 && formatCount(left, 'older release'),
    advisories: viewAdvisories(component),
    changes: listNews(component, index.journals.get(name)).slice(0, maxChanges),
    comment: writeComment(index.settings.datasource, name),
    // A shell accepts no name that begins with a digit.
    variable: `${name.replace(/^(?=\d)/, '_').replaceAll('-', '_')}_version`.toUpperCase(),
  };
}

function viewAdvisories({ advisories, releases }: Component) {
  return advisories.flatMap(({ id, url, summary, fixed = [] }) => {
    const affected = releases.filter((release) => release.advisories?.includes(id));
    const versions = affected.map(({ version }) => version).reverse();
    const remedy =
      fixed.length > 0 ? `Fixed in ${formatList(fixed, 4)}.` : 'No fixed version is known.';
    return affected.length > 0
      ? [{ id, url, summary, affected: formatList(versions, 4), remedy }]
      : [];
  });
}

/** When its sources were checked, and what is wrong with them. */
function describeFreshness(freshness: ComponentFreshness): string {
  const { state, lastChecked, failures = [], held = [] } = freshness;
  if (state === 'static') {
    return 'Kept by hand.';
  }

  const checked =
    lastChecked === undefined
      ? 'Not every source has answered yet.'
      : `Last checked on ${lastChecked}.`;
  const [hold] = held;
  if (hold) {
    return `${checked} A change waits since ${hold.since}.`;
  }

  return failures.length > 0
    ? `${checked} ${formatCount(failures.length, 'source')} failed.`
    : checked;
}

function viewHead({ support, lines }: Component, line: Line, release: Release | undefined) {
  const tone = release ? stateTones[line.state] : 'none';
  return {
    ...(release && viewDay(release)),
    tone: tone === 'over' ? 'gone' : tone,
    end: line.phases.length > 0 && line.end,
    isInferred: line.isInferred,
    changelogUrl: release?.changelogUrl,
    move: release?.moveTo && `${release.sentence} ${release.advice}`,
    rule: [support.description, support.inferred && `Inferred: ${support.inferred}`]
      .filter(Boolean)
      .join(' '),
    ruleUrl: support.url,
    security: release && describeSecurity(release),
    why: lines.length > 0 ? 'No release of it is usable.' : 'No release is known.',
  };
}
