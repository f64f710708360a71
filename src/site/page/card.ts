import { describeSearch, type Choice } from '../../ask/answers/ask.ts';
import type {
  DetailsOn,
  PublishedLineOn,
  PublishedReleaseOn,
} from '../../ask/answers/details-on.ts';
import { describeResults } from '../../ask/answers/search-releases.ts';
import { describeOtherReading } from '../../ask/answers/verdict-sentences.ts';
import { cutDay, formatDays } from '../../core/model/dates.ts';
import { findLastFreePhase } from '../../core/model/phases.ts';
import type { State } from '../../core/model/states.ts';
import {
  findTone,
  describeEnd,
  describeLineReason,
  describeDayRange,
  stateLabels,
  splitTerms,
  type DayRange,
  describeVerdict,
} from '../../core/model/words.ts';
import type { Row } from '../../core/query/fields.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { nameReleaseAnchor } from '../render/html/anchors.ts';
import {
  describeDistance,
  drawFact,
  drawLink,
  drawVerdict,
  markDays,
  markup,
  type Markup,
} from '../render/html/markup.ts';
import { drawPlan, type DrawnRow } from '../render/html/draw-picture.ts';
import { drawPicture, type PictureRow } from '../render/html/picture.ts';
import { renderDay } from '../render/html/release-rows.ts';
import type { ShownAnswer } from './host.ts';
import type { MovedPair } from './moved-pairs.ts';

/** With more lines, the card has no picture. */
const maxLines = 12;

/** More rows are too many to read. */
const maxRows = 100;

/** The facts that a card needs and the answer lacks. */
interface CardContext {
  /** For each related component: whether its version can stay after the move. */
  readonly moves: readonly MovedPair[];
  /** The name and the address of the index, for a sentence to cite. */
  readonly site: { readonly title: string; readonly url: string };
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether the page has a list that the version can be added to. */
  readonly hasList: boolean;
}

type ShownVersion = Extract<ShownAnswer, { kind: 'version' }>;

/** An answer as a card, the same on every page. The page gives work to its buttons. */
export function drawAnswer(answer: ShownAnswer, context: CardContext): Markup {
  switch (answer.kind) {
    case 'version':
      return drawVersion(answer, context);
    case 'choices':
      return drawCard('none', drawSentence('Which one?'), drawChoices(answer.choices));
    case 'releases': {
      const { releases, notes, total } = answer;
      const words = drawSentence(describeResults(releases, notes));
      const more = markup`<p class="note">${describeMore(total - releases.length)}</p>`;
      return drawCard('none', words, drawReleases(releases), more);
    }
    case 'page': {
      const link = markup`<p><a href="${answer.page}">Open the page</a></p>`;
      return drawCard('none', drawSentence(answer.text), link);
    }
    case 'search': {
      const button = markup`<p class="actions"><button class="main-action" data-search>${describeSearch(answer.releases)}</button></p>`;
      return drawCard('none', drawSentence('This answer needs many releases.'), button);
    }
    case 'problem': {
      const links = answer.examples.map((text) => drawLink(text, createQuestionLink(text)));
      const examples = links.length > 0 && markup`<p class="suggestions">Try:${links}</p>`;
      return drawCard('none', drawSentence(answer.message), examples || '');
    }
  }
}

function drawCard(tone: string, ...parts: readonly (Markup | string)[]): Markup {
  return markup`<section class="answer card tone-${tone}" tabindex="-1" aria-label="Answer">${parts}</section>`;
}

function drawSentence(words: string): Markup {
  return markup`<h2 class="sentence">${markDays(words)}</h2>`;
}

function createQuestionLink(question: string): string {
  return `?q=${encodeURIComponent(question)}`;
}

function drawChoices(choices: readonly Choice[]): Markup {
  const items = choices.map(({ title, question, answer }) => {
    const name = answer ? `${title} ${answer.version}` : title;
    const words = answer ? `${answer.label}. ${answer.advice}` : '';
    return markup`<li><a href="${createQuestionLink(question)}"><b>${name}</b>${markDays(words)}</a></li>`;
  });
  return markup`<ul class="choices">${items}</ul>`;
}

/** The number of rows that are not shown, in words; empty if there are none. */
function describeMore(count: number): string {
  return count > 0 ? `and ${count.toLocaleString('en')} more` : '';
}

/** A table whose first column names its rows. */
function drawTable(
  className: string,
  headings: readonly string[],
  rows: readonly (readonly (Markup | string)[])[],
): Markup {
  const heads = headings.map((heading) => markup`<th scope="col">${heading}</th>`);
  const items = rows.map(([name = '', ...values]) => {
    const cells = values.map((value) => markup`<td>${value}</td>`);
    return markup`<tr><th scope="row">${name}</th>${cells}</tr>`;
  });
  return markup`<table class="${className}"><thead><tr>${heads}</tr></thead><tbody>${items}</tbody></table>`;
}

/** The releases that a query selected, at most `maxRows`. */
function drawReleases(releases: readonly Row[]): Markup | string {
  const rows = releases.slice(0, maxRows).map((row) => {
    const { component, title, version, state, supportedUntil: from } = row;
    const end = describeDayRange({ from, atMost: row.supportedUntilAtMost });
    const link = createQuestionLink(`${component as string} ${version}`);
    const name = markup`<a href="${link}">${`${title} ${version}`}</a>`;
    return [name, stateLabels[state as State], renderDay(row), markDays(end)];
  });
  const headings = ['Release', 'Support', 'Released', 'Support ends'];
  return rows.length > 0 ? drawTable('results', headings, rows) : '';
}

function drawVersion(result: ShownVersion, context: CardContext): Markup {
  const { answer, judged } = result;
  const { target, between = [], stop } = judged ?? {};
  const list = `${answer.component} ${answer.version}`;

  return drawCard(
    findTone(answer.state),
    markup`<div class="halves">${drawState(result, context)}${drawTarget(result)}</div>`,
    context.hasList
      ? markup`<button class="main-action" data-add="${list}">Add to my versions</button>`
      : '',
    drawLines(result),
    drawChanges(answer, context.moves),
    drawEvidence(result, context),
    target ? drawPath(between, target, stop?.release.version) : '',
  );
}

function drawState(result: ShownVersion, { now }: CardContext): Markup {
  const { answer, judged } = result;
  const { state, label, sentence, advice, notes = [], component, with: pairs = [] } = answer;
  const isOver = state === 'ended' || state === 'withdrawn';
  const lastPhase =
    state === 'ended' && judged?.line ? findLastFreePhase(judged.line.phases) : undefined;
  const day = lastPhase?.untilAtMost ?? lastPhase?.until;
  const ago = day === undefined ? '' : markup`<span>${describeDistance(day, now)}</span>`;
  const verdict = { sentence, advice, because: [...listOtherGrounds(result), ...notes] };
  const link = markup` <a href="${component}.html">All of ${answer.title}</a>${drawNeighbours(result)}`;
  const alarm = isOver ? 'alarm' : '';
  const stateLine = markup`<p class="state"><span class="${alarm}">${label}</span>${ago}</p>`;
  return markup`<div>${stateLine}${pairs.map(drawPair)}${drawVerdict('h2', verdict, link)}</div>`;
}

/** The lines before and behind the line of the question, each with its state. */
function drawNeighbours({ answer, judged, details }: ShownVersion): Markup[] {
  const { lines = [] } = details ?? {};
  const position = lines.findIndex(({ line }) => line === judged?.line?.line);
  const drawLine = (name: string, line: PublishedLineOn | undefined) => {
    if (position < 0 || !line) {
      return markup``;
    }

    const state = line.state === 'no-promise' ? '' : ` (${stateLabels[line.state].toLowerCase()})`;
    const link = createQuestionLink(`${answer.component} ${line.line}`);
    return markup`, ${name}: <a href="${link}">${line.line}</a>${state}`;
  };
  return [drawLine('older', lines[position - 1]), drawLine('newer', lines[position + 1])];
}

/** The reasons besides the sum and unknown facts, which have rows of their own. */
function listOtherGrounds({ answer, judged, details, notKnown = [] }: ShownVersion): string[] {
  const shown = new Set(notKnown);
  const { line } = judged ?? {};
  if (line?.reason && details && splitTerms(line.reason).length > 0) {
    shown.add(describeLineReason({ ...line, reason: line.reason }));
    shown.add(describeOtherReading(details, line));
  }

  return answer.because.filter((text) => !shown.has(text));
}

/** The release to move to, with its release notes and those of the version in question. */
function drawTarget({ answer, judged }: ShownVersion): Markup {
  const { moveTo, component, version, newest } = answer;
  const goal = moveTo ?? (newest === undefined ? undefined : { component, version: newest });
  if (!goal) {
    return markup``;
  }

  const { release, target } = judged ?? {};
  const page = `${goal.component}.html#${nameReleaseAnchor(goal.version)}`;
  const isTarget = goal.component === component && goal.version === target?.version;
  const name = goal.component === component ? '' : markup`<p>${goal.component}</p>`;
  const words = isTarget ? markup` <bdi>${target?.notes ?? ''}</bdi>` : '';
  const notes = [drawLink(goal.version, (isTarget && target?.changelogUrl) || page)];
  if (release?.changelogUrl !== undefined && version !== goal.version) {
    notes.push(',', drawLink(version, release.changelogUrl));
  }

  const copied = markup`<p><b data-copy="${goal.version}">${goal.version}</b></p>`;
  return markup`<div class="take"><p>${moveTo ? 'Move to' : 'Newest'}</p>${name}${copied}<p class="note">Release notes: ${notes}${words}</p></div>`;
}

/** A table of the related components, and whether each can stay after the move, as both sides state it. */
function drawChanges(
  { component, title, version, moveTo }: VersionAnswer,
  moves: readonly MovedPair[],
): Markup | string {
  if (moves.length === 0 || !moveTo) {
    return '';
  }

  const counts = Array.from(
    Map.groupBy(moves, ({ kind }) => kind),
    ([kind, { length }]) => `${length} ${kind}`,
  );
  const rows = moves.map(({ name, before, after, effect, url }) => {
    return [name, before, after, markup`${markDays(effect)}${drawLink('Source', url)}`];
  });
  const headings = [`Beside ${title}`, `With ${version}`, `With ${moveTo.version}`, 'What to do'];
  const plan = markup`<a href="mine.html#c=${component}@${version}">Plan with the versions that you run</a>`;
  const note = markup`<p class="note">As both sides state it: <a href="compatibility.json">all statements</a>. ${plan}</p>`;
  return markup`<h3>What the move changes</h3><p>${counts.join(', ')}.</p>${drawTable('moved', headings, rows)}${note}`;
}

/** The sum behind the end, unknown facts, since when the end is stated, a sentence to cite, and files for programs. */
function drawEvidence(
  { answer, judged, details, notKnown = [] }: ShownVersion,
  { site }: CardContext,
): Markup {
  const { component, version, asOf } = answer;
  const line = judged?.line;
  const since = details?.ends?.find((end) => end.line === line?.line)?.statedSince;
  const terms = line && details ? drawTerms(line, details) : [];
  const rows = [...terms];
  if (notKnown.length > 0) {
    rows.push(drawFact('Not known', markDays(notKnown.join(' '))));
  }

  if (since !== undefined) {
    const verify = markup`<a href="use.html#origin">Verify it</a>`;
    rows.push(drawFact('On record', markup`Stated here since ${markDays(since)}. ${verify}`));
  }

  const verdict = `${describeVerdict(answer)} ${site.title}, ${asOf}.`;
  const url = `${site.url}${component}.html#${nameReleaseAnchor(version)}`;
  const markdown = formatDays(`${verdict.slice(0, -1)}: [${component} ${version}](${url}).`);
  rows.push(
    drawFact(
      'Cite',
      markup`<span data-copy="the sentence">${markDays(verdict)} ${url}</span> <span hidden data-copy="Markdown">${markdown}</span>`,
    ),
    drawFact(
      'For programs',
      markup`<a href="details/${component}.json">JSON</a>, <a href="calendars/${component}.ics">calendar</a>, <a href="feeds/${component}.atom">feed</a>, <a href="badges/${component}.svg">badge</a>, <a href="${component}.html#keep-it-updated">Renovate</a>`,
    ),
  );
  return markup`<h3>${terms.length > 0 ? 'Why' : 'Evidence'}</h3><dl class="sum">${rows}</dl>`;
}

/** The sum that gives the end of a line, each term with its origin. */
function drawTerms(line: PublishedLineOn, details: DetailsOn): Markup[] {
  const { support } = details;
  const terms = line.reason ? splitTerms(line.reason) : [];
  const [first] = line.releases;
  const rows = terms.map(({ term, origin }, index) => {
    const isStated = origin !== 'inferred' && origin !== 'observed';
    const tag = markup`<span class="tag tone-${isStated ? 'ok' : 'soon'}">${isStated ? 'stated' : 'inferred'}</span>`;
    const reason = origin === 'inferred' ? (support.inferred ?? '') : `${origin}.`;
    const source = drawLink('Source', index > 0 ? support.url : first?.changelogUrl);
    return drawFact(
      markup`${index > 0 ? '+ ' : ''}${markDays(term)}`,
      markup`${tag} ${reason}${source}`,
    );
  });

  if (rows.length > 0) {
    const end = `The last day with support. ${describeOtherReading(details, line)}`;
    rows.push(drawFact(markup`= ${markDays(describeEnd(line))}`, end.trim()));
  }

  return rows;
}

/** Whether two versions work together, and who says so. */
function drawPair({ sentence, because }: NonNullable<VersionAnswer['with']>[number]): Markup {
  const sources = because.map(({ text, url }) => drawLink(text, url) || ` ${text}`);
  return markup`<p class="sentence">${sentence}</p><p class="note">${sources}</p>`;
}

/** The supported lines and the line of the question, each with its end. Empty if no end is known. */
function drawLines({ answer, judged, details }: ShownVersion): Markup | string {
  const { lines = [], day = '' } = details ?? {};
  const { line: mine, target } = judged ?? {};
  const roles = { highlight: 'yours', goal: answer.moveTo ? 'move here' : 'newest', pale: '' };
  const hasEnd = ({ phases }: PublishedLineOn) => describeDayRange(findLastRange(phases)) !== '';
  const rows = lines
    .filter(
      (line) =>
        line.line === target?.line ||
        ((line.isSupported !== false || line === mine) && hasEnd(line)),
    )
    .reverse()
    .map((line) => {
      const mark = chooseMark(line, mine, target);
      return {
        ...createPictureRow(line),
        isRun: line === mine,
        name: markup`${line.line} <small>${roles[mark]}</small>`,
        until: markDays(describeEnd(line)),
        mark,
      };
    });
  if (rows.length === 0 || rows.length > maxLines) {
    return '';
  }

  return drawPlan(drawPicture(rows, day), 'Lines and the ends of their support');
}

function chooseMark(
  { line }: PublishedLineOn,
  mine: PublishedLineOn | undefined,
  target: PublishedReleaseOn | undefined,
): NonNullable<DrawnRow['mark']> {
  if (line === mine?.line) {
    return 'highlight';
  }

  return line === target?.line ? 'goal' : 'pale';
}

/** The row of a line in a picture. */
function createPictureRow(line: PublishedLineOn): PictureRow {
  const { state, phases, firstReleaseDate, firstReleaseDateAtMost, releases } = line;
  return {
    state,
    phases,
    began: { from: firstReleaseDate, atMost: firstReleaseDateAtMost },
    releaseDays: releases
      .map(({ releaseTimestamp }) => releaseTimestamp)
      .filter((releaseTimestamp) => releaseTimestamp !== undefined)
      .map(cutDay)
      .sort(),
  };
}

function findLastRange(phases: PublishedLineOn['phases']): DayRange {
  const { until, untilAtMost } = findLastFreePhase(phases) ?? {};
  return { from: until, atMost: untilAtMost };
}

/** The releases up to the target, with days and notes. It is a path only where a stop must not be skipped. */
function drawPath(
  between: readonly PublishedReleaseOn[],
  target: PublishedReleaseOn,
  stop: string | undefined,
): Markup {
  const releases = between.slice(0, maxRows);
  const more = describeMore(between.length - releases.length);
  const stations = releases.map((release) => drawStation(release, chooseTag(release, stop)));
  const title = between.length > 0 ? `Releases between: ${between.length}` : 'Release notes';
  const words = stop === undefined ? title : `Upgrade path to ${target.version}`;
  const className = stop === undefined ? 'route' : 'route by-stops';
  const open = releases.length < 12 ? markup` open` : '';
  const list = markup`<ol>${stations}${drawStation(target, 'goal')}${more && markup`<li>${more}</li>`}</ol>`;
  return markup`<details class="${className}"${open}><summary>${words}</summary>${list}</details>`;
}

function chooseTag(
  { version, isDeprecated }: PublishedReleaseOn,
  stop: string | undefined,
): string {
  if (version === stop) {
    return 'go here first';
  }

  return isDeprecated ? 'deprecated' : '';
}

function drawStation(release: PublishedReleaseOn, tag: string): Markup {
  const { version, changelogUrl } = release;
  const name = markup`<b>${version}</b>${tag && markup` <span class="tag">${tag}</span>`}`;
  const notes =
    changelogUrl && markup`<a href="${changelogUrl}" aria-label="Notes of ${version}">Notes</a>`;
  return markup`<li><span>${name}</span><span class="note">${renderDay(release)}</span>${notes ?? ''}</li>`;
}
