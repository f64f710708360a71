import type { Day } from '../dates.ts';
import type { Http } from '../http/client.ts';
import type { Definition } from '../model/definition.ts';
import type { Finding } from '../model/finding.ts';
import type { Freshness } from '../model/freshness.ts';
import type { RecordedRelease } from '../model/recorded.ts';
import { sourceId } from '../model/source.ts';
import { mergeAnswers, releaseClaims, type Change, type SoundAnswer } from '../normalise/merge.ts';
import { whyImplausible } from '../normalise/plausibility.ts';
import type { SourceDefaults } from '../sources/source.ts';
import { askSource, type Outcome } from './ask.ts';
import { updateFreshness, type SourceState } from './freshness.ts';

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
  changes: Change[];
  sources: SourceState[];
  findings: Finding[];
}

/**
 * Gathers one component: asks all of its sources side by side, sets aside what failed or cannot be believed, and unites
 * the rest with what is recorded. Never throws for anything an upstream does.
 */
export async function gatherComponent(input: GatherInput, context: GatherContext): Promise<GatherResult> {
  const { component, definition } = input;
  const findings: Finding[] = [];
  const refuse = (message: string) => findings.push({ level: 'warning', subject: component, message });
  const outcomes = await Promise.all(
    definition.sources.map((source) =>
      askSource(source, {
        http: context.http,
        day: context.day,
        defaults: context.defaults,
        takePrereleases: definition.prereleases === true,
        recorded: input.recorded,
        freshness: input.freshness.sources[sourceId(source)],
        refuse,
      }),
    ),
  );

  const states: SourceState[] = [];
  const sound: SoundAnswer[] = [];
  let recorded = input.recorded;
  for (const outcome of outcomes) {
    if (outcome.kind === 'failed') {
      states.push(outcome);
      findings.push(failure(input, outcome.id, outcome.reason));
      continue;
    }
    const doubt = whyImplausible(outcome.id, outcome.listed, input.recorded, outcome.onlyAdds);
    if (doubt !== undefined && !context.accept) {
      const reason = `${doubt}. Nothing of it is taken.`;
      states.push({ id: outcome.id, kind: 'held', reason });
      findings.push(hold(component, outcome.id, reason));
      continue;
    }
    if (doubt !== undefined && outcome.onlyAdds) recorded = releaseClaims(recorded, outcome.id, outcome.listed);
    states.push({ id: outcome.id, kind: 'answered', pending: outcome.pending });
    sound.push(outcome);
    settle(outcome);
  }

  const merged = mergeAnswers(component, recorded, sound, context.day);
  const isChanged = merged.changes.length > 0;
  return {
    component,
    releases: merged.releases,
    freshness: updateFreshness(input.freshness, states, context.day, isChanged),
    changes: merged.changes,
    sources: states,
    findings: [...findings, ...merged.findings],
  };
}

/** Only an answer that was found plausible may serve as an answer again. */
function settle(outcome: Extract<Outcome, { kind: 'answered' }>): void {
  outcome.accept();
}

function failure({ component, recorded }: GatherInput, id: string, reason: string): Finding {
  const kept = recorded.length === 0 ? 'No release of it is recorded yet.' : `Kept all ${recorded.length} recorded releases.`;
  return {
    level: 'warning',
    subject: `${component} (${id})`,
    message: `${reason.replace(/\.?$/, '.')} ${kept}`,
    file: `components/${component}.json`,
  };
}

function hold(component: string, id: string, reason: string): Finding {
  return {
    level: 'error',
    subject: `${component} (${id})`,
    message: `${reason} If upstream is right, run: gather ${component} --accept`,
    file: `data/${component}.json`,
  };
}
