import pLimit from 'p-limit';
import { HttpError } from '../../io/http/error.ts';
import { defined } from '../../core/text.ts';
import { SourceError, type SourceContext, type SourceRelease } from './source.ts';

const atATime = 8;

/** After so many failures in a row we stop asking: thousands of look-ups would each wait in vain. */
const toleratedFailures = 3;

/**
 * Asks for the day of each release that still needs one, where upstream states it version by version. `ask` is given the
 * name under which a version is listed. An absent document states no day; after any other failure the next run asks again.
 */
export async function lookUpTimestamps(
  listedAs: ReadonlyMap<string, string>,
  { wantsTimestamp, postpone }: Pick<SourceContext, 'wantsTimestamp' | 'postpone'>,
  ask: (listed: string) => Promise<string | undefined>,
): Promise<SourceRelease[]> {
  const versions = [...listedAs.keys()];
  const days = await lookUpEach(
    versions.filter((version) => wantsTimestamp(version)),
    (version) => ask(listedAs.get(version)!),
    postpone,
  );
  return versions.map((version) => defined({ version, releaseTimestamp: days.get(version) }));
}

/** What is stated of each of these; nothing where a document is absent. What could not be asked is postponed. */
export async function lookUpEach<Item, Found>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Found>,
  postpone: (item: Item, error: unknown) => void,
): Promise<Map<Item, Found>> {
  const limit = pLimit(atATime);
  const found = new Map<Item, Found>();
  let failuresInARow = 0;
  let lastFailure: unknown;
  await Promise.all(items.map((item) => limit(() => lookUp(item))));
  return found;

  async function lookUp(item: Item): Promise<void> {
    if (failuresInARow >= toleratedFailures) return postpone(item, lastFailure);
    try {
      found.set(item, await ask(item));
      failuresInARow = 0;
    } catch (error) {
      const kind = error instanceof HttpError ? error.kind : undefined;
      if (kind === 'absent') {
        failuresInARow = 0;
        return;
      }
      if (kind === 'aborted' || (kind === undefined && !(error instanceof SourceError))) throw error;
      failuresInARow += 1;
      lastFailure = error;
      postpone(item, error);
    }
  }
}

/** The names of the elements by the version that each holds. Of several names for one version, the first counts. */
export function offerAll(
  elements: readonly { name: string }[],
  context: SourceContext,
  isPrerelease: (name: string) => boolean | undefined = () => undefined,
): Map<string, string> {
  const listedAs = new Map<string, string>();
  for (const { name } of elements) {
    const version = context.offer(name, isPrerelease(name));
    if (version !== undefined && !listedAs.has(version)) listedAs.set(version, name);
  }
  return listedAs;
}
