import pLimit from 'p-limit';
import type { HttpLimits } from './limits.ts';

/** The place of one request among those whose big bodies are in memory. */
export interface Place {
  /** Waits until there is room; once it is taken, at once. */
  take(): Promise<void>;
  leave(): void;
}

/** Bounds what all bodies of a run together take in memory. */
export function createPlaces({ largeAtATime }: HttpLimits): () => Place {
  const limit = pLimit(largeAtATime);
  return () => {
    let taken: Promise<void> | undefined;
    let leave = () => {};
    const left = new Promise<void>((resolve) => (leave = resolve));
    return {
      take() {
        taken ??= new Promise((resolve) => {
          void limit(() => {
            resolve();
            return left;
          });
        });
        return taken;
      },
      leave: () => leave(),
    };
  };
}
