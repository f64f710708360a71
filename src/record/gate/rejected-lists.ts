import type { HeldChange } from '../../core/schemas/recorded/held.ts';
import { readFreshness } from '../../io/files/read.ts';
import { listComponents, type Root } from '../../io/files/root.ts';

/** The lists that gathering rejected because they lost too much, in the form of what waits. */
export function rejectedLists(root: Root): Pick<HeldChange, 'id' | 'kind' | 'causes' | 'reason'>[] {
  const rejected: Pick<HeldChange, 'id' | 'kind' | 'causes' | 'reason'>[] = [];

  for (const name of listComponents(root).names) {
    const { sources } = readFreshness(root, name).value ?? { sources: {} };
    for (const [source, { accept: id, reason = '' }] of Object.entries(sources)) {
      if (id !== undefined) {
        rejected.push({ id, kind: 'component', causes: [source], reason });
      }
    }
  }

  return rejected;
}
