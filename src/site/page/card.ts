import { describeSearch, type Choice } from '../../ask/ask.ts';
import type { DetailedLine, DetailedRelease } from '../../ask/details-on.ts';
import { describeResults } from '../../ask/search-releases.ts';
import { dayOf } from '../../core/dates.ts';
import { lastFreePhase } from '../../core/phases.ts';
import { endInWords, rangeInWords, stateTones, type DayRange } from '../../core/words.ts';
import { drawPicture } from '../render/html/picture.ts';
import { distance } from './distance.ts';
import { copyText, find, make, makeButton, withDays } from './dom.ts';
import type { ShownAnswer } from './host.ts';
import { makePicture, markYours, pictureRow } from './picture.ts';
import { andMore, makeReleasesTable, maxShown } from './tables.ts';

/** More lines are too many beside an answer. */
const mostLines = 12;

interface Actions {
  /** Answers again from all releases. */
  search(): void;
}

/** An answer as a card, the same on every page. */
export function renderAnswer(answer: ShownAnswer, { search }: Actions): HTMLElement {
  switch (answer.kind) {
    case 'version':
      return versionCard(answer);
    case 'choices':
      return cardOf('none', 'Which one?', [choicesOf(answer.choices)]);
    case 'releases': {
      const { releases, notes, total } = answer;
      const words = describeResults(releases, notes);
      const all =
        total > releases.length ? make('p', { className: 's' }, andMore(total - releases.length)) : '';
      return cardOf('none', words, [...makeReleasesTable(releases), all]);
    }
    case 'page':
      return cardOf('none', answer.text, [make('p', {}, make('a', { href: answer.page }, 'Open the page'))]);
    case 'search':
      return cardOf('none', 'The answer takes reading many releases.', [
        make('p', { className: 'do' }, makeButton('primary', describeSearch(answer.releases), search)),
      ]);
    case 'problem':
      return cardOf('none', answer.message, answer.examples.length > 0 ? [triesOf(answer.examples)] : []);
  }
}

function cardOf(
  tone: string,
  say: string,
  parts: readonly (Node | string)[],
  head: Node | '' = '',
): HTMLElement {
  return make(
    'section',
    { className: `answer card ${tone}`, tabIndex: -1, ariaLabel: 'Answer' },
    head,
    make('p', { className: 'say' }, ...withDays(say)),
    ...parts,
  );
}

function triesOf(examples: readonly string[]): HTMLElement {
  const links = examples.map((text) => make('li', {}, linkTo(text, text)));
  return make('ul', { className: 'try' }, make('li', {}, 'Try'), ...links);
}

function linkTo(question: string, text: string): HTMLAnchorElement {
  return make('a', { href: `?q=${encodeURIComponent(question)}` }, text);
}

function choicesOf(choices: readonly Choice[]): HTMLElement {
  const items = choices.map(({ title, question, answer }) => {
    const link = linkTo(question, '');
    const words = answer ? `${answer.label}. ${answer.advice}` : '';
    link.append(make('b', {}, answer ? `${title} ${answer.version}` : title), ...withDays(words));
    return make('li', {}, link);
  });
  return make('ul', { className: 'choices' }, ...items);
}

function versionCard({ answer, judged, details }: Extract<ShownAnswer, { kind: 'version' }>): HTMLElement {
  const { state, label, sentence, advice, because, notes = [], version, moveTo, component } = answer;
  const isOver = state === 'ended' || state === 'withdrawn';
  const tone = isOver ? 'gone' : stateTones[state];
  const ended = state === 'ended' && judged?.line ? lastFreePhase(judged.line.phases) : undefined;
  const day = ended?.untilAtMost ?? ended?.until;
  const head = make(
    'p',
    { className: 'state' },
    make('span', { className: isOver ? 'loud' : '' }, label),
    day !== undefined && make('span', {}, distance(day, Date.now())),
  );
  const use = moveTo?.component === component ? moveTo.version : undefined;
  const copied = use ?? (moveTo ? undefined : version);
  const parts = [
    make('p', { className: 's' }, ...withDays([...because, ...notes].join(' '))),
    make(
      'p',
      { className: 'do' },
      copied !== undefined && copyText(`Copy ${copied}`, copied),
      copyText('Copy link', linkOf(component, version)),
      make('a', { href: `${component}.html` }, `All of ${answer.title}`),
      moveTo &&
        moveTo.component !== component &&
        make('a', { href: `${moveTo.component}.html` }, moveTo.component),
      addToList(`${component} ${version}`),
    ),
  ];
  const card = cardOf(tone, `${sentence} ${advice}`, parts, head);
  const half = make('div', {}, ...card.childNodes);
  const picture = details && pictureOf(details.lines, judged?.line, details.day);
  card.append(picture ? make('div', { className: 'halves' }, half, picture) : half);
  const { target, between = [], release } = judged ?? {};
  const releasedAt = release?.releaseTimestamp;
  if (target) card.append(wayTo(release, between, target));
  if (releasedAt !== undefined && document.querySelector(`main[data-component='${component}']`))
    markYours(version, dayOf(releasedAt));
  return card;
}

/** On the page My versions, a button that puts a version on the list. */
function addToList(line: string): HTMLElement | undefined {
  const form = document.querySelector<HTMLFormElement>('#list');
  if (!form) return undefined;
  return makeButton('primary', 'Add to my versions', () => {
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

/** The supported lines and the one that was asked for, each with its end. Undefined where no end is known. */
function pictureOf(
  lines: readonly DetailedLine[],
  mine: DetailedLine | undefined,
  day: string,
): HTMLElement | undefined {
  const isKnown = ({ phases }: DetailedLine) => rangeInWords(lastRange(phases)) !== '';
  const shown = lines.filter((line) => (line.isSupported !== false || line === mine) && isKnown(line));
  if (shown.length === 0 || shown.length > mostLines) return undefined;
  const ordered = shown.toReversed();
  const rows = ordered.map((line) => ({
    name: [line.line, line === mine ? make('span', { className: 'visually-hidden' }, ' (yours)') : ''],
    until: withDays(endInWords(line)),
    isYours: line === mine,
  }));
  const picture = makePicture(
    drawPicture(
      ordered.map((line) => ({ ...pictureRow(line), isRun: line === mine })),
      day,
    ),
    rows,
    'Lines and the ends of their support',
  );
  picture.classList.add('small');
  return picture;
}

function lastRange(phases: DetailedLine['phases']): DayRange {
  const { until, untilAtMost } = lastFreePhase(phases) ?? {};
  return { from: until, atMost: untilAtMost };
}

/** The releases on the way, with days and notes. */
function wayTo(
  from: DetailedRelease | undefined,
  between: readonly DetailedRelease[],
  target: DetailedRelease,
): HTMLElement {
  const shown = [...between.slice(0, maxShown), target];
  const rest = andMore(between.length + 1 - shown.length);
  return make(
    'details',
    { className: 'way', open: shown.length <= 12 },
    make('summary', {}, `The way to ${target.version}: ${between.length + 1}`),
    make(
      'ol',
      {},
      from && stationOf(from, 'you are here'),
      ...shown.map((release) =>
        stationOf(release, release === target ? 'goal' : release.isDeprecated && 'deprecated'),
      ),
      rest && make('li', {}, rest),
    ),
  );
}

function stationOf(release: DetailedRelease, tag: string | false): HTMLElement {
  const { version, releaseTimestamp, timestampKind, changelogUrl: href } = release;
  const day = releaseTimestamp === undefined ? undefined : dayOf(releaseTimestamp);
  const words = rangeInWords(timestampKind === 'observed' ? { atMost: day } : { from: day });
  return make(
    'li',
    { className: tag === 'goal' ? 'goal' : '' },
    make('span', {}, make('b', {}, version), tag && ' ', tag && make('span', { className: 'tag' }, tag)),
    make('span', { className: 's' }, ...withDays(words)),
    href ? make('a', { href, ariaLabel: `Notes of ${version}` }, 'Notes') : '',
  );
}
