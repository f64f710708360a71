// The pages are complete without script. It makes or shows its own controls, so that none is visible where it cannot work.

import { setUpAsking } from './asking.ts';
import { addCopyButton } from './copying.ts';
import { distance } from './distance.ts';
import { readStatus } from './documents.ts';
import { find, findAll, make, on, openAround } from './dom.ts';
import { setUpMyVersion } from './my-version.ts';
import { setUpOlderReleases } from './older-releases.ts';
import { addSortButton } from './sorting.ts';

for (const element of findAll('[data-copy]')) addCopyButton(element);
for (const header of findAll<HTMLTableCellElement>('th[data-sort]')) addSortButton(header);
for (const time of findAll<HTMLTimeElement>('time[data-relative]'))
  time.after(' ', make('span', { className: 'relative' }, distance(time.dateTime, Date.now())));

const checks = findAll('[data-checked]');
if (checks[0]) showLastChecks(checks).catch(() => {});

for (const form of findAll<HTMLFormElement>('#ask')) setUpAsking(form);
const component = find('main').dataset['component']!;
for (const form of findAll<HTMLFormElement>('#mine')) setUpMyVersion(form, component);
for (const section of findAll('#older')) setUpOlderReleases(section, component);

on(document, 'keydown', (event) => {
  const box = find<HTMLInputElement>('#ask-text, #mine-version');
  if (!box || event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  box.select();
});

/** Puts in the day of the last check. It moves every day, so that only status.json holds it. */
async function showLastChecks(places: readonly HTMLElement[]): Promise<void> {
  const { components } = await readStatus();
  for (const place of places) {
    const time = find<HTMLTimeElement>('time', place);
    const day = components[place.dataset['checked']!]?.lastChecked;
    if (time && day) time.dateTime = time.textContent = day;
    place.hidden = time && !day && place.tagName !== 'TD';
  }
}

/** A link may point at a release in a closed part of the page. */
function reveal(): void {
  const target = document.getElementById(location.hash.slice(1));
  if (openAround(target)) target!.scrollIntoView();
}

addEventListener('hashchange', reveal);
reveal();
