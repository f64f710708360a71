import { find, make } from './dom.ts';

/** Keeps the place of an answer before it is there, and brings it into sight. What follows begins below the window. */
export function keepPlace(): void {
  const place = find('.place');
  if (place.childElementCount === 0) {
    place.append(make('p', { className: 'lead' }, 'Answering…'));
  }

  const { top } = place.getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) {
    place.scrollIntoView();
  }
}
