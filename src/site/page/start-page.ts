// The pages are complete without script. What it adds it makes or shows by itself, so that no control is seen where it
// would not work.

import { setUpAsking } from './asking.ts';
import { addCopyButton } from './copying.ts';
import { distance } from './distance.ts';
import { find, findAll, make, on, unfold } from './dom.ts';
import { showLastChecks } from './last-checks.ts';
import { setUpMine } from './mine.ts';
import { setUpOlder } from './older.ts';
import { addSortButton } from './sorting.ts';

for (const element of findAll('[data-copy]')) addCopyButton(element);
for (const header of findAll<HTMLTableCellElement>('th[data-sort]')) addSortButton(header);
for (const time of findAll<HTMLTimeElement>('time[data-relative]'))
  time.after(' ', make('span', { className: 'relative' }, distance(time.dateTime, Date.now())));

const checks = findAll('[data-checked]');
if (checks[0]) showLastChecks(checks).catch(() => {});

for (const form of findAll<HTMLFormElement>('#ask')) setUpAsking(form);
const component = find('main').dataset['component']!;
for (const form of findAll<HTMLFormElement>('#mine')) setUpMine(form, component);
for (const section of findAll('#older')) setUpOlder(section, component);

on(document, 'keydown', (event) => {
  const box = find<HTMLInputElement>('#ask-text, #mine-version');
  if (!box || event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  box.select();
});

/** A release that a link points at may stand in a closed part of the page. */
function reveal(): void {
  const target = document.getElementById(location.hash.slice(1));
  if (unfold(target)) target!.scrollIntoView();
}

addEventListener('hashchange', reveal);
reveal();
