import type { EndOfSupport } from '../../../decide/words/ends.ts';
import { dayNumber, daysBetween, type Day } from '../../../core/dates.ts';
import { isLineOfNoEnd, type ComponentSummary } from '../../../decide/component.ts';
import { staircaseOf, type Label } from './staircase.ts';
import type { TimeAxis } from './time-axis.ts';

/** The time of a component in its row of the timetable. */
interface RowPicture {
  readonly viewBox: string;
  readonly height: number;
  /** How many rows of labels there are. */
  readonly rows: number;
  /** What is seen from today on only. */
  readonly ahead: readonly Shape[];
  readonly marks: readonly Shape[];
  /** What every end of support is said by; a picture without them says nothing that its row does not. */
  readonly labels: readonly Label[];
  /** How many ends have no label. */
  readonly unlabelled: number;
}

/** A path in days across and pixels down. */
interface Shape {
  readonly kind: string;
  readonly path: string;
}

/** Of a row without labels. */
const plainHeight = 48;

/** `ends`: those ahead of the day, soonest first. */
export function pictureOf(
  { lines, latest, releaseDays }: ComponentSummary,
  ends: readonly EndOfSupport[],
  axis: TimeAxis,
  day: Day,
): RowPicture {
  const box = (height: number) => ({ height, viewBox: `${axis.from} 0 ${axis.days} ${height}` });
  const dots = (y: number) => shapes({ dots: dotsAt(releaseDays, y) });
  if (ends.length > 0) {
    const stairs = staircaseOf(axis, day, ends, lines.some(isLineOfNoEnd));
    const { rows, bar, soon, leaders, labels, unlabelled, middle } = stairs;
    const marks = [...shapes({ leader: leaders }), ...dots(middle)];
    return {
      ...box(stairs.height),
      rows,
      ahead: shapes({ bar, soon }),
      marks,
      labels,
      unlabelled,
    };
  }
  const middle = plainHeight / 2;
  const kind = lines.some((line) => line.isSupported) ? 'open promised' : 'open';
  const ahead = shapes({ [kind]: latest ? `M${axis.from} ${middle}h${axis.days}` : '' });
  return { ...box(plainHeight), rows: 0, ahead, marks: dots(middle), labels: [], unlabelled: 0 };
}

/** A line of no length for each day; each from the one before it, which hundreds of rows say alike. */
function dotsAt(days: readonly Day[], y: number): string {
  return days
    .map((day, index) => {
      const before = days[index - 1];
      return `${before === undefined ? `M${dayNumber(day)} ${y}` : `m${daysBetween(before, day)} 0`}h0`;
    })
    .join('');
}

function shapes(paths: Readonly<Record<string, string>>): Shape[] {
  return Object.entries(paths).flatMap(([kind, path]) => (path === '' ? [] : { kind, path }));
}
