import { dayOf, type Day } from '../dates.ts';
import type { Finding } from '../model/finding.ts';
import type { Correction, RecordedRelease } from '../model/recorded.ts';
import { defined, toLine } from '../text.ts';
import { isPrereleaseForm } from '../prerelease.ts';
import { parseVersion, rankKey } from '../version.ts';
import type { StatedRelease } from './stated-release.ts';
import { addClaim } from './claims.ts';
import { claimsOf } from '../model/recorded.ts';
import { inRecordedForm } from './recorded-form.ts';

/** What one source answered. A source that failed or is held has no answer and does not appear. */
export interface SoundAnswer {
  id: string;
  releases: readonly StatedRelease[];
  /** Ranks of all versions it lists, whether or not the definition takes them. */
  listed: ReadonlySet<string>;
  onlyAdds: boolean;
  /** Whether its silence about a deprecation means that there is none. */
  statesDeprecation: boolean;
}

export interface MergeInput {
  component: string;
  recorded: readonly RecordedRelease[];
  /** Ids of all sources in the order of the definition: where they disagree, the first wins. */
  sources: readonly string[];
  /** In the same order. */
  answers: readonly SoundAnswer[];
  day: Day;
}

/** What a run changed in the recorded data of a component. */
export interface RecordedChange {
  kind: 'new' | 'deprecated' | 'withdrawn' | 'returned' | 'corrected';
  version: string;
  /** What changed, for a person; empty where the kind says it all. */
  detail: string;
}

export interface Merged {
  /** Oldest first. Every recorded release is among them. */
  releases: RecordedRelease[];
  changes: RecordedChange[];
  findings: Finding[];
}

/**
 * Merges the answers of the sources into the recorded data. Data only grows: nothing recorded is removed, a published
 * timestamp stays, and every other change of a value is recorded as a correction. The same answers a second time change
 * nothing.
 */
export function mergeAnswers(input: MergeInput): Merged {
  const merge = new Merge(input);
  for (const answer of input.answers) {
    for (const release of answer.releases) merge.take(release, answer);
  }
  return merge.finish();
}

/** What a source says of a recorded release. */
interface Statement {
  stated: StatedRelease;
  answer: SoundAnswer;
}

class Merge {
  readonly #input: MergeInput;
  readonly #entries: RecordedRelease[];
  readonly #byRank = new Map<string, RecordedRelease>();
  /** In the order of the definition. */
  readonly #statements = new Map<RecordedRelease, Statement[]>();
  readonly #fresh = new Set<RecordedRelease>();
  readonly #sound: ReadonlyMap<string, SoundAnswer>;
  readonly #order: ReadonlyMap<string, number>;
  readonly #changes: RecordedChange[] = [];
  readonly #findings: Finding[] = [];

  constructor(input: MergeInput) {
    this.#input = input;
    this.#sound = new Map(input.answers.map((answer) => [answer.id, answer]));
    this.#order = new Map(input.sources.map((id, index) => [id, index]));
    this.#entries = input.recorded.map((entry) => ({ ...entry }));
    for (const entry of this.#entries) {
      const rank = rankOf(entry);
      if (rank !== undefined && !this.#byRank.has(rank)) this.#byRank.set(rank, entry);
    }
  }

  take(stated: StatedRelease, answer: SoundAnswer): void {
    const rank = rankKey(stated.version);
    let entry = this.#byRank.get(rank);
    if (!entry) {
      entry = this.#add(stated, answer.id);
      this.#byRank.set(rank, entry);
    } else if (entry.version !== stated.version.text) {
      this.#notice(
        `${answer.id} spells ${entry.version} as "${stated.version.text}". The first recorded spelling stays.`,
      );
    }
    const statements = this.#statements.get(entry);
    if (statements) statements.push({ stated, answer });
    else this.#statements.set(entry, [{ stated, answer }]);
  }

  finish(): Merged {
    for (const entry of this.#entries) {
      const listing = this.#listing(entry);
      if (listing) this.#return(entry, listing.id);
      const statements = this.#statements.get(entry) ?? [];
      for (const { stated, answer } of statements) {
        addClaim(entry, answer.id);
        this.#takeTimestamp(entry, stated, answer.id);
      }
      this.#takeLink(entry, statements);
      this.#takeFlag(entry, statements);
      this.#takeDeprecation(entry, statements);
      if (!listing) this.#withdraw(entry);
    }
    return {
      releases: inRecordedForm(this.#entries),
      changes: this.#changes,
      findings: this.#findings,
    };
  }

  #add(stated: StatedRelease, id: string): RecordedRelease {
    const { day } = this.#input;
    const entry: RecordedRelease = {
      version: stated.version.text,
      releaseTimestamp: stated.publishedAt ?? day,
      timestampKind: stated.publishedAt === undefined ? 'observed' : 'published',
      source: id,
      firstSeen: day,
    };
    this.#entries.push(entry);
    this.#fresh.add(entry);
    this.#changes.push({ kind: 'new', version: entry.version, detail: '' });
    return entry;
  }

  #return(entry: RecordedRelease, id: string): void {
    if (entry.withdrawnSince === undefined) return;
    const reason = `${id} lists it again`;
    this.#change('returned', entry, reason);
    this.#correct(entry, 'withdrawnSince', undefined, reason);
  }

  #takeTimestamp(entry: RecordedRelease, stated: StatedRelease, id: string): void {
    const known = entry.releaseTimestamp;
    if (known === undefined) {
      if (stated.publishedAt !== undefined) {
        this.#redate(entry, stated.publishedAt, 'published', `${id} states the day`);
      } else {
        this.#redate(entry, entry.firstSeen ?? this.#input.day, 'observed', `${id} lists it, without a day`);
      }
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
    this.#change('corrected', entry, `${entry.releaseTimestamp ?? 'no day'} → ${to} (${kind}): ${reason}`);
    this.#correct(entry, 'releaseTimestamp', to, reason);
    entry.timestampKind = kind;
  }

  #takeLink(entry: RecordedRelease, statements: readonly Statement[]): void {
    const word = statements.find(({ stated }) => stated.changelogUrl !== undefined);
    const link = word?.stated.changelogUrl;
    if (!word || link === entry.changelogUrl) return;
    if (entry.changelogUrl !== undefined && !this.#mayOverrule(entry, word)) return;
    this.#change('corrected', entry, `changelog ${entry.changelogUrl ?? 'none'} → ${link}`);
    this.#correct(entry, 'changelogUrl', link, `${word.answer.id} names this address`);
  }

  #takeFlag(entry: RecordedRelease, statements: readonly Statement[]): void {
    const word = statements.find(({ stated }) => stated.isPrerelease !== undefined);
    if (!word) return;
    const said = word.stated.isPrerelease!;
    const flag = said === isPrereleaseForm(entry.version) ? undefined : said;
    if (flag === entry.isPrerelease) return;
    if (entry.isPrerelease !== undefined && !this.#mayOverrule(entry, word)) return;
    this.#change('corrected', entry, said ? 'a prerelease' : 'not a prerelease');
    const [from, to] = [entry.isPrerelease, flag].map((value) => value?.toString());
    this.#record(entry, { field: 'isPrerelease', from, to, reason: `${word.answer.id} says so` });
    if (flag === undefined) delete entry.isPrerelease;
    else entry.isPrerelease = flag;
  }

  /** A release stays deprecated until every source that lists it answers without saying so. */
  #takeDeprecation(entry: RecordedRelease, statements: readonly Statement[]): void {
    const word = statements.find(({ stated }) => stated.deprecated !== undefined);
    const said = word?.stated.deprecated;
    if (word && said !== entry.deprecated) {
      if (entry.deprecated !== undefined && !this.#mayOverrule(entry, word)) return;
      this.#change(entry.deprecated === undefined ? 'deprecated' : 'corrected', entry, said!);
      this.#correct(entry, 'deprecated', said, `${word.answer.id} says so`);
    }
    if (word || entry.deprecated === undefined) return;
    const silent = statements.find(({ answer }) => answer.statesDeprecation);
    const isUnanimous = claimsOf(entry).every((id) => this.#sound.has(id) || !this.#order.has(id));
    if (!silent || !isUnanimous) return;
    this.#change('corrected', entry, 'no longer deprecated upstream');
    this.#correct(entry, 'deprecated', undefined, `${silent.answer.id} no longer says so`);
  }

  #withdraw(entry: RecordedRelease): void {
    const claims = claimsOf(entry);
    if (entry.withdrawnSince !== undefined || claims.length === 0) return;
    const answers = claims.map((id) => this.#sound.get(id));
    if (answers.some((answer) => !answer) || answers.every((answer) => answer!.onlyAdds)) return;
    entry.withdrawnSince = this.#input.day;
    this.#change('withdrawn', entry, `${claims.join(', ')} no longer lists it`);
  }

  /** No, while another source that lists the release, and that the definition names earlier, has not answered. */
  #mayOverrule(entry: RecordedRelease, { answer }: Statement): boolean {
    const place = this.#order.get(answer.id)!;
    return claimsOf(entry).every(
      (id) => this.#sound.has(id) || (this.#order.get(id) ?? Number.POSITIVE_INFINITY) > place,
    );
  }

  #listing(entry: RecordedRelease): SoundAnswer | undefined {
    const rank = rankOf(entry);
    if (rank === undefined) return undefined;
    return this.#input.answers.find((answer) => answer.listed.has(rank));
  }

  #correct(
    entry: RecordedRelease,
    field: 'releaseTimestamp' | 'changelogUrl' | 'deprecated' | 'withdrawnSince',
    to: string | undefined,
    reason: string,
  ): void {
    this.#record(entry, { field, from: entry[field], to, reason });
    if (to === undefined) delete entry[field];
    else entry[field] = to;
  }

  /** A release that is new in this run has nothing to correct. */
  #record(entry: RecordedRelease, correction: CorrectionOf<string | undefined>): void {
    if (this.#fresh.has(entry)) return;
    const { field, from, to, reason } = correction;
    entry.corrections = [
      ...(entry.corrections ?? []),
      defined({ on: this.#input.day, field, from, to, reason: toLine(reason) }),
    ];
  }

  /** A release that is new in this run is reported as new, and nothing else of it. */
  #change(kind: Exclude<RecordedChange['kind'], 'new'>, entry: RecordedRelease, detail: string): void {
    if (!this.#fresh.has(entry)) this.#changes.push({ kind, version: entry.version, detail });
  }

  #notice(message: string): void {
    this.#findings.push({ level: 'notice', subject: this.#input.component, message });
  }
}

interface CorrectionOf<Value> {
  field: Correction['field'];
  from: Value;
  to: Value;
  reason: string;
}

function rankOf(entry: RecordedRelease): string | undefined {
  const version = parseVersion(entry.version);
  return version && rankKey(version);
}
