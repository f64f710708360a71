import { describeSearch, type Choice } from '../../ask/answers/ask.ts';
import type { PublishedLineOn, PublishedReleaseOn } from '../../ask/answers/details-on.ts';
import { describeResults } from '../../ask/answers/search-releases.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { releaseAnchor } from '../../core/text/anchors.ts';
import { cutDay } from '../../core/model/dates.ts';
import { markup, type Markup } from '../render/html/markup.ts';
import { lastFreePhase } from '../../core/model/phases.ts';
import {
  askedTone,
  endInWords,
  lineReasonInWords,
  rangeInWords,
  termsOfReason,
  type DayRange,
  verdictInWords,
} from '../../core/model/words.ts';
import { markDays } from '../render/html/end-view.ts';
import { type DrawnRow, drawPicture, drawPlan, type PictureRow } from '../render/html/picture.ts';
import { distance } from './distance.ts';
import { addCopyButton, find, findAll, make, makeButton, makeMarkup, type Child } from './dom.ts';
import type { ShownAnswer } from './host.ts';
import type { MovedPair } from './moved-pairs.ts';
import { toUrl } from './site-documents.ts';
import { andMore, makeReleasesTable, maxShown } from './tables.ts';

/** With more lines, the card has no picture. */
const mostLines = 12;

interface Actions {
  /** Searches all releases. */
  search(): void;
}

type ShownVersion = Extract<ShownAnswer, { kind: 'version' }>;

/** An answer as a card, the same on every page. */
export function renderAnswer(
  answer: ShownAnswer,
  moves: readonly MovedPair[],
  { search }: Actions,
): HTMLElement {
  switch (answer.kind) {
    case 'version':
      return versionCard(answer, moves);
    case 'choices':
      return renderCard('Which one?', renderChoices(answer.choices));
    case 'releases': {
      const { releases, notes, total } = answer;
      const words = describeResults(releases, notes);
      const more = makeMarkup(markup`<p class="note">${andMore(total - releases.length)}</p>`);
      return renderCard(words, makeReleasesTable(releases), more);
    }
    case 'page':
      return renderCard(
        answer.text,
        makeMarkup(markup`<p><a href="${answer.page}">Open the page</a></p>`),
      );
    case 'search':
      return renderCard(
        'This answer needs many releases.',
        make(
          'p',
          { className: 'actions' },
          makeButton('main-action', describeSearch(answer.releases), search),
        ),
      );
    case 'problem':
      return renderCard(
        answer.message,
        answer.examples.length > 0 && renderExamples(answer.examples),
      );
  }
}

function renderCard(words: string, ...parts: readonly Child[]): HTMLElement {
  return makeCard('none', sayIn(words), ...parts);
}

function makeCard(tone: string, ...parts: readonly Child[]): HTMLElement {
  const properties = { className: `answer card tone-${tone}`, tabIndex: -1, ariaLabel: 'Answer' };
  return make('section', properties, ...parts);
}

function sayIn(words: string): Node {
  return makeMarkup(markup`<h2 class="sentence">${markDays(words)}</h2>`);
}

function renderExamples(examples: readonly string[]): Node {
  const links = examples.map((text) => markup` <a href="${linkTo(text)}">${text}</a>`);
  return makeMarkup(markup`<p class="suggestions">Try:${links}</p>`);
}

function linkTo(question: string): string {
  return `?q=${encodeURIComponent(question)}`;
}

function renderChoices(choices: readonly Choice[]): Node {
  const items = choices.map(({ title, question, answer }) => {
    const name = answer ? `${title} ${answer.version}` : title;
    const words = answer ? `${answer.label}. ${answer.advice}` : '';
    return markup`<li><a href="${linkTo(question)}"><b>${name}</b>${markDays(words)}</a></li>`;
  });
  return makeMarkup(markup`<ul class="choices">${items}</ul>`);
}

function versionCard(shown: ShownVersion, moves: readonly MovedPair[]): HTMLElement {
  const { answer, judged } = shown;
  const { target, between = [], stop } = judged ?? {};

  const card = makeCard(
    askedTone(answer.state),
    makeMarkup(markup`<div class="halves">${renderVerdict(shown)}${renderTarget(shown)}</div>`),
    addToList(`${answer.component} ${answer.version}`),
    renderPicture(shown),
    makeMarkup(markup`${renderChanges(answer, moves)}${renderEvidence(shown)}`),
    target && wayTo(between, target, stop?.release.version),
  );

  for (const element of findAll('[data-copy]', card)) {
    addCopyButton(element);
  }

  return card;
}

function renderVerdict(shown: ShownVersion): Markup {
  const { answer, judged } = shown;
  const { state, label, sentence, advice, notes = [], component, with: pairs = [] } = answer;
  const isOver = state === 'ended' || state === 'withdrawn';
  const ended = state === 'ended' && judged?.line ? lastFreePhase(judged.line.phases) : undefined;
  const day = ended?.untilAtMost ?? ended?.until;
  const ago = day === undefined ? '' : markup`<span>${distance(day, Date.now())}</span>`;
  const facts = markDays([...otherGrounds(shown), ...notes].join(' '));
  return markup`<div><p class="state"><span class="${isOver ? 'alarm' : ''}">${label}</span>${ago}</p>${pairs.map(pairMarkup)}<h2 class="sentence">${markDays(`${sentence} ${advice}`)}</h2><p class="note">${facts} <a href="${component}.html">All of ${answer.title}</a></p></div>`;
}

/** The reasons besides the sum and what is not known, which have rows of their own. */
function otherGrounds({ answer, judged, notKnown = [] }: ShownVersion): string[] {
  const { line } = judged ?? {};
  const sum = line?.reason && lineReasonInWords({ ...line, reason: line.reason });
  return answer.because.filter(
    (text) => !notKnown.includes(text) && (text !== sum || /[.!?]$/.test(line?.reason?.text ?? '')),
  );
}

/** What to take, with its release notes and those of the version asked. */
function renderTarget({ answer, judged }: ShownVersion): Markup {
  const { moveTo, component, version, newest } = answer;
  const goal = moveTo ?? (newest === undefined ? undefined : { component, version: newest });
  if (!goal) {
    return markup``;
  }

  const { release, target } = judged ?? {};
  const page = `${goal.component}.html#${releaseAnchor(goal.version)}`;
  const isTarget = goal.component === component && goal.version === target?.version;
  const name = goal.component === component ? '' : markup`<p>${goal.component}</p>`;
  const notes = [notesLink(goal.version, (isTarget && target?.changelogUrl) || page)];
  if (release?.changelogUrl !== undefined && version !== goal.version) {
    notes.push(markup`,`, notesLink(version, release.changelogUrl));
  }

  return markup`<div class="take"><p>${moveTo ? 'Move to' : 'Newest'}</p>${name}<p><b data-copy="${goal.version}">${goal.version}</b></p><p class="note">Release notes: ${notes}</p></div>`;
}

function notesLink(version: string, url: string): Markup {
  return markup` <a href="${url}">${version}</a>`;
}

/** What the move changes for what runs beside it, as both sides state it. */
function renderChanges(
  { component, title, version, moveTo }: VersionAnswer,
  moves: readonly MovedPair[],
): Markup {
  if (moves.length === 0 || !moveTo) {
    return markup``;
  }

  const rows = moves.map(
    ({ name, before, after, effect }) =>
      markup`<tr><th scope="row">${name}</th><td>${before}</td><td>${after}</td><td>${effect}</td></tr>`,
  );
  return markup`<h3>What the move changes</h3><table class="moved"><thead><tr><th scope="col">Beside ${title}</th><th scope="col">With ${version}</th><th scope="col">With ${moveTo.version}</th><th scope="col">What to do</th></tr></thead><tbody>${rows}</tbody></table><p class="note">As both sides state it: <a href="compatibility.json">all statements</a>. <a href="mine.html#c=${component}@${version}">Plan with the versions that you run</a></p>`;
}

/** Why this day as a sum, what is not known, since when it is stated, and a sentence to cite. */
function renderEvidence({ answer, judged, details, notKnown = [] }: ShownVersion): Markup {
  const { component, version, asOf } = answer;
  const line = judged?.line;
  const since = details?.ends?.find((end) => end.line === line?.line)?.statedSince;
  const url = toUrl(`${component}.html#${releaseAnchor(version)}`).href;
  const terms = line ? renderTerms(line, details?.support.inferred ?? '') : [];
  const rows = [...terms];

  if (notKnown.length > 0) {
    rows.push(renderFact('Not known', markDays(notKnown.join(' '))));
  }

  if (since !== undefined) {
    const verify = markup`<a href="use.html#origin">Verify it</a>`;
    rows.push(renderFact('On record', markup`Stated here since ${markDays(since)}. ${verify}`));
  }

  const cited = markup`${markDays(verdictInWords(answer))} ${find('.brand').textContent}, ${markDays(asOf)}. ${url}`;
  rows.push(renderFact('Cite', markup`<span data-copy="the sentence">${cited}</span>`));
  return markup`<h3>${terms.length > 0 ? 'Why' : 'Evidence'}</h3><dl class="sum">${rows}</dl>`;
}

/** The sum that gives the end of a line, each term with its origin. */
function renderTerms(line: PublishedLineOn, inferred: string): Markup[] {
  const terms = line.reason ? termsOfReason(line.reason) : [];
  const rows = terms.map(({ term, origin }, index) => {
    const isStated = origin !== 'inferred' && origin !== 'observed';
    const tag = markup`<span class="tag tone-${isStated ? 'ok' : 'soon'}">${isStated ? 'stated' : 'inferred'}</span>`;
    const why = origin === 'inferred' ? inferred : `${origin}.`;
    return renderFact(markup`${index > 0 ? '+ ' : ''}${markDays(term)}`, markup`${tag} ${why}`);
  });

  if (rows.length > 0) {
    rows.push(renderFact(markup`= ${markDays(endInWords(line))}`, 'The last day with support.'));
  }

  return rows;
}

function renderFact(term: Markup | string, words: Markup | string): Markup {
  return markup`<div><dt>${term}</dt><dd>${words}</dd></div>`;
}

/** Whether two versions work together, and who says so. */
function pairMarkup({ sentence, because }: NonNullable<VersionAnswer['with']>[number]): Markup {
  const sources = because.map(({ text, url }) =>
    url === undefined ? markup` ${text}` : markup` <a href="${url}">${text}</a>`,
  );
  return markup`<p class="sentence">${sentence}${sources}</p>`;
}

/** A button that adds the version to the list. Only on the page My versions. */
function addToList(line: string): HTMLElement | undefined {
  const form = document.querySelector<HTMLFormElement>('#list');
  if (!form) {
    return undefined;
  }

  return makeButton('main-action', 'Add to my versions', () => {
    const text = find<HTMLTextAreaElement>('textarea', form);
    text.value = `${text.value.trim()}\n${line}`.trim();
    form.requestSubmit();
  });
}

/** The supported lines and the line of the question, each with its end. Undefined if no end is known. */
function renderPicture({ answer, judged, details }: ShownVersion): Node | undefined {
  const { lines = [], day = '' } = details ?? {};
  const { line: mine, target } = judged ?? {};
  const roles = { highlight: 'yours', goal: answer.moveTo ? 'move here' : 'newest', pale: '' };
  const isKnown = ({ phases }: PublishedLineOn) => rangeInWords(lastRange(phases)) !== '';
  const shown = lines.filter(
    (line) =>
      line.line === target?.line ||
      ((line.isSupported !== false || line === mine) && isKnown(line)),
  );
  if (shown.length === 0 || shown.length > mostLines) {
    return undefined;
  }

  const rows = shown.toReversed().map((line) => {
    const mark = chooseMark(line, mine, target);
    return {
      ...pictureRow(line),
      isRun: line === mine,
      name: markup`${line.line} <small>${roles[mark]}</small>`,
      until: markDays(endInWords(line)),
      mark,
    };
  });

  return makeMarkup(drawPlan(drawPicture(rows, day), 'Lines and the ends of their support'));
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
function pictureRow(line: PublishedLineOn): PictureRow {
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

function lastRange(phases: PublishedLineOn['phases']): DayRange {
  const { until, untilAtMost } = lastFreePhase(phases) ?? {};
  return { from: until, atMost: untilAtMost };
}

/** The releases up to the target, with days and notes. It is a path only where a stop must not be skipped. */
function wayTo(
  between: readonly PublishedReleaseOn[],
  target: PublishedReleaseOn,
  stop: string | undefined,
): Node {
  const shown = between.slice(0, maxShown);
  const rest = andMore(between.length - shown.length);
  const stations = shown.map((release) =>
    renderStation(release, release.version === stop ? 'go here first' : deprecatedTag(release)),
  );
  const ofAll = between.length > 0 ? `Releases between: ${between.length}` : 'Release notes';
  const words = stop === undefined ? ofAll : `Upgrade path to ${target.version}`;
  const className = stop === undefined ? 'route' : 'route by-stops';
  const open = shown.length < 12 ? markup` open` : '';

  return makeMarkup(
    markup`<details class="${className}"${open}><summary>${words}</summary><ol>${stations}${renderStation(target, 'goal')}${rest && markup`<li>${rest}</li>`}</ol></details>`,
  );
}

function deprecatedTag({ isDeprecated }: PublishedReleaseOn): string {
  return isDeprecated ? 'deprecated' : '';
}

function renderStation(release: PublishedReleaseOn, tag: string): Markup {
  const { version, releaseTimestamp, timestampKind, changelogUrl: href } = release;
  const day = releaseTimestamp === undefined ? undefined : cutDay(releaseTimestamp);
  const words = rangeInWords(timestampKind === 'observed' ? { atMost: day } : { from: day });
  const notes = markup`<a href="${href ?? ''}" aria-label="Notes of ${version}">Notes</a>`;
  return markup`<li><span><b>${version}</b>${tag && markup` <span class="tag">${tag}</span>`}</span><span class="note">${markDays(words)}</span>${href ? notes : ''}</li>`;
}
