import { describeSearch, type Choice } from '../../ask/answers/ask.ts';
import type { PublishedLineOn, PublishedReleaseOn } from '../../ask/answers/details-on.ts';
import { describeResults } from '../../ask/answers/search-releases.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { dayOf } from '../../core/model/dates.ts';
import { markup, type Markup } from '../render/html/markup.ts';
import { lastFreePhase } from '../../core/model/phases.ts';
import { askedTone, endInWords, rangeInWords, type DayRange } from '../../core/model/words.ts';
import { drawPlan } from '../render/html/draw-picture.ts';
import { markDays } from '../render/html/end-view.ts';
import { drawPicture } from '../render/html/picture.ts';
import { distance } from './distance.ts';
import { copyText, find, make, makeButton, makeMarkup, type Child } from './dom.ts';
import type { ShownAnswer } from './host.ts';
import { markYours, pictureRow } from './mark-version.ts';
import { andMore, makeReleasesTable, maxShown } from './tables.ts';

/** With more lines, the card has no picture. */
const mostLines = 12;

interface Actions {
  /** Searches all releases. */
  search(): void;
}

/** An answer as a card, the same on every page. */
export function renderAnswer(answer: ShownAnswer, { search }: Actions): HTMLElement {
  switch (answer.kind) {
    case 'version':
      return versionCard(answer);
    case 'choices':
      return cardOf('Which one?', choicesOf(answer.choices));
    case 'releases': {
      const { releases, notes, total } = answer;
      const words = describeResults(releases, notes);
      const more = makeMarkup(markup`<p class="note">${andMore(total - releases.length)}</p>`);

      return cardOf(words, makeReleasesTable(releases), more);
    }
    case 'page':
      return cardOf(
        answer.text,
        makeMarkup(markup`<p><a href="${answer.page}">Open the page</a></p>`),
      );
    case 'search':
      return cardOf(
        'This answer needs many releases.',
        make(
          'p',
          { className: 'actions' },
          makeButton('main-action', describeSearch(answer.releases), search),
        ),
      );
    case 'problem':
      return cardOf(answer.message, answer.examples.length > 0 && triesOf(answer.examples));
  }
}

function cardOf(words: string, ...parts: readonly Child[]): HTMLElement {
  return makeCard('none', sayIn(words), ...parts);
}

function makeCard(tone: string, ...parts: readonly Child[]): HTMLElement {
  const properties = { className: `answer card tone-${tone}`, tabIndex: -1, ariaLabel: 'Answer' };
  return make('section', properties, ...parts);
}

function sayIn(words: string): Node {
  return makeMarkup(markup`<p class="sentence">${markDays(words)}</p>`);
}

function triesOf(examples: readonly string[]): Node {
  const links = examples.map((text) => markup`<li><a href="${linkTo(text)}">${text}</a></li>`);
  return makeMarkup(markup`<ul class="suggestions"><li>Try</li>${links}</ul>`);
}

function linkTo(question: string): string {
  return `?q=${encodeURIComponent(question)}`;
}

function choicesOf(choices: readonly Choice[]): Node {
  const items = choices.map(({ title, question, answer }) => {
    const name = answer ? `${title} ${answer.version}` : title;
    const words = answer ? `${answer.label}. ${answer.advice}` : '';

    return markup`<li><a href="${linkTo(question)}"><b>${name}</b>${markDays(words)}</a></li>`;
  });

  return makeMarkup(markup`<ul class="choices">${items}</ul>`);
}

function versionCard({
  answer,
  judged,
  details,
}: Extract<ShownAnswer, { kind: 'version' }>): HTMLElement {
  const {
    state,
    label,
    sentence,
    advice,
    because,
    notes = [],
    version,
    moveTo,
    component,
    with: pairs = [],
  } = answer;

  const isOver = state === 'ended' || state === 'withdrawn';
  const ended = state === 'ended' && judged?.line ? lastFreePhase(judged.line.phases) : undefined;
  const day = ended?.untilAtMost ?? ended?.until;
  const ago = day === undefined ? '' : markup`<span>${distance(day, Date.now())}</span>`;
  const use = moveTo?.component === component ? moveTo.version : undefined;
  const copied = use ?? (moveTo || !answer.isListed ? undefined : version);
  const other = moveTo?.component !== component && moveTo?.component;

  const half = make(
    'div',
    {},
    makeMarkup(
      markup`<p class="state"><span class="${isOver ? 'alarm' : ''}">${label}</span>${ago}</p>`,
    ),
    makeMarkup(markup`${pairs.map(pairMarkup)}`),
    sayIn(`${sentence} ${advice}`),
    makeMarkup(markup`<p class="note">${markDays([...because, ...notes].join(' '))}</p>`),
    make(
      'p',
      { className: 'actions' },
      copied !== undefined && copyText(`Copy ${copied}`, copied),
      copyText('Copy link', linkOf(component, version)),
      make('a', { href: `${component}.html` }, `All of ${answer.title}`),
      other && make('a', { href: `${other}.html` }, other),
      addToList(`${component} ${version}`),
    ),
  );

  const picture = details && pictureOf(details.lines, judged?.line, details.day);
  const { target, between = [], release, stop } = judged ?? {};
  const releasedAt = release?.releaseTimestamp;
  if (releasedAt !== undefined && document.querySelector(`main[data-component='${component}']`)) {
    markYours(version, dayOf(releasedAt));
  }

  return makeCard(
    askedTone(state),
    picture ? make('div', { className: 'halves' }, half, picture) : half,
    target && wayTo(between, target, stop?.release.version),
  );
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

function linkOf(component: string, version: string): string {
  const page = new URL(location.href);

  page.hash = '';
  page.search = `?q=${encodeURIComponent(`${component} ${version}`)}`;

  return page.href;
}

/** The supported lines and the line of the question, each with its end. Undefined if no end is known. */
function pictureOf(
  lines: readonly PublishedLineOn[],
  mine: PublishedLineOn | undefined,
  day: string,
): Node | undefined {
  const isKnown = ({ phases }: PublishedLineOn) => rangeInWords(lastRange(phases)) !== '';
  const shown = lines.filter(
    (line) => (line.isSupported !== false || line === mine) && isKnown(line),
  );
  if (shown.length === 0 || shown.length > mostLines) {
    return undefined;
  }

  const rows = shown.toReversed().map((line) => ({
    ...pictureRow(line),
    isRun: line === mine,
    name: markup`${line.line}${line === mine ? markup`<span class="visually-hidden"> (yours)</span>` : ''}`,
    until: markDays(endInWords(line)),
    isYours: line === mine,
  }));

  return makeMarkup(
    drawPlan(drawPicture(rows, day), 'Lines and the ends of their support', 'miniature'),
  );
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
    stationOf(release, release.version === stop ? 'go here first' : deprecatedTag(release)),
  );

  const ofAll = between.length > 0 ? `Releases between: ${between.length}` : 'Release notes';
  const words = stop === undefined ? ofAll : `Upgrade path to ${target.version}`;
  const className = stop === undefined ? 'route' : 'route by-stops';
  const open = shown.length < 12 ? markup` open` : '';

  return makeMarkup(
    markup`<details class="${className}"${open}><summary>${words}</summary><ol>${stations}${stationOf(target, 'goal')}${rest && markup`<li>${rest}</li>`}</ol></details>`,
  );
}

function deprecatedTag({ isDeprecated }: PublishedReleaseOn): string {
  return isDeprecated ? 'deprecated' : '';
}

function stationOf(release: PublishedReleaseOn, tag: string): Markup {
  const { version, releaseTimestamp, timestampKind, changelogUrl: href } = release;
  const day = releaseTimestamp === undefined ? undefined : dayOf(releaseTimestamp);
  const words = rangeInWords(timestampKind === 'observed' ? { atMost: day } : { from: day });
  const notes = markup`<a href="${href ?? ''}" aria-label="Notes of ${version}">Notes</a>`;

  return markup`<li><span><b>${version}</b>${tag && markup` <span class="tag">${tag}</span>`}</span><span class="note">${markDays(words)}</span>${href ? notes : ''}</li>`;
}
