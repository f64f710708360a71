/** Work that nobody waits for as long as there is little of it: what waits for a slow disk is held in memory. */
export interface Background {
  start(work: () => Promise<void>): void;
  /** Resolves once there is little enough to begin something that will lead to more. */
  room(): Promise<void>;
  /** Resolves once all that was started is done; rejects where some of it did. */
  settled(): Promise<void>;
}

/** `most` is how much of it may be under way before `room` keeps others waiting. */
export function createBackground(most: number): Background {
  const underWay = new Set<Promise<void>>();
  return {
    start(work) {
      const pending = work().finally(() => underWay.delete(pending));
      underWay.add(pending);
    },
    async room() {
      while (underWay.size >= most) await Promise.race(underWay);
    },
    async settled() {
      await Promise.all(underWay);
    },
  };
}
