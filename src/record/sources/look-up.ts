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
  context: SourceContext,
  ask: (listed: string) => Promise<string | undefined>,
): Promise<SourceRelease[]> {
  const limit = pLimit(atATime);
  let failuresInARow = 0;
  let lastFailure: unknown;
  return Promise.all(Array.from(listedAs, ([version, listed]) => limit(() => lookUp(version, listed))));

  async function lookUp(version: string, listed: string): Promise<SourceRelease> {
    if (!context.wantsTimestamp(version)) return { version };
    if (failuresInARow >= toleratedFailures) {
      context.postpone(version, lastFailure);
      return { version };
    }
    try {
      const releaseTimestamp = await ask(listed);
      failuresInARow = 0;
      return defined({ version, releaseTimestamp });
    } catch (error) {
      const kind = error instanceof HttpError ? error.kind : undefined;
      if (kind === 'absent') {
        failuresInARow = 0;
        return { version };
      }
      if (kind === 'aborted' || (kind === undefined && !(error instanceof SourceError))) throw error;
      failuresInARow += 1;
      lastFailure = error;
      context.postpone(version, error);
      return { version };
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
