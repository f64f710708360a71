import type { DetailsOn, PublishedLineOn } from '../../ask/answers/component-on.ts';
import { describeOtherReading, describeVerdict } from '../../ask/answers/verdict-sentences.ts';
import type { AnsweredVersion } from '../../ask/answers/version-answer.ts';
import { cutDay, formatDays, type Day } from '../../core/model/dates.ts';
import { findLastFreePhase, listNamedPhases } from '../../core/model/phases.ts';
import { describeEnd, splitTerms } from '../../core/model/words.ts';
import { nameReleaseAnchor } from '../render/html/anchors.ts';
import { drawFact, drawLink, markDays, markup, type Markup } from '../render/html/markup.ts';

/** The name and the address of the index, for a sentence to cite. */
export interface CitedSite {
  readonly title: string;
  readonly url: string;
}

/**
 * The rows below the verdict: the sum behind the end, unknown facts, since which day the index has stated the end, and a sentence to
 * cite.
 */
export function drawEvidence(answered: AnsweredVersion, site: CitedSite): Markup {
  const { judged, details, grounds } = answered;
  const { line } = judged;
  const rows = line ? drawTerms(line, details) : [];
  const since = line && findStatedSince(line, details);
  const heading = rows.length > 0 ? 'Why' : 'Evidence';
  const unknown = grounds.filter(({ about }) => about === 'unknown').map(({ text }) => text);
  if (unknown.length > 0) {
    rows.push(drawFact('Not known', markDays(unknown.join(' '))));
  }
  if (since !== undefined) {
    const verify = markup`<a href="use.html#origin">Verify it</a>`;
    rows.push(drawFact('On record', markup`Stated here since ${markDays(since)}. ${verify}`));
  }

  rows.push(drawFact('Cite', drawCitation(answered, site)));
  return markup`<h3>${heading}</h3><dl class="sum">${rows}</dl>`;
}

/** The day on which the index first stated the end of a line's support. */
function findStatedSince(line: PublishedLineOn, { ends = [] }: DetailsOn): Day | undefined {
  // An end names its phase only where the line has several.
  const phase = findLastFreePhase(listNamedPhases(line.phases))?.name;
  return ends.find((end) => end.line === line.line && end.phase === phase)?.statedSince;
}

/** The verdict with its day and its address, as a sentence and as Markdown. */
function drawCitation(answered: AnsweredVersion, site: CitedSite): Markup {
  const { component, version, asOf } = answered.answer;
  const sentence = `${describeVerdict(answered)} ${site.title}, ${asOf}`;
  const url = `${site.url}${component}.html#${nameReleaseAnchor(version)}`;
  const markdown = formatDays(`${sentence}: [${component} ${version}](${url}).`);
  return markup`<span data-copy="the sentence">${markDays(sentence)}. ${url}</span> <span hidden data-copy="Markdown">${markdown}</span>`;
}

/** The sum that gives the end of a line, each term with its origin; empty without one. */
function drawTerms(line: PublishedLineOn, details: DetailsOn): Markup[] {
  const terms = splitTerms(line.reason);
  if (terms.length === 0) {
    return [];
  }

  const rows = terms.map((each, index) => {
    const { term, origin } = each;
    const url = findTermUrl(each, index === terms.length - 1, line, details);
    return drawFact(
      markup`${index === 0 ? '' : '+ '}${markDays(term)}`,
      markup`${drawOrigin(origin, details)}${drawLink('Source', url)}`,
    );
  });

  const end = `The last day with support. ${describeOtherReading(details, line)}`;
  return [...rows, drawFact(markup`= ${markDays(describeEnd(line))}`, end.trim())];
}

type Term = ReturnType<typeof splitTerms>[number];

/**
 * The address of the source of a term; undefined for an observed day. The last term may be an end of the line's own, which has an
 * address of its own.
 */
function findTermUrl(
  { term, origin }: Term,
  isLast: boolean,
  { reason, releases }: PublishedLineOn,
  { support }: DetailsOn,
): string | undefined {
  if (origin === 'observed') {
    return undefined;
  }

  // The first term of a sum of months is the day of the first stable release.
  const firstRelease = releases.find(
    ({ releaseTimestamp, isPrerelease }) =>
      !isPrerelease && releaseTimestamp !== undefined && cutDay(releaseTimestamp) === term,
  );
  if (firstRelease) {
    return firstRelease.changelogUrl;
  }

  return isLast ? reason?.url : support.url;
}

/** `stated by the vendor.`, `observed by this index.`, or `inferred` with the reason of the policy; empty without an origin. */
function drawOrigin(origin: string, { support }: DetailsOn): Markup | string {
  switch (origin) {
    case '':
      return '';
    case 'inferred':
      return markup`<span class="tag tone-soon">inferred</span> ${support.inferred ?? ''}`;
    case 'observed':
      return markup`<span class="tag tone-soon">observed</span> by this index.`;
    default:
      return markup`<span class="tag tone-ok">stated</span> ${origin}.`;
  }
}

/** The reasons besides the sum and the unknown facts, which have rows of their own. */
export function listOtherGrounds({ judged, grounds }: AnsweredVersion): string[] {
  const hasSum = splitTerms(judged.line?.reason).length > 0;
  return grounds
    .filter(({ about }) => about === 'other' || (about === 'end' && !hasSum))
    .map(({ text }) => text);
}
