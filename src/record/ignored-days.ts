/** Warns about release dates that a run ignored. */
import type { Problem } from '../core/errors.ts';
import type { Recorded } from '../core/schema/recorded.ts';
import { formatCount, formatList } from '../core/text.ts';

/**
 * Returns a warning about release dates that today's run ignored for the first time. The warning says how a person can enter a date in
 * `data/`.
 */
export function listIgnoredDays(subject: string, former: Recorded, recorded: Recorded): Problem[] {
  const known = new Set(former.releases.filter(isIgnored).map(({ version }) => version));
  const late = recorded.releases.filter(isIgnored).filter(({ version }) => !known.has(version));
  if (late.length === 0) {
    return [];
  }

  const came = `${formatCount(late.length, 'release')} came late into the lists`;
  const days = formatList(
    late.map(({ version, ignoredDay }) => `${version} (${ignoredDay})`),
    5,
  );
  const message =
    `${came}, so the dates that they give for them are ignored: ${days}. Release lines that begin with them may end earlier. ` +
    `If a date is right, write it into data/${subject}.json as "releaseTimestamp", and remove "timestampKind"`;
  return [{ subject, message, level: 'warning' }];
}

function isIgnored({ ignoredDay }: Recorded['releases'][number]): boolean {
  return ignoredDay !== undefined;
}
