// Loaded with the first list on the page My versions, as `assets/mine.js`.

import {
  conflictsIn,
  judgeVersions,
  mostVersions,
  type Due,
  type JudgedMine,
  type MyVersion,
} from '../../ask/answers/my-versions.ts';
import { listOf } from '../../ask/answers/ask.ts';
import { identify, leftInWords, othersInWords, type NotRead } from '../../ask/texts/identify.ts';
import { longestTexts, readText } from '../../ask/texts/read-text.ts';
import { addMonths, type Day } from '../../core/model/dates.ts';
import { markup, type Markup } from '../render/html/markup.ts';
import { counted } from '../../core/text/text.ts';
import { behindInWords, endInWords } from '../../core/model/words.ts';
import { drawPlan } from '../render/html/draw-picture.ts';
import { markDays } from '../render/html/end-view.ts';
import { drawPicture } from '../render/html/picture.ts';
import { axisBetween } from '../render/html/time-axis.ts';
import { distance } from './distance.ts';
import { announce, copyText, find, make, makeButton, makeMarkup } from './dom.ts';
import { pictureRow } from './mark-version.ts';
import { openSite } from './site-index.ts';
import { takeAlong } from './take-along.ts';

const index = openSite();

/** Shows the versions in a pasted text, and puts them into the address. `confirmed`: guesses that the visitor confirmed. */
export async function showText(text: string, confirmed: readonly string[] = []): Promise<void> {
  announce('Looking…');

  const found = await identify(index, readText(text, longestTexts.page));
  const versions = [...found.versions, ...confirmed.map(versionIn)];
  if (versions.length > 0) {
    history.replaceState(null, '', `#c=${encodeURI(listOf(versions)).replaceAll('#', '%23')}`);
  }

  const notRead = found.notRead.filter(
    ({ didYouMean = [] }) => !didYouMean.some((meant) => confirmed.includes(meant)),
  );
  const confirm = (meant: string) => void showText(text, [...confirmed, meant]);

  const notes = [
    ...countSentence(found.entriesRead + confirmed.length, notRead.length + found.others),
    ...found.problems,
    ...found.notes,
    ...notRead.map((left) => leftOut(left, confirm)),
    ...othersInWords(found),
  ];

  await show(versions.slice(0, mostVersions), notes);
}

/** Shows the list in an address. */
export async function showAddress(list: string): Promise<void> {
  const text = decodeURIComponent(list).split(',').join('\n');
  find<HTMLTextAreaElement>('#list-text').value = text.replaceAll('@', ' ');
  await showText(text);
}

function versionIn(text: string): MyVersion {
  const [component = '', version = ''] = text.split('@');
  return { component, version };
}

function countSentence(read: number, left: number): string[] {
  return left > 0 ? [`${read} read, ${left} left out:`] : [];
}

/** A part of the text that was not read, with a button for each version that it may mean. */
function leftOut(left: NotRead, confirm: (meant: string) => void): Node {
  const { line, text, reason, didYouMean = [] } = left;
  const place = line === undefined ? '' : `Line ${line}: `;

  if (didYouMean.length === 0) {
    return make('span', {}, `${place}${leftInWords(left)}`);
  }

  const buttons = didYouMean.map((meant) =>
    makeButton('', `Is it ${meant.replace('@', ' ')}?`, () => confirm(meant)),
  );

  return make('span', {}, `${place}${leftInWords({ text, reason })} `, ...buttons);
}

async function show(
  versions: readonly MyVersion[],
  notes: readonly (Node | string)[],
): Promise<void> {
  const { judged, unknown } = await judgeVersions(index, versions);
  const all = [...notes, ...unknown];
  const conflicts = conflictsIn(judged);
  const result = find('#mine-result');
  const [first] = judged;
  const parts = first
    ? [tableOf(judged), pictureOf(judged, first.details.day), await takeAlong(index, judged)]
    : [];

  result.replaceChildren(
    first ? sumOf(judged, conflicts.length) : '',
    all.length > 0
      ? make('ul', { className: 'note' }, ...all.map((note) => make('li', {}, note)))
      : '',
    make(
      'div',
      { className: 'conflicts' },
      ...conflicts.map(({ one, other, because }) =>
        make(
          'section',
          { className: 'conflict', ariaLabel: `${nameOf(one)} does not go with ${nameOf(other)}` },
          make('p', { className: 'sentence' }, `${nameOf(one)} × ${nameOf(other)}`),
          ...because.map(({ text, url }) =>
            make('p', {}, text, url ? ' ' : '', url ? make('a', { href: url }, 'Source') : ''),
          ),
        ),
      ),
    ),
    ...parts,
  );

  const none = 'No version of this index was found.';

  announce(first ? `${counted(judged.length, 'version')} shown` : none);

  if (!first && all.length === 0) {
    result.append(make('p', {}, none));
  }
}

function nameOf({ answer: { title, version } }: JudgedMine): string {
  return `${title} ${version}`;
}

const groups: Readonly<Record<Due, { tone: string; words: string; sum: string }>> = {
  now: { tone: 'gone', words: 'Move now', sum: 'to move now' },
  soon: { tone: 'soon', words: 'Within 90 days', sum: 'within 90 days' },
  later: { tone: 'ok', words: 'Later', sum: 'supported' },
  unstated: { tone: 'none', words: 'No end is stated', sum: 'no end stated' },
};

function sumOf(judged: readonly JudgedMine[], conflicts: number): HTMLElement {
  const items = Object.entries(groups).map(([due, { tone, sum }]) => {
    const count = judged.filter((each) => each.due === due).length;

    return make(
      'li',
      { className: count > 0 ? `tone-${tone}` : '' },
      make('b', {}, String(count)),
      ` ${sum}`,
    );
  });

  const pairs = make(
    'li',
    { className: 'tone-gone' },
    make('b', {}, String(conflicts)),
    ' in conflict',
  );

  const link = make('li', {}, copyText('Copy link', location.href));

  return make('ul', { className: 'totals' }, ...items, conflicts > 0 && pairs, link);
}

/** The versions, the next due first. */
function tableOf(judged: readonly JudgedMine[]): Node {
  const heads = ['Version', 'State', 'Until', 'Move to', 'By'].map(
    (text) => markup`<th scope="col">${text}</th>`,
  );

  const bodies = Object.entries(groups).map(([due, { tone, words }]) => {
    const rows = judged.filter((each) => each.due === due);
    const heading = `${words}: ${rows.length}`;

    return rows.length === 0
      ? ''
      : markup`<tbody class="tone-${tone}"><tr class="group"><th colspan="5" scope="rowgroup">${heading}</th></tr>${rows.map(rowOf)}</tbody>`;
  });

  return makeMarkup(
    markup`<table class="deadlines"><caption class="visually-hidden">My versions</caption><thead><tr>${heads}</tr></thead>${bodies}</table>`,
  );
}

function rowOf(mine: JudgedMine): Markup {
  const { answer, due, until, judged } = mine;
  const { component, title, version, label, moveBy = '', goal: last, releasesBehind } = answer;
  const isUnstated = due === 'unstated';
  const { goal } = mine;
  const newest = answer.newest === version ? 'newest' : '';
  const behind = behindInWords(releasesBehind, judged.release?.daysBehind) || newest;
  const left = until === undefined ? '' : distance(until, Date.now());
  const far = isUnstated ? behind : left;
  const ends = isUnstated || !judged.line ? '' : markDays(endInWords(judged.line));
  const way = last ? markup`<span class="note">then ${last.version}</span>` : '';

  const cells = [
    markup`<span class="${due === 'now' ? 'alarm' : 'word'}">${label}</span>`,
    markup`${ends}${far && markup`<span class="note">${far}</span>`}`,
    goal === '' || goal === version ? '' : markup`→ <b>${goal}</b>${way}`,
    due === 'now' ? 'now' : markDays(moveBy),
  ];

  return markup`<tr><th scope="row"><a href="${component}.html">${title}</a> ${version}</th>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>`;
}

/** The last month and the next twelve. Versions without a known end are named below. */
function pictureOf(judged: readonly JudgedMine[], day: Day): HTMLElement {
  const first = `${day.slice(0, 7)}-01`;

  const rows = judged.flatMap((mine) => {
    const { until, goal } = mine;
    const { line } = mine.judged;
    if (!line || until === undefined) {
      return [];
    }

    const remedy = goal && markup` <small>move to ${goal}</small>`;

    return {
      ...{ ...pictureRow(line), releaseDays: [], isRun: true, mine },
      name: markup`${nameOf(mine)}`,
      until: markup`${markDays(endInWords(line))}${remedy}`,
    };
  });

  const others = judged.filter((each) => !rows.some(({ mine }) => mine === each));
  const axis = axisBetween(addMonths(first, -1), addMonths(first, 13));
  const section = make('section', {}, make('h2', {}, 'The next twelve months'));
  const picture = drawPicture(rows, day, axis);

  if (rows.length > 0) {
    section.append(makeMarkup(drawPlan(picture, 'My versions, by end of support')));
  }

  if (others.length > 0) {
    section.append(
      make(
        'p',
        { className: 'note' },
        `Not drawn, because no end is stated: ${others.map(nameOf).join(', ')}.`,
      ),
    );
  }

  return section;
}
