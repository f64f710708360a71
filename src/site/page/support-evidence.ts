import type { DetailsOn, PublishedLineOn } from '../../ask/answers/component-on.ts';
import { describeOtherReading } from '../../ask/answers/verdict-sentences.ts';
import { cutDay, formatDays, type Day } from '../../core/model/dates.ts';
import { findLastFreePhase, listIfSeveral } from '../../core/model/phases.ts';
import {
  describeEnd,
  describeLineReason,
  describeVerdict,
  splitTerms,
} from '../../core/model/words.ts';
import { nameReleaseAnchor } from '../render/html/anchors.ts';
import { drawPicture } from '../render/html/picture-markup.ts';
import { drawFact, drawLink, markDays, markup, type Markup } from '../render/html/markup.ts';
import { layOutPicture, type PictureRow } from '../render/html/picture.ts';
import type { ShownVersion } from './find-answer.ts';

/** The name and the address of the index, for a sentence to cite. */
export interface CitedSite {
  readonly title: string;
  readonly url: string;
}

/** What a card shows below the verdict: the sum behind the end, unknown facts, since when the end is stated, and a sentence to cite. */
export function drawEvidence(
  { answer, judged, details, notKnown = [] }: ShownVersion,
  site: CitedSite,
): Markup {
  const line = judged?.line;
  const rows = line && details ? drawTerms(line, details) : [];
  const since = line && details && findStatedSince(line, details);
  const heading = rows.length > 0 ? 'Why' : 'Evidence';
  if (notKnown.length > 0) {
    rows.push(drawFact('Not known', markDays(notKnown.join(' '))));
  }
  if (since !== undefined) {
    const verify = markup`<a href="use.html#origin">Verify it</a>`;
    rows.push(drawFact('On record', markup`Stated here since ${markDays(since)}. ${verify}`));
  }

  rows.push(drawFact('Cite', drawCitation(answer, site)));
  return markup`<h3>${heading}</h3><dl class="sum">${rows}</dl>`;
}

/** The day on which the index first stated the end of a line's support. */
function findStatedSince(line: PublishedLineOn, { ends = [] }: DetailsOn): Day | undefined {
  const phase = findLastFreePhase(listIfSeveral(line.phases))?.name;
  return ends.find((end) => end.line === line.line && end.phase === phase)?.statedSince;
}

/** The verdict with its day and its address, as a sentence and as Markdown. */
function drawCitation(answer: ShownVersion['answer'], site: CitedSite): Markup {
  const { component, version, asOf } = answer;
  const sentence = `${describeVerdict(answer)} ${site.title}, ${asOf}.`;
  const url = `${site.url}${component}.html#${nameReleaseAnchor(version)}`;
  const markdown = formatDays(`${sentence.slice(0, -1)}: [${component} ${version}](${url}).`);
  return markup`<span data-copy="the sentence">${markDays(sentence)} ${url}</span> <span hidden data-copy="Markdown">${markdown}</span>`;
}

/** The sum that gives the end of a line, each term with its origin; empty without one. */
function drawTerms(line: PublishedLineOn, details: DetailsOn): Markup[] {
  const terms = splitTerms(line.reason);
  if (terms.length === 0) {
    return [];
  }

  const { support } = details;
  const [first] = terms;
  const last = terms.at(-1);
  const rows = terms.map((each) => {
    const { term, origin } = each;
    const isStated = origin.startsWith('by ');
    const tag = markup`<span class="tag tone-${isStated ? 'ok' : 'soon'}">${isStated ? 'stated' : 'inferred'}</span>`;
    const reason = origin === 'inferred' ? (support.inferred ?? '') : `${origin}.`;

    // The months of a term follow the day of the first release. The last term may be an end of the line's own.
    const isFirstRelease = each === first && support.policy === 'term' && /\d{4}-/.test(term);
    const ruleUrl = each === last ? line.reason?.url : support.url;
    const source = drawLink('Source', isFirstRelease ? line.releases[0]?.changelogUrl : ruleUrl);
    return drawFact(
      markup`${each === first ? '' : '+ '}${markDays(term)}`,
      markup`${tag} ${reason}${source}`,
    );
  });

  const end = `The last day with support. ${describeOtherReading(details, line)}`;
  return [...rows, drawFact(markup`= ${markDays(describeEnd(line))}`, end.trim())];
}

/** The reasons besides the sum and the unknown facts, which have rows of their own. */
export function listOtherGrounds({
  answer,
  judged,
  details,
  notKnown = [],
}: ShownVersion): string[] {
  const shown = new Set(notKnown);
  const { line } = judged ?? {};
  if (line?.reason && details && splitTerms(line.reason).length > 0) {
    shown.add(describeLineReason({ ...line, reason: line.reason }));
    shown.add(describeOtherReading(details, line));
  }

  return answer.because.filter((text) => !shown.has(text));
}

/** With more lines, there is no picture. */
const maxLines = 12;

/** A picture of the line to move to, the line of the question, and the supported lines, each with its end. */
export function drawLinePicture({ answer, judged, details }: ShownVersion): Markup | string {
  const { lines = [], day = '' } = details ?? {};
  const { line: ownLine, target } = judged ?? {};
  const roles = { highlight: 'yours', goal: answer.moveTo ? 'move here' : 'newest', pale: '' };
  const rows = lines
    .filter((line) => line.line === target?.line || hasShownEnd(line, ownLine))
    .reverse()
    .map((line) => {
      const otherMark = line.line === target?.line ? 'goal' : 'pale';
      const mark: keyof typeof roles = line === ownLine ? 'highlight' : otherMark;
      return {
        ...createPictureRow(line),
        isRun: line === ownLine,
        name: markup`${line.line} <small>${roles[mark]}</small>`,
        until: markDays(describeEnd(line)),
        mark,
      };
    });

  return rows.length === 0 || rows.length > maxLines
    ? ''
    : drawPicture(layOutPicture(rows, day), 'Lines and the ends of their support');
}

/** Whether the picture shows a line: its end is known, and it may still be supported or is the line of the question. */
function hasShownEnd(line: PublishedLineOn, ownLine: PublishedLineOn | undefined): boolean {
  const hasEnd = (line.supportedUntil ?? line.supportedUntilAtMost) !== undefined;
  return hasEnd && (line.isSupported !== false || line === ownLine);
}

/** The row of a line in a picture. */
function createPictureRow(line: PublishedLineOn): PictureRow {
  const { state, phases, firstReleaseDate, firstReleaseDateAtMost, releases } = line;
  const timestamps = releases.map(({ releaseTimestamp }) => releaseTimestamp);
  return {
    state,
    phases,
    began: { from: firstReleaseDate, atMost: firstReleaseDateAtMost },
    releaseDays: timestamps
      .filter((timestamp) => timestamp !== undefined)
      .map(cutDay)
      .sort(),
  };
}
