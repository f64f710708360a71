import { labelRules } from './pin-labels.ts';
import { keyOfFacts, renderNote, tabulateFacts, type PinnedComponent } from './pin-notes.ts';
import { isOfIndex } from './pin-packages.ts';

/** Rules that add facts about the version in use to a pull request: sentences, and labels. One template and few rules for all. */
export function pinRules(
  baseUrl: string,
  index: string,
  components: readonly PinnedComponent[],
): object[] {
  const facts = tabulateFacts(baseUrl, components);
  if (facts === '') {
    return [];
  }

  const notes = {
    matchJsonata: [isOfIndex(index)],
    prBodyDefinitions: { [keyOfFacts(index)]: facts },
    prBodyNotes: [renderNote(baseUrl, index)],
  };

  return [notes, ...labelRules(index)];
}
