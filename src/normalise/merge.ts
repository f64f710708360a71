import { dayOf, type Day } from '../dates.ts';
import type { Finding } from '../model/finding.ts';
import type { Correction, RecordedRelease } from '../model/recorded.ts';
import { compareVersions, parseVersion, rankKey } from '../version.ts';
import type { StatedRelease } from './answer.ts';
import { addClaim, claimsOf, dropClaim } from './claims.ts';

/** What one source answered. A source that failed or is held has no answer and does not appear. */
export interface SoundAnswer {
  id: string;
  releases: readonly StatedRelease[];
  /** Ranks of all versions it lists, whether or not the definition takes them. */
  listed: ReadonlySet<string>;
  onlyAdds: boolean;
}

export interface Change {
  kind: 'new' | 'deprecated' | 'withdrawn' | 'returned' | 'corrected';
  version: string;
  /** What changed, for a person; empty where the kind says it all. */
  detail: string;
}

export interface Merged {
  /** Oldest first. Every recorded release is among them. */
  releases: RecordedRelease[];
  changes: Change[];
  findings: Finding[];
}

/**
 * Unites what is recorded with what the sources answered. Data only grows: nothing recorded is removed, a published
 * timestamp stays, and every other value that changes leaves a correction behind. `answers` come in the order of the
 * definition, in which the first wins where they disagree.
 */
export function mergeAnswers(
  component: string,
  recorded: readonly RecordedRelease[],
  answers: readonly SoundAnswer[],
  day: Day,
): Merged {
  const merge = new Merge(component, recorded, day);
  for (const answer of answers) {
    for (const release of answer.releases) merge.take(release, answer.id);
  }
  merge.reviewDeprecations(answers);
  merge.reviewAbsences(answers);
  return merge.result();
}

type CorrectedField = Exclude<Correction['field'], 'timestampKind' | 'source'>;

class Merge {
  readonly #component: string;
  readonly #day: Day;
  readonly #entries: RecordedRelease[];
  readonly #byRank = new Map<string, RecordedRelease>();
  readonly #fresh = new Set<RecordedRelease>();
  readonly #changes: Change[] = [];
  readonly #findings: Finding[] = [];

  constructor(component: string, recorded: readonly RecordedRelease[], day: Day) {
    this.#component = component;
    this.#day = day;
    this.#entries = recorded.map((entry) => ({ ...entry }));
    for (const entry of this.#entries) {
      const version = parseVersion(entry.version);
      const rank = version && rankKey(version);
      if (rank !== undefined && !this.#byRank.has(rank)) this.#byRank.set(rank, entry);
    }
  }

  take(stated: StatedRelease, id: string): void {
    const rank = rankKey(stated.version);
    const entry = this.#byRank.get(rank);
    if (!entry) {
      const added = this.#add(stated, id);
      this.#byRank.set(rank, added);
      return;
    }
    if (entry.version !== stated.version.text) {
      this.#notice(
        `${id} spells ${entry.version} as "${stated.version.text}". The first recorded spelling stays.`,
      );
    }
    const mayOverrule = entry.source === id;
    this.#return(entry, id);
    this.#takeTimestamp(entry, stated, id);
    this.#takeLink(entry, stated, id, mayOverrule);
    this.#takeFlag(entry, stated, id, mayOverrule);
    addClaim(entry, id);
  }

  #add(stated: StatedRelease, id: string): RecordedRelease {
    const entry: RecordedRelease = {
      version: stated.version.text,
      releaseTimestamp: stated.publishedAt ?? this.#day,
      timestampKind: stated.publishedAt === undefined ? 'observed' : 'published',
      ...(stated.changelogUrl !== undefined && { changelogUrl: stated.changelogUrl }),
      source: id,
      firstSeen: this.#day,
      ...(stated.deprecated !== undefined && { deprecated: stated.deprecated }),
      ...(stated.isPrerelease !== undefined && { isPrerelease: stated.isPrerelease }),
    };
    this.#entries.push(entry);
    this.#fresh.add(entry);
    this.#changes.push({ kind: 'new', version: entry.version, detail: '' });
    return entry;
  }

  #return(entry: RecordedRelease, id: string): void {
    if (entry.withdrawnSince === undefined) return;
    this.#correct(entry, 'withdrawnSince', undefined, `${id} lists it again`);
    this.#changes.push({ kind: 'returned', version: entry.version, detail: `${id} lists it again` });
  }

  #takeTimestamp(entry: RecordedRelease, stated: StatedRelease, id: string): void {
    const known = entry.releaseTimestamp;
    if (known === undefined) {
      const kind = stated.publishedAt === undefined ? 'observed' : 'published';
      this.#redate(
        entry,
        stated.publishedAt ?? this.#day,
        kind,
        `${id} ${stated.publishedAt === undefined ? 'lists it, without a day' : 'states the day'}`,
      );
      return;
    }
    if (entry.timestampKind !== 'observed' || stated.publishedAt === undefined) return;
    // An observed day is an upper bound: the version existed by then. A later day of publication, or an uncertain one that
    // is not earlier, is the stamp of a copy.
    const publishedOn = dayOf(stated.publishedAt);
    const seenOn = dayOf(known);
    if (publishedOn < seenOn || (publishedOn === seenOn && !stated.publishedAtIsUncertain)) {
      this.#redate(entry, stated.publishedAt, 'published', `${id} states the day`);
    } else if (publishedOn > seenOn) {
      this.#notice(
        `${id} dates ${entry.version} ${stated.publishedAt}, but it was seen on ${seenOn}. The recorded day stays.`,
      );
    }
  }

  #redate(entry: RecordedRelease, to: string, kind: 'published' | 'observed', reason: string): void {
    if (!this.#fresh.has(entry)) {
      const from = entry.releaseTimestamp;
      this.#changes.push({
        kind: 'corrected',
        version: entry.version,
        detail: `${from ?? 'no day'} → ${to} (${kind}): ${reason}`,
      });
    }
    this.#correct(entry, 'releaseTimestamp', to, reason);
    entry.timestampKind = kind;
  }

  #takeLink(entry: RecordedRelease, stated: StatedRelease, id: string, mayOverrule: boolean): void {
    const to = stated.changelogUrl;
    if (to === undefined || to === entry.changelogUrl || (entry.changelogUrl !== undefined && !mayOverrule))
      return;
    if (!this.#fresh.has(entry)) {
      this.#changes.push({
        kind: 'corrected',
        version: entry.version,
        detail: `changelog ${entry.changelogUrl ?? 'none'} → ${to}`,
      });
    }
    this.#correct(entry, 'changelogUrl', to, `${id} names this address`);
  }

  #takeFlag(entry: RecordedRelease, stated: StatedRelease, id: string, mayOverrule: boolean): void {
    if (!mayOverrule || stated.isPrerelease === entry.isPrerelease) return;
    const word = stated.isPrerelease === undefined ? undefined : String(stated.isPrerelease);
    this.#changes.push({
      kind: 'corrected',
      version: entry.version,
      detail: `prerelease: ${word ?? 'by its form'}`,
    });
    this.#record(
      entry,
      'isPrerelease',
      entry.isPrerelease === undefined ? undefined : String(entry.isPrerelease),
      word,
      `${id} says so`,
    );
    if (stated.isPrerelease === undefined) delete entry.isPrerelease;
    else entry.isPrerelease = stated.isPrerelease;
  }

  /** Upstream's word is set by the first source that says it, and taken back when every source that listed the version answered without it. */
  reviewDeprecations(answers: readonly SoundAnswer[]): void {
    const word = new Map<RecordedRelease, { reason: string; id: string }>();
    for (const answer of answers) {
      for (const release of answer.releases) {
        const entry = this.#byRank.get(rankKey(release.version))!;
        if (release.deprecated !== undefined && !word.has(entry))
          word.set(entry, { reason: release.deprecated, id: answer.id });
      }
    }
    const sound = new Set(answers.map((answer) => answer.id));
    for (const entry of this.#entries) {
      const said = word.get(entry);
      if (said && said.reason === entry.deprecated) continue;
      if (said) {
        const kind = entry.deprecated === undefined ? 'deprecated' : 'corrected';
        if (!this.#fresh.has(entry) || kind === 'deprecated') {
          this.#changes.push({ kind, version: entry.version, detail: said.reason });
        }
        this.#correct(entry, 'deprecated', said.reason, `${said.id} says so`);
      } else if (
        entry.deprecated !== undefined &&
        this.#isListed(entry, answers) &&
        claimsOf(entry).every((id) => sound.has(id))
      ) {
        this.#changes.push({
          kind: 'corrected',
          version: entry.version,
          detail: 'no longer deprecated upstream',
        });
        this.#correct(entry, 'deprecated', undefined, `${entry.source} no longer says so`);
      }
    }
  }

  reviewAbsences(answers: readonly SoundAnswer[]): void {
    const sound = new Map(answers.map((answer) => [answer.id, answer]));
    for (const entry of this.#entries) {
      const claims = claimsOf(entry);
      if (entry.withdrawnSince !== undefined || claims.length === 0) continue;
      if (!claims.every((id) => sound.has(id)) || this.#isListed(entry, answers)) continue;
      if (claims.every((id) => sound.get(id)!.onlyAdds)) continue;
      entry.withdrawnSince = this.#day;
      this.#changes.push({
        kind: 'withdrawn',
        version: entry.version,
        detail: `${claims.join(', ')} no longer lists it`,
      });
    }
  }

  #isListed(entry: RecordedRelease, answers: readonly SoundAnswer[]): boolean {
    const version = parseVersion(entry.version);
    return version !== undefined && answers.some((answer) => answer.listed.has(rankKey(version)));
  }

  #correct(
    entry: RecordedRelease,
    field: CorrectedField & keyof RecordedRelease,
    to: string | undefined,
    reason: string,
  ): void {
    this.#record(entry, field, entry[field] as string | undefined, to, reason);
    if (to === undefined) delete entry[field];
    else (entry as Record<string, unknown>)[field] = to;
  }

  /** A release of this very run has no past to correct. */
  #record(
    entry: RecordedRelease,
    field: Correction['field'],
    from: string | undefined,
    to: string | undefined,
    reason: string,
  ): void {
    if (this.#fresh.has(entry)) return;
    entry.corrections = [
      ...(entry.corrections ?? []),
      { on: this.#day, field, ...(from !== undefined && { from }), ...(to !== undefined && { to }), reason },
    ];
  }

  #notice(message: string): void {
    this.#findings.push({ level: 'notice', subject: this.#component, message });
  }

  result(): Merged {
    const ranked = this.#entries.map((entry) => ({
      entry: inKeyOrder(entry),
      version: parseVersion(entry.version),
    }));
    ranked.sort((a, b) =>
      a.version && b.version
        ? compareVersions(a.version, b.version)
        : Number(!b.version) - Number(!a.version),
    );
    return { releases: ranked.map(({ entry }) => entry), changes: this.#changes, findings: this.#findings };
  }
}

/** One order of keys whatever happened to an entry, so that a diff shows only news. */
function inKeyOrder(entry: RecordedRelease): RecordedRelease {
  const { version, releaseTimestamp, timestampKind, changelogUrl, source, alsoListedBy, firstSeen, ...rest } =
    entry;
  const { deprecated, withdrawnSince, isPrerelease, corrections } = rest;
  const ordered = {
    version,
    releaseTimestamp,
    timestampKind,
    changelogUrl,
    source,
    alsoListedBy,
    firstSeen,
    deprecated,
    withdrawnSince,
    isPrerelease,
    corrections,
  };
  return Object.fromEntries(
    Object.entries(ordered).filter(([, value]) => value !== undefined),
  ) as RecordedRelease;
}

/** A held page was accepted: what it no longer lists is no longer expected of it. */
export function releaseClaims(
  recorded: readonly RecordedRelease[],
  id: string,
  listed: ReadonlySet<string>,
): RecordedRelease[] {
  return recorded.map((entry) => {
    const version = parseVersion(entry.version);
    if (!claimsOf(entry).includes(id) || (version && listed.has(rankKey(version)))) return entry;
    const released = { ...entry };
    dropClaim(released, id);
    return released;
  });
}
