import type { Change } from '../../../decide/change.ts';
import { changeAnchor } from '../addresses.ts';
import { daysIn, type TextPart } from './days-in-text.ts';

/** One line of a list of changes. */
export interface ChangeRow {
  day: string;
  kind: Change['kind'];
  component: string;
  /** The release it is about, or the newest of a line's, on the page of the component. */
  href: string;
  text: TextPart[];
}

export function changeRow(change: Change): ChangeRow {
  const { on, kind, component, text } = change;
  return {
    day: on,
    kind,
    component,
    href: `${component}.html${changeAnchor(change)}`,
    text: daysIn(text),
  };
}
