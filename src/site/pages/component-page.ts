/** The view of `<component>.html`. */
import type { Component, Line, Release } from '../../core/schema/published.ts';
import { formatCount, formatList } from '../../core/text.ts';
import {
  describeDay,
  findWords,
  markEstimated,
  stateTones,
  vulnerableLabel,
} from '../../core/words.ts';
import { listNews } from '../documents/changes.ts';
import { describeTrouble } from '../freshness.ts';
import type { Index } from '../load-index.ts';
import { writeComment } from '../renovate/comments.ts';
import { describeSecurity } from '../words.ts';
import { findHead, listRemarks, viewLines, viewPlain } from './line-view.ts';

/** Larger tables are slow in a browser; `details/` has all. */
const maxReleases = 300;
const maxChanges = 5;

export function viewComponent(component: Component, index: Index) {
  const { component: name, title, homepage, changelogUrl, latest, lines, releases } = component;
  const shown = releases.slice(-maxReleases).reverse();
  const newest = findHead(component);
  const headLine = lines.find(({ line }) => line === newest?.line);
  const hasPhases = lines.some(({ phases }) => phases.length > 0);
  const hidden = releases.length - shown.length;
  return {
    name,
    title,
    about: component.description,
    homepage,
    changelogUrl,
    latest,
    count: formatCount(releases.length, 'release'),
    head: newest && headLine && viewHead(component, headLine, newest),
    trouble: describeTrouble(index.freshness.get(name)!, index),
    lineList: hasPhases && viewLines(lines, shown, headLine, index.asOf),
    plain: !hasPhases && shown.length > 0 && viewPlain(shown, lines),
    unshown: hidden > 0 && formatCount(hidden, 'older release'),
    advisories: viewAdvisories(component),
    changes: listNews(component, index)
      .filter(({ type }) => type !== 'released')
      .slice(0, maxChanges),
    files: viewFiles(component),
    comment: writeComment(index.settings.datasource, name),
    // A shell accepts no name that begins with a digit.
    variable: `${name.replace(/^(?=\d)/, '_').replaceAll('-', '_')}_version`.toUpperCase(),
  };
}

/** The SHA-256 of the files of the greatest release that has all, if possible of one that is not deprecated. */
function viewFiles({ component, releases }: Component) {
  const whole = releases.filter(({ hasAllFiles, isPrerelease }) => hasAllFiles && !isPrerelease);
  const newest = whole.findLast(({ isDeprecated }) => !isDeprecated) ?? whole.at(-1);
  const rows = Object.entries(newest?.files ?? {}).map(([name, digest]) => {
    return { name, path: `${component}/${name}.json`, digest: digest.slice('sha256:'.length) };
  });
  return newest && { version: newest.version, rows };
}

function viewAdvisories({ advisories, releases }: Component) {
  const views = advisories.map(({ id, url, summary, fixed }) => {
    const affected = releases.filter((release) => release.advisories?.includes(id));
    const versions = affected.map(({ version }) => version).reverse();
    const remedy = fixed ? `Fixed in ${formatList(fixed, 4)}.` : 'No fixed version is known.';
    const remarks = listRemarks({ text: remedy }, { text: summary, url, link: `About ${id}` });
    return { id, affected: formatList(versions, 4), remarks };
  });
  // Not of releases that this index leaves out.
  return views.filter(({ affected }) => affected !== '');
}

function viewHead({ support, latest }: Component, line: Line, release: Release) {
  const { moveReason, version, changelogUrl } = release;
  const { label, sentence, advice } = findWords(release, [line]);
  const isBad = latest === undefined || label === vulnerableLabel;
  const mustMove = isBad || moveReason !== undefined;
  const verdict = mustMove ? `${sentence} ${advice}` : '';
  const hasEnd = !mustMove && line.phases.length > 0;
  const day = describeDay(release);
  // A reason to move says more than the rule.
  const policy = mustMove ? '' : support.description;
  const ground = line.reason?.text ?? policy;
  const rule = [
    day ? `Released ${day}.` : 'Release day unknown.',
    verdict.includes(ground) ? '' : ground,
    line.isInferred && support.inferred,
  ];
  return {
    state: isBad ? `Newest version, ${label.toLowerCase()}` : 'Newest version',
    version,
    changelogUrl,
    tone: isBad ? 'gone' : stateTones[line.state],
    remarks: listRemarks(
      { kind: 'until', text: hasEnd && `Support: ${markEstimated(line.end, line.isInferred)}` },
      {
        text: rule.filter(Boolean).join(' '),
        url: line.reason?.url ?? support.url,
        link: 'The rule',
      },
      { kind: 'sentence', text: verdict },
      { text: !release.advisories && 'Advisories: not checked.' },
      { text: describeSecurity(release) },
    ),
  };
}
