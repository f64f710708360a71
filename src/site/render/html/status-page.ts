import { acceptArguments, describeDisagreements, troubleText } from '../../../decide/sentences.ts';
import { commandLine } from '../../../core/command-prefix.ts';
import type { FreshnessState } from '../../../core/schemas/freshness.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import type { Run } from '../../../core/schemas/run.ts';
import { withoutAddress } from '../../../core/schemas/source.ts';
import { counted, listed } from '../../../core/text.ts';
import type { SiteInput } from '../site-files.ts';
import type { SiteContext } from '../site-context.ts';
import { renderPage } from './page-frame.ts';

/** States that need a person come first. */
const groups: readonly { state: FreshnessState; meaning: string }[] = [
  { state: 'held', meaning: 'An answer waits for review.' },
  {
    state: 'stale',
    meaning: 'A source did not answer, or was not asked yet; recorded data stays in use.',
  },
  { state: 'live', meaning: 'Every source answered when it was last asked.' },
  { state: 'static', meaning: 'No source is asked: the releases are maintained by hand.' },
];

/**
 * `status.html`. A script adds the day of the last check from `status.json`, because it changes every day. The page itself
 * changes only with recorded data.
 */
export function renderStatusPage(
  site: SiteContext,
  summaries: readonly ComponentSummary[],
  { runs, delay }: Pick<SiteInput, 'runs' | 'delay'>,
): string {
  const shown = groups
    .map(({ state, meaning }) => {
      const members = summaries.filter(({ freshness }) => freshness.state === state);
      const isTrouble = state === 'held' || state === 'stale';
      return {
        state,
        meaning,
        size: counted(members.length, 'component'),
        troubled: isTrouble ? members.map(componentView) : [],
        untroubled: isTrouble ? [] : members.map(componentView),
        isAsked: state !== 'static',
      };
    })
    .filter(({ troubled, untroubled }) => troubled.length + untroubled.length > 0);
  return renderPage(site, 'status', {
    runs: runsView(runs),
    delay,
    groups: shown,
    disagreements: summaries.flatMap(({ name, definition, disagreements }) =>
      disagreements.map((one) => ({ name, title: definition.title, text: describeDisagreements(one) })),
    ),
  });
}

/** Undefined where none is recorded. */
function runsView(runs: readonly Run[]): object | undefined {
  if (runs.length === 0) return undefined;
  const troubled = runs.filter(({ troubles }) => troubles !== undefined);
  return {
    size: counted(runs.length, 'run'),
    days: counted(new Set(runs.map(({ asOf }) => asOf)).size, 'day'),
    events: counted(
      runs.reduce((sum, run) => sum + run.events, 0),
      'event',
    ),
    troubled: troubled.slice(0, maxTroubled).map(({ asOf, troubles = [] }) => ({
      day: asOf,
      text: listed(
        troubles.map(({ component, source, kind }) => `${component} (${withoutAddress(source)}) ${kind}`),
        maxTroubled,
      ),
    })),
  };
}

const maxTroubled = 10;

/** Unknown values are empty texts. */
function componentView({ name, definition, freshness }: ComponentSummary): object {
  const { state, changedOn = '', troubles } = freshness;
  return {
    name,
    title: definition.title,
    changedOn,
    troubles: troubles.map(troubleText),
    command: state === 'held' ? commandLine(acceptArguments(name)) : '',
  };
}
