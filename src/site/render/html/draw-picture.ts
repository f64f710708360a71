import { markup, type Markup } from './markup.ts';
import type { Key, Picture, PictureTrack } from './picture.ts';

/** The words of a row: a name before the bar, and the end after it. */
export interface DrawnRow {
  readonly name: Markup;
  readonly until: Markup;
  /** The row of the visitor, the row to move to, or one of the others. */
  readonly mark?: 'highlight' | 'goal' | 'pale' | undefined;
}

/** A picture with its words. */
export function drawPlan(picture: Picture<DrawnRow>, label: string): Markup {
  const items = picture.tracks.map(({ name, until, mark, ...track }) => {
    const tone = `tone-${track.tone}${mark === undefined ? '' : ` ${mark}`}`;
    return markup`<li class="${tone}"><span class="name">${name}</span>${drawTrack(track)}<span class="support-end">${until}</span></li>`;
  });

  return markup`<div class="plan"><div class="chart">${drawScale(picture)}<ul class="bars" aria-label="${label}">${items}</ul></div>${drawLegend(picture)}</div>`;
}

/** The names of years and months, and the lines across the rows, with today. */
export function drawScale(picture: Picture): Markup {
  const { unit, origin, todayName } = picture;
  const today = markup`<svg x="${origin}"><svg width="${unit}"><g class="today"><line y1="20" y2="100%"/><foreignObject width="1" height="20"><span class="${todayName}"></span></foreignObject></g></svg></svg>`;
  return markup`<svg class="scale" aria-hidden="true">${drawNames(picture)}</svg><svg class="grid" aria-hidden="true">${drawLines(picture)}${today}</svg>`;
}

export function drawNames({ ticks }: Pick<Picture, 'ticks'>): Markup {
  const names = ticks.map(({ at, kind, name }) =>
    name === '' ? '' : markup`<text class="${kind}" x="${at}" dx="4" y="34">${name}</text>`,
  );
  return markup`${names}`;
}

export function drawLines({ ticks }: Pick<Picture, 'ticks'>): Markup {
  return markup`${ticks.map(({ at, kind }) => markup`<line class="${kind}" x1="${at}" x2="${at}" y1="24" y2="100%"/>`)}`;
}

export function drawTrack({ segments, marks, viewBox }: PictureTrack): Markup {
  const bars = segments.map(
    ({ kind, at, width }) =>
      markup`<rect class="${kind}" x="${at}" y="20%" width="${width}" height="60%" rx="3"/>`,
  );

  const releases = markup`<svg x="4" viewBox="${viewBox}" preserveAspectRatio="none"><path class="marks" d="${marks}"/></svg>`;

  return markup`<svg class="track" aria-hidden="true">${bars}${marks === '' ? '' : releases}</svg>`;
}

export function drawLegend({ legend }: Picture): Markup {
  const items = legend.map(
    (key) =>
      markup`<li class="tone-${key.tone}"><svg viewBox="0 0 28 14">${drawKey(key)}</svg>${key.text}</li>`,
  );

  return markup`<ul class="legend" aria-hidden="true">${items}</ul>`;
}

export function drawKey({ kind }: Key): Markup {
  return markup`<g class="key ${kind}"><rect class="${kind}" x="1" y="2" width="26" height="10" rx="3"/><path class="${kind}" d="M8 3v8M20 3v8"/></g>`;
}
