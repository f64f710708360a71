import { find, make } from './dom.ts';

/** Keeps the place of an answer before it is there, and brings it into sight. What follows begins below the window. */
export function keepPlace(): void {
  const container = find('.place');
  if (container.childElementCount === 0) {
    container.append(make('p', { className: 'lead' }, 'Answering…'));
  }

  const { top } = container.getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) {
    container.scrollIntoView();
  }
}
