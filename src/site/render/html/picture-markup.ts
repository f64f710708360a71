import { markup, type Markup } from './markup.ts';
import type { LegendKey, Picture, PictureTrack, Scale } from './picture.ts';
import { roundToHundredth } from './time-axis.ts';

/** The words of a row: a name before the bar, and the end after it. */
export interface DrawnRow {
  readonly name: Markup;
  readonly until: Markup;
  /** The row of the visitor, the row to move to, or one of the others. */
  readonly emphasis?: 'highlight' | 'goal' | 'pale' | undefined;
}

/** A picture with its words, as a list. The template of a component draws the same list, with rows that unfold. */
export function drawPicture(picture: Picture<DrawnRow>, label: string): Markup {
  const items = picture.tracks.map(({ name, until, emphasis, ...track }) => {
    const className = `tone-${track.tone}${emphasis === undefined ? '' : ` ${emphasis}`}`;
    const words = markup`<span class="support-end">${until}</span>`;
    return markup`<li class="${className}"><span class="name">${name}</span>${drawTrack(track)}${words}</li>`;
  });
  const bars = markup`<ul class="bars" aria-label="${label}">${items}</ul>`;
  const chart = markup`<div class="chart">${drawScale(picture)}${bars}</div>`;

  return markup`<div class="plan">${chart}${drawLegend(picture)}</div>`;
}

/**
 * The names of years and months, and the lines across the rows, with today. Heights in pixels from the top of a picture: the name of
 * today ends at 20, a line of the grid begins at 24, and the name of its year or month is at 34. The rows begin below them.
 */
export function drawScale(scale: Scale): Markup {
  const { unit, origin, todayName } = scale;
  // The outer element begins on 1970-01-01. The inner one is a day wide: the stylesheet moves its content by so many days.
  const name = markup`<foreignObject width="1" height="20"><span class="${todayName}"></span></foreignObject>`;
  const today = markup`<g class="today"><line y1="20" y2="100%"/>${name}</g>`;
  const lines = markup`${drawLines(scale)}<svg x="${origin}"><svg width="${unit}">${today}</svg></svg>`;

  return markup`<svg class="scale" aria-hidden="true">${drawNames(scale)}</svg><svg class="grid" aria-hidden="true">${lines}</svg>`;
}

export function drawNames({ ticks }: Pick<Scale, 'ticks'>): Markup {
  const named = ticks.filter(({ name }) => name !== '');
  return markup`${named.map(({ left, kind, name }) => markup`<text class="${kind}" x="${left}" dx="4" y="34">${name}</text>`)}`;
}

export function drawLines({ ticks }: Pick<Scale, 'ticks'>): Markup {
  return markup`${ticks.map(({ left, kind }) => markup`<line class="${kind}" x1="${left}" x2="${left}" y1="24" y2="100%"/>`)}`;
}

/** The bar of a row, in the middle of its height, and marks for its releases. */
export function drawTrack({ segments, marks, viewBox }: Omit<PictureTrack, 'tone'>): Markup {
  const bars = segments.map(({ kind, from, to }) => {
    const left = `${from}%`;
    const width = `${roundToHundredth(to - from)}%`;
    return markup`<rect class="${kind}" x="${left}" y="20%" width="${width}" height="60%" rx="3"/>`;
  });
  const releases = markup`<svg x="4" viewBox="${viewBox}" preserveAspectRatio="none"><path class="marks" d="${marks}"/></svg>`;

  return markup`<svg class="track" aria-hidden="true">${bars}${marks === '' ? '' : releases}</svg>`;
}

export function drawLegend({ legend }: Picture): Markup {
  const items = legend.map((key) => {
    const sample = markup`<svg viewBox="0 0 28 14">${drawKey(key)}</svg>`;
    return markup`<li class="tone-${key.tone}">${sample}${key.text}</li>`;
  });

  return markup`<ul class="legend" aria-hidden="true">${items}</ul>`;
}

/** A sample of 28 by 14 pixels: a bar, and two marks that only the key of releases shows. */
export function drawKey({ kind }: Pick<LegendKey, 'kind'>): Markup {
  const shapes = markup`<rect class="${kind}" x="1" y="2" width="26" height="10" rx="3"/><path class="${kind}" d="M8 3v8M20 3v8"/>`;
  return markup`<g class="key ${kind}">${shapes}</g>`;
}
