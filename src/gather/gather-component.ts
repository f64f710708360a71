import type { Day } from '../dates.ts';
import type { Http } from '../http/client.ts';
import type { Definition } from '../model/definition.ts';
import type { Finding } from '../model/finding.ts';
import type { Freshness } from '../model/freshness.ts';
import type { RecordedRelease } from '../model/recorded.ts';
import { sourceIds } from '../model/source-id.ts';
import { releaseClaims } from './claims.ts';
import { mergeAnswers, type RecordedChange, type SoundAnswer } from './merge.ts';
import { whyImplausible } from './plausibility.ts';
import { counted, sentence } from '../text.ts';
import type { SourceDefaults } from '../sources/source.ts';
import { askSource, type Outcome } from './ask.ts';
import { updateFreshness, type SourceState } from './update-freshness.ts';

export interface GatherInput {
  component: string;
  definition: Definition;
  recorded: readonly RecordedRelease[];
  freshness: Freshness;
}

export interface GatherContext {
  http: Http;
  day: Day;
  defaults: SourceDefaults;
  /** A person has looked at what is held and takes it. */
  accept: boolean;
}

export interface GatherResult {
  component: string;
  releases: RecordedRelease[];
  freshness: Freshness;
  changes: RecordedChange[];
  sources: SourceState[];
  findings: Finding[];
}

/** What the sources of a component answered, before anything is made of it. */
export interface Answers {
  outcomes: Outcome[];
  findings: Finding[];
}

/** Asks all sources of a component side by side. Never throws for anything an upstream does. */
export async function askSources(input: GatherInput, context: GatherContext): Promise<Answers> {
  const { component, definition } = input;
  const findings: Finding[] = [];
  const ids = sourceIds(definition.sources);
  const outcomes = await Promise.all(
    definition.sources.map((source, index) =>
      askSource(source, {
        id: ids[index]!,
        http: context.http,
        day: context.day,
        defaults: context.defaults,
        takePrereleases: definition.prereleases === true,
        recorded: input.recorded,
        freshness: input.freshness.sources[ids[index]!],
        refuse: (message) => findings.push({ level: 'warning', subject: component, message }),
      }),
    ),
  );
  return { outcomes, findings };
}

/** Leaves out the answers that failed or cannot be believed, and merges the rest into the recorded data. */
export function uniteAnswers(
  input: GatherInput,
  answers: Answers,
  context: Pick<GatherContext, 'day' | 'accept'>,
): GatherResult {
  const { component } = input;
  const findings = [...answers.findings];
  const states: SourceState[] = [];
  const sound: SoundAnswer[] = [];
  let recorded = input.recorded;
  for (const outcome of answers.outcomes) {
    if (outcome.kind === 'aborted') continue;
    if (outcome.kind === 'failed') {
      states.push(outcome);
      findings.push(failure(input, outcome.id, outcome.reason));
      continue;
    }
    const doubt = whyImplausible(outcome.id, outcome.listed, input.recorded, outcome.onlyAdds);
    if (doubt !== undefined && !context.accept) {
      const why = outcome.emptiness === undefined ? '' : ` (${outcome.emptiness})`;
      const reason = `${doubt}${why}. Nothing of it is taken.`;
      states.push({ id: outcome.id, kind: 'held', reason });
      findings.push(hold(component, outcome.id, reason));
      continue;
    }
    if (doubt !== undefined && outcome.onlyAdds)
      recorded = releaseClaims(recorded, outcome.id, outcome.listed);
    states.push({ id: outcome.id, kind: 'answered', pending: outcome.pending });
    sound.push(outcome);
    // Only a plausible answer may be served again by a later 304.
    outcome.keep();
  }

  const merged = mergeAnswers({
    component,
    recorded,
    sources: sourceIds(input.definition.sources),
    answers: sound,
    day: context.day,
  });
  return {
    component,
    releases: merged.releases,
    freshness: updateFreshness(input.freshness, states, context.day),
    changes: merged.changes,
    sources: states,
    findings: [...findings, ...merged.findings],
  };
}

function failure({ component, recorded }: GatherInput, id: string, reason: string): Finding {
  return {
    level: 'warning',
    subject: `${component} (${id.replace(/^page:.*/, 'page')})`,
    message: `${sentence(reason)} ${whatIsKept(recorded.length)}`,
    file: `components/${component}.json`,
  };
}

function whatIsKept(count: number): string {
  if (count === 0) return 'No release of it is recorded yet.';
  return count === 1 ? 'Kept the recorded release.' : `Kept all ${counted(count, 'recorded release')}.`;
}

function hold(component: string, id: string, reason: string): Finding {
  return {
    level: 'error',
    subject: `${component} (${id})`,
    message: `${reason} If upstream is right, run: gather ${component} --accept`,
    file: `data/${component}.json`,
  };
}
