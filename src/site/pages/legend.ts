/** What the colours and the parts of the bars in a picture mean. Templates draw it: `legend.hbs`. */
import type { Line } from '../../core/schema/published.ts';
import { stateTones } from '../../core/words.ts';

const colours = [
  { tone: 'ok', text: 'supported' },
  { tone: 'soon', text: 'ends soon, or may have ended' },
  { tone: 'over', text: 'ended' },
  { tone: 'none', text: 'no end stated' },
] as const;

const parts = [
  { kind: 'bar later-phase', text: 'a later phase' },
  { kind: 'bar paid-phase', text: 'a paid phase, not for everyone' },
  { kind: 'tail', text: 'solid: certain, dashed: possible' },
  { kind: 'tail no-end', text: 'dashed: until an unknown day' },
  { kind: 'bar fade-in', text: 'began on an unknown day' },
  { kind: 'marks', text: 'a release' },
];

interface Row {
  line: Pick<Line, 'state'>;
  /** `marks`: of releases; empty where there are none. */
  track: { bars: readonly { kind: string }[]; marks: string };
}

/** The colours of these rows, then their parts, in the first colour. */
export function describeLegend(rows: readonly Row[]) {
  const tones = rows.map(({ line }) => stateTones[line.state]);
  const shown = colours.filter(({ tone }) => tones.includes(tone));
  const kinds = rows.flatMap(({ track: { bars, marks } }) => [
    ...bars.map(({ kind }) => kind),
    ...(marks === '' ? [] : ['marks']),
  ]);
  const drawn = parts.filter(({ kind }) => kinds.includes(kind));
  return [
    ...shown.map(({ tone, text }) => ({ kind: 'bar', tone, text })),
    ...drawn.map(({ kind, text }) => ({ kind, tone: shown[0]?.tone, text })),
  ];
}
