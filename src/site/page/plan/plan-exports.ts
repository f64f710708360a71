import { writePlanCalendar } from '../../../ask/plan/plan-calendar.ts';
import type { Outcome } from '../../../ask/plan/plan-outcome.ts';
import type { Plan } from '../../../core/schemas/published/plan-answer.ts';
import { copyText, make, makeButton } from '../dom.ts';
import { toUrl } from '../site-documents.ts';

/** The plan to take along: its address, a calendar, the list, lines for Renovate and for a build, and one printed page. */
export function exportLinks(plan: Plan, outcomes: readonly Outcome[]): HTMLElement {
  const list = plan.items.map(({ component, version }) => `${component}@${version}\n`).join('');
  const links = [
    copyText('Copy the link', location.href),
    linkTo('Calendar', 'mine.ics', writePlanCalendar(plan, outcomes, toUrl('').href)),
    linkTo('The list', 'mine.txt', list),
    copyText('Renovate preset', `"extends": ["${toUrl('renovate.json').href}"]`),
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

/** A link that saves a text. */
function linkTo(label: string, name: string, text: string): HTMLAnchorElement {
  const href = URL.createObjectURL(new Blob([text]));
  return make('a', { href, download: name }, label);
}
