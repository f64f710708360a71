/** The view of `<component>.html`. */
import type { Index } from '../load-index.ts';
import type { Component, Line, Release } from '../../core/schema/published.ts';
import { formatCount, formatList } from '../../core/text.ts';
import { stateTones, vulnerableLabel } from '../../core/words.ts';
import { describeSecurity, findComponent, writeComment } from '../words.ts';
import { listNews } from './changes-page.ts';
import { viewDay, viewLines, viewPlain } from './line-view.ts';

/** Larger tables are slow in a browser; `details/` has all. */
const maxReleases = 300;
const maxChanges = 5;

const troubleWords: Readonly<Record<string, string>> = {
  stale: 'Newer releases may be missing: sources failed.',
  held: 'A change waits for a decision.',
};

export function viewComponent(component: Component, index: Index) {
  const { component: name, lines, releases } = component;
  const { state, lastChecked } = index.freshness.get(name)!;
  const shown = releases.slice(-maxReleases).reverse();
  const newest = findNewest(component);
  const headLine = lines.find(({ line }) => line === newest?.line);
  const hasPhases = lines.some(({ phases }) => phases.length > 0);
  const context = { asOf: index.asOf, shown, own: listOwn(component, shown) };
  const left = releases.length - shown.length;
  return {
    ...component,
    name,
    replacedBy: findComponent(component.replacedBy, index),
    trouble: /stale|held/.test(state) && { words: troubleWords[state], lastChecked },
    count: formatCount(releases.length, 'release'),
    head: headLine && viewHead(component, headLine, newest!),
    lineList: hasPhases && viewLines(lines, headLine, context),
    plain: !hasPhases && viewPlain(context),
    left: left > 0 && formatCount(left, 'older release'),
    advisories: viewAdvisories(component),
    changes: listNews(component, index.journals.get(name)).slice(0, maxChanges),
    comment: writeComment(index.settings.datasource, name),
    // A shell accepts no name that begins with a digit.
    variable: `${name.replace(/^(?=\d)/, '_').replaceAll('-', '_')}_version`.toUpperCase(),
  };
}

/** The versions of which a sentence or an advice is not that of their line. */
function listOwn({ title, lines }: Component, releases: readonly Release[]): Set<string> {
  const byLine = new Map(lines.map((line) => [line.line, line]));
  const own = releases.filter(({ version, line: name, sentence, advice }) => {
    const line = byLine.get(name)!;
    const ofLine = line.sentence.replace(`${title} ${name}`, () => `${title} ${version}`);
    return sentence !== ofLine || advice !== line.advice;
  });
  return new Set(own.map(({ version }) => version));
}

function viewAdvisories({ advisories, releases }: Component) {
  const views = advisories.map(({ id, url, summary, fixed }) => {
    const affected = releases.filter((release) => release.advisories?.includes(id));
    const versions = affected.map(({ version }) => version).reverse();
    const remedy = fixed ? `Fixed in ${formatList(fixed, 4)}.` : 'No fixed version is known.';
    return { id, url, summary, affected: formatList(versions, 4), remedy };
  });
  return views.filter(({ affected }) => affected !== '');
}

/** The latest release, else the newest one that is no prerelease. */
export function findNewest({ releases, latest }: Component): Release | undefined {
  return (
    releases.find(({ version }) => version === latest) ??
    releases.findLast(({ isPrerelease }) => !isPrerelease) ??
    releases.at(-1)
  );
}

function viewHead({ support, latest }: Component, line: Line, release: Release) {
  const { label, moveReason, version, changelogUrl, sentence, advice } = release;
  const isBad = latest === undefined || label === vulnerableLabel;
  const verdict = isBad || moveReason ? `${sentence} ${advice}` : '';
  const ground = line.reason?.text ?? (verdict ? '' : support.description);
  const rule = [!verdict.includes(ground) && ground, line.isInferred && support.inferred];
  return {
    ...viewDay(release),
    state: `Newest version${isBad ? `, ${label.toLowerCase()}` : ''}`,
    version,
    changelogUrl,
    tone: isBad ? 'gone' : stateTones[line.state],
    end: verdict === '' && line.phases.length > 0 && line.end,
    isInferred: line.isInferred,
    rule: rule.filter(Boolean).join(' '),
    ruleUrl: line.reason?.url ?? support.url,
    verdict,
    security: release.advisories ? describeSecurity(release) : 'Advisories: not checked.',
  };
}
