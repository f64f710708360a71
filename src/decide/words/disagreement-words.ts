import type { Disagreement, SourceDisagreement } from '../disagreements.ts';
import { fieldNames } from '../corrections.ts';
import { counted, listed } from '../../core/text.ts';

const reasons: Readonly<Record<Disagreement['why'], string>> = {
  'listed first': 'is listed first in the definition',
  'recorded first': 'was recorded first',
};

/** Which source says something else than which, how often, who is right and why. */
export function disagreementText({ source, over, why, fields, releases, last }: SourceDisagreement): string {
  const what = listed(
    fields.map((field) => fieldNames[field]),
    fields.length,
  );
  const which = releases === 1 ? last : `${counted(releases, 'release')} up to ${last}`;
  return `${source} disagrees with ${over} on ${which} (${what}). The word of ${over} stands, which ${reasons[why]}.`;
}

/** The same of one release, with what is said. */
export function dissentText({ field, source, value, over, why }: Disagreement): string {
  const said = value ?? 'that there is none';
  return `${source} says of the ${fieldNames[field]}: ${said}. The word of ${over} stands, which ${reasons[why]}.`;
}
