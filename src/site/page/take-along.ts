import { eventsOf, type JudgedMine } from '../../ask/answers/my-versions.ts';
import type { PublishedIndex } from '../../ask/answers/published-index.ts';
import { writeCalendar } from '../../ask/server/formats/write-calendar.ts';
import { urlOf } from './site-documents.ts';
import { addCopyButton, make, makeButton } from './dom.ts';

/** The list as a calendar, a page to print, a file to scan and a preset. */
export async function takeAlong(
  index: PublishedIndex,
  judged: readonly JudgedMine[],
): Promise<HTMLElement> {
  const versions = judged.map(({ answer: { component, version } }) => ({ component, version }));
  const events = eventsOf(judged, urlOf('').href);

  const calendar = writeCalendar(
    { title: 'My versions: ends of support', producer: 'Release index' },
    events,
  );

  const names = versions.map(({ component, version }) => `${component}@${version}\n`).join('');
  const files = await index.digests();
  const presets = judged
    .map(({ answer: { component, line } }) => `renovate/with/${component}-${line}.json`)
    .filter((path) => files.has(path));

  const preset = `"extends": ${JSON.stringify(
    ['renovate.json', ...presets].map((path) => urlOf(path).href),
    undefined,
    2,
  )}`;

  const items = [
    itemOf('Calendar', [save('mine.ics', 'text/calendar', calendar)]),
    itemOf('Print', [makeButton('', 'Print one page', () => print())]),
    itemOf('Check in a build', [
      save('mine.txt', 'text/plain', names),
      block('release-index scan ./mine.txt', 'the command'),
    ]),
    itemOf('Renovate', [block(preset, 'the lines for Renovate')]),
  ];

  return make(
    'section',
    { className: 'exports' },
    make('h2', {}, 'Take it with you'),
    make('p', { className: 'note' }, 'The files are made in the browser.'),
    make('ul', { className: 'rows' }, ...items),
  );
}

function itemOf(title: string, parts: readonly Node[]): HTMLElement {
  return make('li', {}, make('b', {}, title), make('div', { className: 'actions' }, ...parts));
}

function save(name: string, type: string, text: string): HTMLAnchorElement {
  const href = URL.createObjectURL(new Blob([text], { type }));
  return make('a', { href, download: name }, `Save ${name}`);
}

function block(text: string, name: string): HTMLElement {
  const pre = make('pre', { className: 'excerpt', tabIndex: 0 }, make('code', {}, text));

  pre.dataset['copy'] = name;

  const holder = make('div', {}, pre);

  addCopyButton(pre);

  return holder;
}
