import pLimit from 'p-limit';
import { HttpError } from '../../../io/http/error.ts';
import { SourceError } from '../datasource.ts';

const atATime = 8;

/** Stop after so many failures in a row: thousands of look-ups would each wait in vain. */
const toleratedFailures = 3;

/** Looks up each item, and postpones failed look-ups. The result has no entry for an absent document. */
export async function lookUpItems<Item, Found>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Found>,
  postpone: (item: Item, error: unknown) => void,
): Promise<Map<Item, Found>> {
  const limit = pLimit(atATime);
  const results = new Map<Item, Found>();
  let failuresInARow = 0;
  let lastFailure: unknown;

  await Promise.all(items.map((item) => limit(() => lookUp(item))));

  return results;

  async function lookUp(item: Item): Promise<void> {
    if (failuresInARow >= toleratedFailures) {
      return postpone(item, lastFailure);
    }

    try {
      results.set(item, await ask(item));
      failuresInARow = 0;
    } catch (error) {
      const kind = error instanceof HttpError ? error.kind : undefined;
      if (kind === 'absent') {
        failuresInARow = 0;
        return;
      }

      if (kind === 'aborted' || (kind === undefined && !(error instanceof SourceError))) {
        throw error;
      }

      failuresInARow += 1;
      lastFailure = error;
      postpone(item, error);
    }
  }
}
