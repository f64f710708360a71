import type { TrustedRoot } from '@sigstore/protobuf-specs';
import type { Day } from '../../core/dates.ts';
import type { Http } from '../../io/http/client.ts';
import type { Definition } from '../../core/schemas/definition.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { Freshness } from '../../core/schemas/freshness.ts';
import type { RecordedAdvisory, RecordedLine, RecordedRelease } from '../../core/schemas/recorded.ts';
import { sourceIds, supportSourceId, withoutAddress } from '../../core/schemas/source.ts';
import { acceptAnswer, type Held } from './accept-answer.ts';
import { dropSource } from './recorded-release.ts';
import { mergeLines } from './merge-lines.ts';
import { mergeAnswers, type SoundAnswer } from './merge.ts';
import type { RecordedChange } from './merge-report.ts';
import { counted, defined, sentence, toLine } from '../../core/text.ts';
import { adapterOf, osvPackagesOf, supportAdapterOf } from '../sources/index.ts';
import type { SourceContext } from '../sources/source.ts';
import { askSource, type Budgets, type Deadline, type Outcome } from './ask.ts';
import { updateFreshness, type SourceState } from './update-freshness.ts';

export interface GatherInput {
  component: string;
  definition: Definition;
  recorded: readonly RecordedRelease[];
  advisories?: readonly RecordedAdvisory[] | undefined;
  lines?: readonly RecordedLine[] | undefined;
  freshness: Freshness;
}

export interface GatherContext {
  http: Http;
  day: Day;
  npmRegistry: SourceContext['npmRegistry'];
  /** What attestations are verified by; asked for where there is one. */
  trustedRoot(): Promise<TrustedRoot>;
  /** A person has looked at what is held and accepts it. */
  accept: boolean;
  budgets: Budgets;
  /** When the run as a whole stops asking. */
  runEnd: Deadline;
}

export interface GatherResult {
  component: string;
  releases: RecordedRelease[];
  /** By id. */
  advisories?: RecordedAdvisory[] | undefined;
  /** Oldest first. */
  lines?: RecordedLine[] | undefined;
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

const maxOfKind = 5;
const maxMessageLength = 600;

/** Asks all sources of a component side by side. Never throws for anything an upstream does. */
export async function askSources(input: GatherInput, context: GatherContext): Promise<Answers> {
  const { component, definition } = input;
  const findings: Finding[] = [];
  const { support } = definition;
  const packages = osvPackagesOf(definition.sources);
  const shared = {
    http: context.http,
    day: context.day,
    npmRegistry: context.npmRegistry,
    trustedRoot: context.trustedRoot,
    budgets: context.budgets,
    runEnd: context.runEnd,
    packages,
    report: (message: string) => void findings.push({ level: 'warning', subject: component, message }),
  };
  const freshnessOf = (id: string) => input.freshness.sources[id];
  const ids = sourceIds(definition.sources);
  const outcomes = definition.sources.map((source, index) => {
    const acceptsPrereleases = definition.prereleases === true;
    const { recorded } = input;
    const id = ids[index]!;
    const own = { id, acceptsPrereleases, recorded, freshness: freshnessOf(id) };
    return askSource({ source, adapter: adapterOf(source) }, { ...shared, ...own });
  });
  if (support?.policy === 'stated') {
    const id = supportSourceId(support)!;
    const asked = { source: support.source, adapter: supportAdapterOf(support.source) };
    const recorded = linesAsReleases(input, id);
    const own = { id, acceptsPrereleases: true, recorded, freshness: freshnessOf(id) };
    outcomes.push(askSource(asked, { ...shared, ...own, lineGroups: support.line ?? 2 }));
  }
  return { outcomes: await Promise.all(outcomes), findings };
}

/** What a source of release lines has listed, in the form in which that of releases is recorded. */
function linesAsReleases({ lines = [] }: GatherInput, id: string): RecordedRelease[] {
  return lines
    .filter(({ source }) => source === id)
    .map(({ line, source, withdrawnSince }) => defined({ version: line, source, withdrawnSince }));
}

/** Leaves out the answers that failed or cannot be believed, and merges the rest into the recorded data. */
export function uniteAnswers(
  input: GatherInput,
  answers: Answers,
  { day, accept }: Pick<GatherContext, 'day' | 'accept'>,
): GatherResult {
  const { component } = input;
  const { missing = {}, unsteady } = input.freshness;
  const findings = [...answers.findings];
  const states: SourceState[] = [];
  const sound: SoundAnswer[] = [];
  const advisories = new Map(input.advisories?.map((advisory) => [advisory.id, advisory]));
  let { recorded, lines } = input;
  for (const outcome of answers.outcomes) {
    if (outcome.kind === 'aborted') continue;
    if (outcome.kind === 'failed') {
      states.push({ id: outcome.id, kind: 'failed', reason: outcome.reason });
      findings.push(failure(input, outcome));
      continue;
    }
    const { id, pending, definition, ofLines } = outcome;
    const before = input.freshness.sources[id];
    const {
      answer,
      held,
      isAccepted,
      findings: reported,
    } = acceptAnswer(outcome, {
      component,
      recorded: ofLines ? linesAsReleases(input, id) : input.recorded,
      ...(ofLines && { lines: input.lines?.filter(({ source }) => source === id) ?? [] }),
      missing: ofLines ? {} : missing,
      unsteady,
      before,
      day,
      accept,
    });
    findings.push(...reported);
    const taken = answer && { taken: { definition, pending, isAccepted } };
    if (held) {
      states.push({ id, kind: 'held', ...held, ...taken });
      findings.push(hold(component, id, held, accept, before?.heldSince));
    } else if (taken) states.push({ id, kind: 'answered', ...taken });
    if (!answer) continue;
    if (ofLines) {
      lines = mergeLines(lines ?? [], ofLines, { id, isAccepted, day });
      outcome.keep();
      continue;
    }
    if (isAccepted) recorded = dropSource(recorded, outcome);
    sound.push(answer);
    // An advisory stays until its source withdraws it: one that a list lacks may be on another page.
    for (const [name, stated] of outcome.advised ?? []) {
      const known = advisories.get(name)?.source;
      if (stated && (known === undefined || known === id)) advisories.set(name, { ...stated, source: id });
      else if (!stated && known === id) advisories.delete(name);
    }
    // Only a plausible answer may be served again by a later 304.
    outcome.keep();
  }

  const merged = mergeAnswers({
    component,
    recorded,
    missing,
    ...(unsteady && { unsteady }),
    sources: sourceIds(input.definition.sources),
    answers: sound,
    day,
  });
  return {
    component,
    releases: merged.releases,
    advisories:
      advisories.size > 0 ? [...advisories.values()].sort((a, b) => (a.id < b.id ? -1 : 1)) : undefined,
    lines: lines?.length ? [...lines] : undefined,
    freshness: updateFreshness(input.freshness, states, day, merged),
    changes: merged.changes,
    sources: states,
    findings: limitFindings([...findings, ...merged.findings]),
  };
}

/** The first findings of each kind and how many more there are. Errors call a person, so all of them are reported. */
function limitFindings(findings: readonly Finding[]): Finding[] {
  return [...Map.groupBy(findings, kindOf).values()].flatMap((ofKind) => {
    const first = ofKind[0]!;
    if (first.level === 'error') return ofKind;
    const more = ofKind.length - maxOfKind;
    const rest = more > 0 ? [{ ...first, message: `${more} more like this: ${first.message}` }] : [];
    return [...ofKind.slice(0, maxOfKind), ...rest].map((finding) => ({
      ...finding,
      message: toLine(finding.message, maxMessageLength),
    }));
  });
}

/** Two messages are of one kind if they differ only in quoted text and numbers. */
function kindOf({ level, subject, message }: Finding): string {
  return `${level} ${subject} ${message.replaceAll(/"(?:[^"\\]|\\.)*"|\d+/g, '')}`;
}

function failure(
  { component, recorded, lines = [], definition }: GatherInput,
  { id, reason, stack }: Extract<Outcome, { kind: 'failed' }>,
): Finding {
  return defined({
    level: stack === undefined ? ('warning' as const) : ('error' as const),
    subject: `${component} (${withoutAddress(id)})`,
    message: `${sentence(reason)} ${id === supportSourceId(definition.support) ? whatIsKept(lines.length, 'release line') : whatIsKept(recorded.length, 'release')}`,
    file: `components/${component}.json`,
    stack,
  });
}

function whatIsKept(count: number, noun: string): string {
  if (count === 0) return `No ${noun} of it is recorded yet.`;
  return count === 1 ? `Kept the recorded ${noun}.` : `Kept all ${counted(count, `recorded ${noun}`)}.`;
}

function hold(
  component: string,
  id: string,
  { reason }: Held,
  accept: boolean,
  heldSince: Day | undefined,
): Finding {
  const wasHeld =
    heldSince === undefined
      ? 'Nothing of it was held before'
      : `It differs from what has been held since ${heldSince}`;
  const anew = accept ? ` ${wasHeld}, so it is not accepted yet.` : '';
  return {
    level: 'error',
    subject: `${component} (${id})`,
    message: `${reason}${anew} If upstream is right, run: gather ${component} --accept`,
    file: `data/${component}.json`,
  };
}
