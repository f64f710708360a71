import type { PublishedIndex } from '../../../ask/answers/published-index.ts';
import { planCalendar } from '../../../ask/plan/plan-calendar.ts';
import type { Outcome } from '../../../ask/plan/plan-outcome.ts';
import { writeCalendar } from '../../../ask/server/formats/write-calendar.ts';
import type { Plan } from '../../../core/schemas/published/plan-answer.ts';
import { urlOf } from '../site-documents.ts';
import { copyText, make, makeButton } from '../dom.ts';

/** The plan to take along: its address, a calendar, the list, lines for Renovate and for a build, and one printed page. */
export function exportLinks(
  index: Pick<PublishedIndex, 'digests'>,
  { items }: Plan,
  outcomes: readonly Outcome[],
): HTMLElement {
  const list = items.map(({ component, version }) => `${component}@${version}\n`).join('');

  const calendar = writeCalendar(
    { title: 'My versions: ends of support', producer: 'Release index' },
    planCalendar(outcomes, urlOf('').href),
  );

  const links = [
    copyText('Copy the link', location.href),
    save('Calendar', 'mine.ics', 'text/calendar', calendar),
    save('The list', 'mine.txt', 'text/plain', list),
    copyText('Renovate preset', () => presetLines(index, outcomes)),
    copyText('Check in CI', 'release-index scan ./mine.txt'),
    makeButton('', 'Print', () => print()),
  ];

  return make(
    'section',
    { className: 'exports' },
    make('h2', {}, 'Keep this plan'),
    make('ul', {}, ...links.map((link) => make('li', {}, link))),
  );
}

/** The lines of a configuration that extends the presets of the versions. */
async function presetLines(
  index: Pick<PublishedIndex, 'digests'>,
  outcomes: readonly Outcome[],
): Promise<string> {
  const files = await index.digests();
  const presets = outcomes
    .map(({ input: { answer } }) => `renovate/with/${answer.component}-${answer.line}.json`)
    .filter((path) => files.has(path));

  const urls = ['renovate.json', ...presets].map((path) => urlOf(path).href);

  return `"extends": ${JSON.stringify(urls, undefined, 2)}`;
}

function save(label: string, name: string, type: string, text: string): HTMLAnchorElement {
  const href = URL.createObjectURL(new Blob([text], { type }));
  return make('a', { href, download: name }, label);
}
