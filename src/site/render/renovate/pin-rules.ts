import type { SiteContext } from '../site-context.ts';
import { labelRules } from './pin-labels.ts';
import { pinNotes, type PinnedComponent } from './pin-notes.ts';
import { isOfIndex } from './pin-packages.ts';

/** Rules that add facts about the version in use to a pull request: sentences, and labels. One template and few rules for all. */
export function pinRules(
  { baseUrl, config }: Pick<SiteContext, 'baseUrl' | 'config'>,
  components: readonly PinnedComponent[],
): object[] {
  const prBodyNotes = pinNotes(baseUrl, config.datasource, components);
  const notes = { matchJsonata: [isOfIndex(config.datasource)], prBodyNotes };

  return [...(prBodyNotes.length > 0 ? [notes] : []), ...labelRules(config.datasource, components)];
}
