import { type Answer, fromRecord, toRecord } from './answer.ts';
import type { Background } from './background.ts';
import { HttpError } from './error.ts';
import type { Place, Spill } from './spill.ts';

/** What came of every document that a run has asked for. */
export interface SharedAnswers {
  /**
   * The answer to `ask`, or the `HttpError` that it failed with. `ask` is called once for a digest, which names the
   * document, in hex; it is called again only where the disk has lost what came of it. What else `ask` rejects with is given
   * to all as it is.
   */
  get(digest: string, ask: () => Promise<Answer>): Promise<Answer>;
}

/**
 * A run asks for a million documents, some of tens of megabytes. An answer is in memory only as long as somebody works on
 * it, then with others who ask for the same; afterwards all of it is on the disk, and a hundred bytes are left that say where.
 */
export function createSharedAnswers(spill: Spill, background: Background): SharedAnswers {
  const underWay = new Map<string, Promise<Answer>>();
  const inUse = new Map<string, WeakRef<Answer>>();
  const places = new Map<string, Place>();
  const unused = new FinalizationRegistry((key: string) => {
    if (!inUse.get(key)?.deref()) inUse.delete(key);
  });

  return {
    async get(digest, ask) {
      const key = toKey(digest);
      const known = inUse.get(key)?.deref() ?? underWay.get(key);
      if (known) return known;
      const place = places.get(key);
      const starting = place !== undefined ? readBack(key, place, ask) : askFor(key, ask);
      underWay.set(key, starting);
      return starting;
    },
  };

  async function askFor(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    await background.room();
    const outcome = await ask().catch(failureOf);
    background.start(() => putAside(key, outcome));
    return use(key, outcome);
  }

  async function putAside(key: string, outcome: Answer | HttpError): Promise<void> {
    places.set(key, await spill.put(await toRecord(outcome)));
    underWay.delete(key);
  }

  async function readBack(key: string, place: Place, ask: () => Promise<Answer>): Promise<Answer> {
    const outcome = await spill.read(place).then(fromRecord).catch(nothing);
    if (!outcome) return askFor(key, ask);
    underWay.delete(key);
    return use(key, outcome);
  }

  /** For all who ask while somebody still holds on to it: five of them must not unpack 64 MB each. */
  function use(key: string, outcome: Answer | HttpError): Answer {
    if (outcome instanceof HttpError) throw outcome;
    inUse.set(key, new WeakRef(outcome));
    unused.register(outcome, key);
    return outcome;
  }
}

/** As many keys are kept as there are documents: half of a SHA-256, a character for each byte, tells them apart as well. */
function toKey(digest: string): string {
  return Buffer.from(digest, 'hex').toString('latin1', 0, 16);
}

function failureOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  throw error;
}

function nothing(): undefined {}
