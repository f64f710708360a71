import { describeSearch, type Answer } from '../../ask/answers/ask.ts';
import type { Choice } from '../../ask/answers/choices.ts';
import type { PublishedLineOn, PublishedReleaseOn } from '../../ask/answers/component-on.ts';
import type { AnsweredVersion } from '../../ask/answers/version-answer.ts';
import { linkPlan } from '../../ask/plan/plan-link.ts';
import { describeResults } from '../../ask/search/search-releases.ts';
import { cutDay } from '../../core/model/dates.ts';
import type { State } from '../../core/model/states.ts';
import { compareVersions, parseVersion } from '../../core/model/version.ts';
import { describeDayRange, describeEnd, findTone, stateLabels } from '../../core/model/words.ts';
import type { Row } from '../../core/query/fields.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { formatNumber } from '../../core/text/wording.ts';
import { nameReleaseAnchor } from '../render/html/anchors.ts';
import { describeDistance } from './distance.ts';
import {
  drawLink,
  drawTable,
  drawVerdict,
  markDays,
  markup,
  type Markup,
} from '../render/html/markup.ts';
import { drawPicture } from '../render/html/picture-markup.ts';
import { layOutPicture, type PictureRow } from '../render/html/picture.ts';
import { renderDay } from '../render/html/release-table.ts';
import type { MovedPairs } from './moved-pairs.ts';
import { drawEvidence, listOtherGrounds, type CitedSite } from './support-evidence.ts';

/** The facts that a card needs and the answer lacks. */
interface CardContext {
  /** The related components before and after the move; undefined without a move. */
  readonly moves: MovedPairs | undefined;
  readonly site: CitedSite;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** An answer as a card, the same on every page. `box.ts` adds the handlers of its buttons. */
export function drawAnswer(answer: Answer, context: CardContext): Markup {
  switch (answer.kind) {
    case 'version':
      return drawVersion(answer, context);
    case 'choices':
      return drawPlainCard('Which one?', drawChoices(answer.choices));
    case 'releases': {
      const { releases, total } = answer;
      const more = describeMore(total - releases.length);
      const note = more && markup`<p class="note">${more}</p>`;
      return drawPlainCard(describeResults(answer), drawReleases(releases), note);
    }
    case 'page': {
      const link = markup`<p><a href="${answer.page}">Open the page</a></p>`;
      return drawPlainCard(answer.text, link);
    }
    case 'search': {
      const button = markup`<p class="actions"><button class="main-action" data-search>${describeSearch(answer.releases)}</button></p>`;
      return drawPlainCard('This answer needs many releases.', button);
    }
    case 'problem': {
      const links = answer.examples.map((text) => drawLink(text, createQuestionLink(text)));
      const examples = links.length > 0 ? markup`<p class="suggestions">Try:${links}</p>` : '';
      return drawPlainCard(answer.message, examples);
    }
  }
}

function drawCard(tone: string, ...parts: readonly (Markup | string)[]): Markup {
  return markup`<section class="answer card tone-${tone}" tabindex="-1" aria-label="Answer">${parts}</section>`;
}

/** A card without a verdict. */
function drawPlainCard(words: string, ...parts: readonly (Markup | string)[]): Markup {
  return drawCard('none', markup`<h2 class="sentence">${markDays(words)}</h2>`, ...parts);
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
  return count > 0 ? `and ${formatNumber(count)} more` : '';
}

/** The releases that a query selected; empty if there are none. */
function drawReleases(releases: readonly Row[]): Markup | string {
  const rows = releases.map((row) => {
    const { component, title, version, state, supportedUntil: from } = row;
    const end = describeDayRange({ from, atMost: row.supportedUntilAtMost });
    const link = createQuestionLink(`${component as string} ${version}`);
    const name = markup`<a href="${link}">${`${title} ${version}`}</a>`;
    return [name, stateLabels[state as State], renderDay(row), markDays(end)];
  });
  const headings = ['Release', 'Support', 'Released', 'Support ends'];
  return rows.length > 0 ? drawTable('results', headings, rows) : '';
}

function drawVersion(result: AnsweredVersion, context: CardContext): Markup {
  const { answer, judged } = result;
  const { target, between, stop } = judged;

  return drawCard(
    findTone(answer.state),
    markup`<div class="halves">${drawState(result, context)}${drawTarget(result)}</div>`,
    drawLinePicture(result),
    drawChanges(answer, context.moves),
    drawEvidence(result, context.site),
    target ? drawPath(between, target, stop?.release.version) : '',
  );
}

function drawState(result: AnsweredVersion, { now }: CardContext): Markup {
  const {
    state,
    label,
    sentence,
    advice,
    notes = [],
    component,
    title,
    with: pairs = [],
    supportedUntil,
    supportedUntilAtMost = supportedUntil,
  } = result.answer;
  const alarm = state === 'ended' || state === 'withdrawn' ? 'alarm' : '';
  const ended = state === 'ended' ? supportedUntilAtMost : undefined;
  const ago = ended === undefined ? '' : markup`<span>${describeDistance(ended, now)}</span>`;
  const stateLine = markup`<p class="state"><span class="${alarm}">${label}</span>${ago}</p>`;
  const verdict = { sentence, advice, because: [...listOtherGrounds(result), ...notes] };
  const link = markup` <a href="${component}.html">All of ${title}</a>`;
  return markup`<div>${stateLine}${pairs.map(drawPair)}${drawVerdict('h2', verdict, link)}</div>`;
}

/** The version to move to, else the newest one, with its release notes and those of the version in question. */
function drawTarget({ answer, judged }: AnsweredVersion): Markup | string {
  const { moveTo, component, version, newest } = answer;
  const choice = moveTo ?? (newest === undefined ? undefined : { component, version: newest });
  if (!choice) {
    return '';
  }

  const { release, target } = judged;
  const isOwn = choice.component === component;
  const listed = isOwn && choice.version === target?.version ? target : undefined;
  const page = `${choice.component}.html#${nameReleaseAnchor(choice.version)}`;
  const notes = [drawLink(choice.version, listed?.changelogUrl ?? page)];
  const isSame = isOwn && version === choice.version;
  if (release?.changelogUrl !== undefined && !isSame) {
    notes.push(',', drawLink(version, release.changelogUrl));
  }

  const name = isOwn ? '' : markup`<p>${choice.component}</p>`;
  const copied = markup`<p><b data-copy="${choice.version}">${choice.version}</b></p>`;
  const words = listed ? markup` <bdi>${listed.notes ?? ''}</bdi>` : '';
  return markup`<div class="take"><p>${moveTo ? 'Move to' : 'Newest'}</p>${name}${copied}<p class="note">Release notes: ${notes}${words}</p></div>`;
}

/** With more lines, there is no picture. */
const maxLines = 12;

/**
 * A picture of the line of the question and the supported lines, those whose end is known, and of the line to move to or wanted, the
 * newest first; empty without lines, and with too many.
 */
function drawLinePicture({ answer, judged, details }: AnsweredVersion): Markup | string {
  const { lines, day } = details;
  const { line: ownLine, target } = judged;
  const advised = answer.goal ?? answer.moveTo;
  const isAdvised = advised?.component === answer.component && advised.version === target?.version;
  const captions = { highlight: 'yours', goal: isAdvised ? 'move here' : 'wanted', pale: '' };
  const rows = [];

  for (const line of lines.toReversed()) {
    const isOwn = line === ownLine;
    const isTarget = line.line === target?.line;
    if (!isTarget && !hasShownEnd(line, isOwn)) {
      continue;
    }

    const otherEmphasis = isTarget ? 'goal' : 'pale';
    const emphasis = isOwn ? 'highlight' : otherEmphasis;
    rows.push({
      ...createPictureRow(line),
      isRun: isOwn,
      name: markup`${line.line} <small>${captions[emphasis]}</small>`,
      until: markDays(describeEnd(line)),
      emphasis,
    } as const);
  }

  return rows.length === 0 || rows.length > maxLines
    ? ''
    : drawPicture(layOutPicture(rows, day), 'Lines and the ends of their support');
}

/** Whether the end of a line is known, and it may still be supported or is the line of the question. */
function hasShownEnd(line: PublishedLineOn, isOwn: boolean): boolean {
  const hasEnd = (line.supportedUntil ?? line.supportedUntilAtMost) !== undefined;
  return hasEnd && (line.isSupported !== false || isOwn);
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

/** A table of the related components, and whether each can stay after the move, as both sides state it. */
function drawChanges(
  { component, title, version }: VersionAnswer,
  moves: MovedPairs | undefined,
): Markup | string {
  if (!moves || moves.pairs.length === 0) {
    return '';
  }

  const rows = moves.pairs.map(({ name, before, after, effect, url }) => {
    return [name, before, after, markup`${markDays(effect)}${drawLink('Source', url)}`];
  });
  const headings = [`Beside ${title}`, `With ${version}`, `With ${moves.version}`, 'What to do'];
  const plan = markup`<a href="${linkPlan([`${component}@${version}`])}">Plan with the versions that you run</a>`;
  const note = markup`<p class="note">As both sides state it: <a href="compatibility.json">all statements</a>. ${plan}</p>`;
  return markup`<h3>What the move changes</h3>${drawTable('moved', headings, rows)}${note}`;
}

/** Whether two versions work together, and who says so. */
function drawPair({ sentence, because }: NonNullable<VersionAnswer['with']>[number]): Markup {
  const sources = because.map(({ text, url }) => drawLink(text, url) || ` ${text}`);
  return markup`<p class="sentence">${sentence}</p><p class="note">${sources}</p>`;
}

/** More releases are too many to read. */
const maxBetween = 100;
/** From so many releases on, they are closed at first. */
const minClosed = 12;

/** The releases up to the target, with days and notes. `stop`: a release among them that no upgrade may skip. */
function drawPath(
  between: readonly PublishedReleaseOn[],
  target: PublishedReleaseOn,
  stop: string | undefined,
): Markup {
  // No upgrade may skip the stop, so it is always shown.
  const releases = sortByMove(between, target).filter(
    ({ version }, index) => index < maxBetween || version === stop,
  );
  const more = describeMore(between.length - releases.length);
  const stations = releases.map((release) => drawStation(release, chooseTag(release, stop)));
  const title = between.length > 0 ? `Releases between: ${between.length}` : 'Release notes';
  const words = stop === undefined ? title : `Upgrade path to ${target.version}`;
  const className = stop === undefined ? 'route' : 'route by-stops';
  const open = releases.length < minClosed ? markup` open` : '';
  const list = markup`<ol>${stations}${more && markup`<li>${more}</li>`}${drawStation(target, 'goal')}</ol>`;
  return markup`<details class="${className}"${open}><summary>${words}</summary>${list}</details>`;
}

/** Oldest first, but the other way for a move to an older version. An index lists only versions that can be parsed. */
function sortByMove(between: readonly PublishedReleaseOn[], target: PublishedReleaseOn) {
  const [oldest] = between;
  const isBack =
    oldest && compareVersions(parseVersion(target.version)!, parseVersion(oldest.version)!) < 0;
  return isBack ? between.toReversed() : between;
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
