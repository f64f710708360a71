import type { Day } from '../../core/dates.ts';
import { HttpError } from '../../io/http/error.ts';
import type { Http } from '../../io/http/client.ts';
import type { RecordedRelease } from '../../core/schemas/recorded.ts';
import type { SourceFreshness } from '../../core/schemas/freshness.ts';
import type { Source } from '../../core/schemas/source.ts';
import { stateReleases, type StatedRelease } from './stated-release.ts';
import { claimsOf } from '../../core/schemas/recorded.ts';
import { capabilities, gatherSource } from '../sources/index.ts';
import { EmptyAnswerError, SourceError, type SourceContext } from '../sources/source.ts';
import { sha256 } from '../../io/files/sha256.ts';
import { counted, quote } from '../../core/text.ts';
import { parseVersion, rankKey } from '../../core/version.ts';
import { endAt, startSource, type Budgets, type Deadline } from './budgets.ts';
import { selectVersions } from './selection.ts';

/** What a source answered today. */
export interface Answered {
  kind: 'answered';
  id: string;
  /** Fingerprint of the definition it was asked for. */
  definition: string;
  releases: StatedRelease[];
  listed: ReadonlySet<string>;
  onlyAdds: boolean;
  statesDeprecation: boolean;
  /** The source's message where it lists nothing. */
  emptiness?: string;
  /** Versions whose day could not be asked for. */
  pending: string[];
  /** Keeps the documents of the answer, to be asked for conditionally in later runs. */
  keep(): void;
}

/** What a source answered today, or why it did not. */
export type Outcome =
  | Answered
  /** `stack` where nobody foresaw it, so that it is a bug. */
  | { kind: 'failed'; id: string; reason: string; stack?: string }
  /** The run was told to stop. */
  | { kind: 'aborted'; id: string };

export interface AskContext {
  /** The name of the source in recorded data. */
  id: string;
  http: Http;
  day: Day;
  npmRegistry: SourceContext['npmRegistry'];
  takePrereleases: boolean;
  budgets: Budgets;
  /** When the run as a whole stops asking. */
  runEnd: Deadline;
  recorded: readonly RecordedRelease[];
  freshness: SourceFreshness | undefined;
  refuse(message: string): void;
}

/** Asks one source. Whatever goes wrong becomes its outcome, a bug of ours too, and so touches no other source. */
export async function askSource(source: Source, context: AskContext): Promise<Outcome> {
  const { id } = context;
  const refuse = (message: string) => context.refuse(`${id}: ${message}`);
  const selection = selectVersions(source, context.takePrereleases, refuse);
  const pending = new Map<string, string>();
  const wantsTimestamp = unseenBy(context);
  using session = endAt(context.http.openSession(), startSource(context.runEnd, context.budgets));
  const answered = (releases: StatedRelease[], keep: () => void) => ({
    kind: 'answered' as const,
    id,
    definition: sha256(JSON.stringify([source, context.takePrereleases])),
    releases,
    listed: selection.listed,
    ...capabilities(source),
    pending: [...pending.keys()],
    keep,
  });
  try {
    const releases = await gatherSource(source, {
      http: session,
      day: context.day,
      npmRegistry: context.npmRegistry,
      offer: selection.offer,
      wantsTimestamp,
      postpone: (version, error) => pending.set(version, messageOf(error)),
      skip: refuse,
    });
    if (pending.size > 0) {
      const [version, reason] = pending.entries().next().value!;
      const what = pending.size === 1 ? version : counted(pending.size, 'version');
      refuse(`the day of ${what} could not be asked for (${reason}). The next run asks again.`);
    }
    const nothing = selection.whyNothingTaken();
    if (nothing !== undefined) context.refuse(`${id} ${nothing}`);
    return answered(stateReleases(releases, context.day, refuse), session.keep);
  } catch (error) {
    if (error instanceof HttpError && error.kind === 'aborted') return { kind: 'aborted', id };
    if (error instanceof EmptyAnswerError && isListedBefore(id, context.recorded))
      return { ...answered([], () => {}), emptiness: error.message };
    if (error instanceof SourceError || error instanceof HttpError)
      return { kind: 'failed', id, reason: error.message };
    return { kind: 'failed', id, ...unforeseen(error) };
  }
}

/** A version's day is asked for until the source has listed it in a sound answer, and again where a look-up failed. */
function unseenBy({ id, recorded, freshness }: AskContext): (version: string) => boolean {
  const known = new Map<string, RecordedRelease>();
  for (const entry of recorded) {
    const version = parseVersion(entry.version);
    if (version) known.set(rankKey(version), entry);
  }
  const again = new Set(freshness?.pending);
  return (text) => {
    const version = parseVersion(text);
    const entry = version && known.get(rankKey(version));
    if (!entry || again.has(text)) return true;
    if (entry.releaseTimestamp !== undefined && entry.timestampKind !== 'observed') return false;
    return !claimsOf(entry).includes(id);
  };
}

function isListedBefore(id: string, recorded: readonly RecordedRelease[]): boolean {
  return recorded.some((entry) => entry.withdrawnSince === undefined && claimsOf(entry).includes(id));
}

/** How something that nobody foresaw is told. */
export function unforeseen(error: unknown): { reason: string; stack: string } {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return { reason: `${quote(messageOf(error))} was not foreseen, which is a bug of this program`, stack };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
