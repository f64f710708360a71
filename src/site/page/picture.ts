import type { DetailedLine } from '../../ask/details-on.ts';
import { dayNumber, dayOf, type Day } from '../../core/dates.ts';
import type { Picture, PictureRow, Track } from '../render/html/picture.ts';
import { find, findAll, make } from './dom.ts';

/** A row of a picture: a name, the bar, and the end in words. */
export interface DrawnRow {
  readonly name: readonly (Node | string)[];
  readonly until: readonly (Node | string)[];
  readonly isYours?: boolean;
}

/** A line as the picture draws it. */
export function pictureRow(line: DetailedLine): PictureRow {
  const { state, phases, firstReleaseDate, firstReleaseDateAtMost, releases } = line;
  return {
    ...{ state, phases },
    began: { from: firstReleaseDate, atMost: firstReleaseDateAtMost },
    releaseDays: releases.flatMap(({ releaseTimestamp: at }) => (at === undefined ? [] : dayOf(at))).sort(),
  };
}

/** A picture as the templates of the site write it. `rows`: one for each track. */
export function makePicture(
  { ticks, unit, origin, todayName, tracks, legend }: Picture,
  rows: readonly DrawnRow[],
  label: string,
): HTMLElement {
  const scale = svg('svg', { class: 'scale', 'aria-hidden': 'true' }, fade());
  const grid = svg('svg', { class: 'grid', 'aria-hidden': 'true' });
  for (const { at, kind, name } of ticks) {
    grid.append(svg('line', { class: kind, x1: at, x2: at, y1: '24', y2: '100%' }));
    if (name !== '') scale.append(svg('text', { class: kind, x: at, dx: '4', y: '34' }, name));
  }
  const named = svg('foreignObject', { width: '1', height: '20' }, make('span', { className: todayName }));
  const today = svg('g', { class: 'today' }, svg('line', { y1: '20', y2: '100%' }), named);
  grid.append(svg('svg', { x: origin }, svg('svg', { width: unit }, today)));
  const items = rows.map(({ name, until, isYours }, index) =>
    make(
      'li',
      { className: `${tracks[index]!.tone}${isYours ? ' yours' : ''}` },
      make('span', { className: 'name' }, ...name),
      trackOf(tracks[index]!),
      make('span', { className: 'until' }, ...until),
    ),
  );
  const keys = legend.map(({ tone, kind, text }) => {
    const rect = svg('rect', { class: kind, x: '1', y: '2', width: '26', height: '10', rx: '3' });
    const key = svg('g', { class: `key ${kind}` }, rect, svg('path', { class: kind, d: 'M8 3v8M20 3v8' }));
    return make('li', { className: tone }, svg('svg', { viewBox: '0 0 28 14' }, key), text);
  });
  return make(
    'div',
    { className: 'plan' },
    make(
      'div',
      { className: 'time' },
      scale,
      grid,
      make('ul', { className: 'bars', ariaLabel: label }, ...items),
    ),
    make('ul', { className: 'legend', ariaHidden: 'true' }, ...keys),
  );
}

function trackOf({ segments, marks, viewBox }: Track): SVGElement {
  const rects = segments.map(({ kind, at, width }) =>
    svg('rect', { class: kind, x: at, y: '20%', width, height: '60%', rx: '3' }),
  );
  const path = svg('path', { class: 'marks', d: marks });
  const drawn = svg('svg', { x: '4', viewBox, preserveAspectRatio: 'none' }, path);
  return svg('svg', { class: 'track', 'aria-hidden': 'true' }, ...rects, ...(marks === '' ? [] : [drawn]));
}

/** Names a version on the axis of a page without a policy; a day before the axis is at its edge. */
export function markYours(version: string, day: Day): void {
  for (const track of findAll<SVGElement>('.often .track')) {
    const { x, width } = find<SVGSVGElement>('svg', track).viewBox.baseVal;
    const share = (dayNumber(day) - x) / width;
    const at = `${Math.max(0, share) * 100}%`;
    const name = svg('text', { x: at, y: '100%', dy: '14' }, `${share < 0 ? '← ' : ''}you: ${version}`);
    name.classList.toggle('end', share > 0.7);
    track.querySelector('.you')?.remove();
    const mark = share < 0 ? '' : svg('circle', { cx: at, cy: '50%', r: '5' });
    track.append(svg('g', { class: 'you' }, mark, name));
  }
}

/** A page may have it already; then both are the same. */
function fade(): SVGElement {
  const stops = [svg('stop', { 'stop-color': '#000' }), svg('stop', { offset: '1', 'stop-color': '#fff' })];
  const rect = svg('rect', { width: '1', height: '1', fill: 'url(#fade-in)' });
  return svg(
    'defs',
    {},
    svg('linearGradient', { id: 'fade-in' }, ...stops),
    svg('mask', { id: 'fade', maskContentUnits: 'objectBoundingBox' }, rect),
  );
}

function svg(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
