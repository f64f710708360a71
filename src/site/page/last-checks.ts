import { find } from './dom.ts';
import { readStatus } from './fetched-index.ts';

/** The day of the last check moves every day, so that it is read from where it stands. */
export async function showLastChecks(places: readonly HTMLElement[]): Promise<void> {
  const { components } = await readStatus();
  for (const place of places) {
    const time = find<HTMLTimeElement>('time', place);
    const day = components[place.dataset['checked']!]?.lastChecked;
    if (time && day) time.dateTime = time.textContent = day;
    place.hidden = time && !day && place.tagName !== 'TD';
  }
}
