import type { Day } from '../../core/dates.ts';
import type { Freshness } from '../../core/schemas/freshness.ts';
import type { Decision, Held } from '../../core/schemas/held.ts';
import { toLine } from '../../core/text.ts';

export interface HoldsInput {
  readonly day: Day;
  /** The changes that the last run held. */
  readonly held: readonly Held[];
  readonly decisions: readonly Decision[];
  /** The first digits of a digest. */
  digest(text: string): string;
}

interface Cause {
  readonly cause: string;
  readonly key?: string | undefined;
  readonly components: readonly string[];
}

/** A change to accept or hold. */
interface Change extends Cause {
  /** The new versions that wait. */
  readonly versions?: readonly string[];
  /** For an edit: the valid content instead of it. */
  readonly instead?: Held['instead'] | undefined;
}

/** Decides which changes wait for a person. */
export function openHolds({ day, held: known, decisions, digest }: HoldsInput) {
  const held: Held[] = [];
  const unanswered: Held[] = [];
  const taken: Pick<Decision, 'id' | 'components'>[] = [];

  /** Whether a decision accepts exactly this change, and no run has used the decision yet. */
  const isAccepted = (id: string): boolean =>
    decisions.findLast((one) => one.id === id)?.by !== undefined;

  return {
    /** The decisions that were used. */
    taken,

    isHeldEdit: (edit: string) => held.some((one) => editKey(one) === edit && one.instead),

    /** The day a person last accepted a change of the component. */
    acceptedOn(name: string): Day {
      const used = decisions.findLast(
        ({ by, components }) => by === undefined && components?.includes(name),
      );
      return used?.at.slice(0, 10) ?? '';
    },

    /** Returns whether to hold the change. A change that was held before stays held until it takes nothing. */
    decide(change: Change, items: readonly string[], exceeded: readonly string[]): boolean {
      const earlier = known.find(
        (one) => isSameCause(one, change) && one.items.some((item) => items.includes(item)),
      );
      const reason = exceeded.length > 0 ? exceeded.join('; ') : earlier?.reason;
      if (items.length === 0 || reason === undefined) {
        return false;
      }
      const sorted = [...new Set(items)].sort();
      const { cause, key, components, versions = [], instead } = change;
      const id = digest(
        JSON.stringify([cause, key, components.length > 1 ? [] : components, sorted]),
      );
      if (isAccepted(id)) {
        taken.push({ id, components: [...components] });
        return false;
      }
      held.push({
        id,
        since: earlier?.since ?? day,
        seen: day,
        cause,
        key,
        components: [...components],
        reason: toLine(reason),
        items: sorted,
        versions: versions.length > 0 ? [...versions] : undefined,
        instead,
      });
      return true;
    },

    /** If a source has not answered since, its current statement is unknown: the change stays held. */
    keepUnanswered(name: string, sources: readonly string[], freshness: Freshness): void {
      for (const one of known) {
        if (one.instead || !one.components.includes(name) || !sources.includes(one.cause)) {
          continue;
        }
        const { answeredOn = '' } = freshness.sources[one.cause] ?? {};
        if (answeredOn <= one.seen && !isAccepted(one.id)) {
          unanswered.push(one);
        }
      }
    },

    result(): Held[] {
      const unseen = unanswered.filter((one) => !held.some((other) => isSameCause(one, other)));
      return [...held, ...unseen].sort(byCause);
    },
  };
}

/** `components/svc.json`, `site/site.json support`. */
export function editKey({ cause, key }: Pick<Cause, 'cause' | 'key'>): string {
  return key === undefined ? cause : `${cause} ${key}`;
}

function isSameCause(a: Cause, b: Cause): boolean {
  if (editKey(a) !== editKey(b)) {
    return false;
  }
  return a.components.some((name) => b.components.includes(name));
}

function byCause(a: Held, b: Held): number {
  const keyOf = (one: Held) => `${one.components[0]} ${editKey(one)} ${one.id}`;
  return keyOf(a) < keyOf(b) ? -1 : 1;
}

/** By source, the held new versions of a component, with the day since which each is held. */
export function waitingVersions(
  held: readonly Held[],
  component: string,
): ReadonlyMap<string, ReadonlyMap<string, Day>> {
  const ofComponent = held.filter(({ components }) => components.includes(component));
  return new Map(
    Array.from(
      Map.groupBy(ofComponent, ({ cause }) => cause),
      ([cause, changes]) => [
        cause,
        new Map(
          changes.flatMap(({ versions = [], since }) =>
            versions.map((version) => [version, since] as const),
          ),
        ),
      ],
    ),
  );
}
