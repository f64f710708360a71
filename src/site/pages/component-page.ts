/** The view of `<component>.html`. */
import type { Index } from '../../core/schema/documents.ts';
import type { Component, Line, Release } from '../../core/schema/published.ts';
import { formatCount, formatList } from '../../core/text.ts';
import { stateTones } from '../../core/words.ts';
import { describeSecurity, findComponent, writeComment } from '../words.ts';
import { listNews } from './changes-page.ts';
import { viewDay, viewLines, viewPlain } from './line-view.ts';
import { stateWords } from './status-page.ts';

/** Larger tables are slow in a browser; `details/` has all. */
const maxReleases = 300;
const maxChanges = 5;

export function viewComponent(component: Component, index: Index) {
  const { component: name, lines, releases, latest } = component;
  const { state, lastChecked } = index.freshness.get(name)!;
  const shown = releases.slice(-maxReleases).reverse();
  const latestRelease = releases.find(({ version }) => version === latest);
  const headLine = lines.find(({ line }) => line === latestRelease?.line) ?? lines.at(-1);
  const hasPhases = lines.some(({ phases }) => phases.length > 0);
  const context = { asOf: index.asOf, shown, own: listOwn(component, shown) };
  const left = releases.length - shown.length;
  return {
    ...component,
    name,
    replacedBy: findComponent(component.replacedBy, index),
    trouble: /stale|held/.test(state) && { words: stateWords[state], lastChecked },
    count: formatCount(releases.length, 'release'),
    head: headLine && viewHead(component, headLine, latestRelease),
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

function viewHead({ support }: Component, line: Line, release: Release | undefined) {
  const tone = release ? stateTones[line.state] : 'none';
  return {
    ...release,
    ...viewDay(release),
    tone: tone === 'over' ? 'gone' : tone,
    end: line.phases.length > 0 && line.end,
    isInferred: line.isInferred,
    rule: support.description + (support.inferred ? ` Inferred: ${support.inferred}` : ''),
    ruleUrl: support.url,
    security: release?.advisories ? describeSecurity(release) : 'Advisories: not known.',
  };
}
