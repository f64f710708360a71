import type { PublishedLineOn } from '../../ask/answers/details-on.ts';
import { dayNumber, dayOf, type Day } from '../../core/model/dates.ts';
import { markup } from '../render/html/markup.ts';
import type { PictureRow } from '../render/html/picture.ts';
import { find, findAll, makeMarkup } from './dom.ts';

/** The row of a line in a picture. */
export function pictureRow(line: PublishedLineOn): PictureRow {
  const { state, phases, firstReleaseDate, firstReleaseDateAtMost, releases } = line;

  return {
    state,
    phases,
    began: { from: firstReleaseDate, atMost: firstReleaseDateAtMost },
    releaseDays: releases
      .map(({ releaseTimestamp }) => releaseTimestamp)
      .filter((releaseTimestamp) => releaseTimestamp !== undefined)
      .map(dayOf)
      .sort(),
  };
}

/** Marks a version in the picture of releases. A day before the axis is named at its edge. */
export function markYours(version: string, day: Day): void {
  for (const track of findAll<SVGElement>('.cadence .track')) {
    const { x, width } = find<SVGSVGElement>('svg', track).viewBox.baseVal;
    const share = (dayNumber(day) - x) / width;
    const at = `${Math.max(0, share) * 100}%`;
    const name = `${share < 0 ? '← ' : ''}you: ${version}`;
    const mark = share < 0 ? '' : markup`<circle cx="${at}" cy="50%" r="5"/>`;

    track.querySelector('.position')?.remove();

    const drawn = markup`<svg class="position">${mark}<text class="${share > 0.7 ? 'end' : ''}" x="${at}" y="100%" dy="14">${name}</text></svg>`;

    track.append(makeMarkup(drawn));
  }
}
