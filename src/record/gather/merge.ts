import type { Day } from '../../core/model/dates.ts';
import { isPrereleaseForm } from '../../core/model/version.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { listSourcesListing, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { formatList } from '../../core/text/wording.ts';
import type { StatedRelease } from '../sources/datasource.ts';
import { noteConflicts } from './conflicts.ts';
import {
  isLater,
  mergeDigests,
  MergeReport,
  mergeTimestamp,
  type RecordedChange,
  type SourceStatement,
} from './merge-values.ts';
import { addListingSource, indexByRank, toRecordedForm, computeRank } from './recorded-release.ts';
import type { SoundAnswer } from './sound-answer.ts';

interface MergeInput {
  component: string;
  recorded: readonly RecordedRelease[];
  /** Versions that were missing before, with their first missing day. */
  missing: Readonly<Record<string, Day>>;
  /** Ids of all sources in the order of the definition. If they disagree, the first takes precedence. */
  sources: readonly string[];
  /** In the same order. */
  answers: readonly SoundAnswer[];
  /** Its releases are neither withdrawn nor listed again: all are deprecated, and no reader needs news of them. */
  isRetired?: boolean;
  day: Day;
}

export interface Merged {
  /** Oldest first. Every recorded release is among them. */
  releases: RecordedRelease[];
  /** Missing versions, with their first missing day. */
  missing: Record<string, Day>;
  changes: RecordedChange[];
  findings: Finding[];
  /** The versions that an accepted short list withdrew, by source. */
  dropped: ReadonlyMap<string, readonly string[]>;
}

/**
 * Merges the answers of the sources into the recorded data. Data only grows: no release is removed, a published timestamp stays,
 * and the journal keeps earlier values. Merging the same answers again changes nothing, except that a version still missing on a
 * later day is withdrawn.
 */
export function mergeAnswers(input: MergeInput): Merged {
  const merge = new Merge(input);
  for (const answer of input.answers) {
    for (const release of answer.releases) {
      merge.addStatement(release, answer);
    }
  }
  return merge.finish();
}

class Merge {
  readonly #input: MergeInput;
  readonly #report: MergeReport;
  readonly #entries: RecordedRelease[];
  readonly #byRank: ReturnType<typeof indexByRank>;
  /** In the order of the definition. */
  readonly #statements = new Map<RecordedRelease, SourceStatement[]>();
  /** The answers whose absences count. */
  readonly #sound: ReadonlyMap<string, SoundAnswer>;
  readonly #dropped = new Map<string, string[]>();
  readonly #order: ReadonlyMap<string, number>;
  readonly #missing: Record<string, Day> = {};

  constructor(input: MergeInput) {
    this.#input = input;
    this.#report = new MergeReport(input.component, input.day);
    this.#sound = new Map(
      input.answers
        .filter(({ absence }) => absence !== 'ignored')
        .map((answer) => [answer.id, answer]),
    );
    this.#order = new Map(input.sources.map((id, index) => [id, index]));
    this.#entries = input.recorded.map((entry) => ({ ...entry }));
    this.#byRank = indexByRank(this.#entries);
  }

  addStatement(statedRelease: StatedRelease, answer: SoundAnswer): void {
    const rank = computeRank(statedRelease);
    let entry = this.#byRank.get(rank);

    if (!entry) {
      entry = this.#add(statedRelease, answer.id);
      this.#byRank.set(rank, entry);
    } else if (entry.version !== statedRelease.version) {
      this.#report.reportFinding(
        'notice',
        `${answer.id} spells ${entry.version} as "${statedRelease.version}". The first recorded spelling stays.`,
        `${answer.id} spelling`,
      );
    }

    this.#statements.set(entry, [
      ...(this.#statements.get(entry) ?? []),
      { release: statedRelease, answer },
    ]);
  }

  finish(): Merged {
    const { changes, findings } = this.#report;

    for (const entry of this.#entries) {
      const listing = this.#findListing(entry);
      const isRetired = this.#input.isRetired === true;
      if (listing && !isRetired) {
        this.#listAgain(entry, listing.id);
      }

      const statements = this.#statements.get(entry) ?? [];
      for (const statement of statements) {
        addListingSource(entry, statement.answer.id);
        mergeTimestamp(entry, statement, this.#report);
        mergeDigests(entry, statement, this.#report);
      }
      // As first stated: notes change after the day.
      entry.notes ??= statements.find(({ release }) => release.notes)?.release.notes;
      this.#mergeLink(entry, statements);
      this.#mergeFlag(entry, statements);
      this.#mergeDeprecation(entry, statements);
      noteConflicts(entry, statements, { sources: this.#input.sources, sound: this.#sound });
      this.#dropSources(entry);
      if (!listing && !isRetired) {
        this.#withdrawMissing(entry);
      }
    }

    const missing = Object.entries(this.#missing).sort(([a], [b]) => (a < b ? -1 : 1));
    const withdrawn = new Set(
      this.#entries.filter(({ withdrawnSince }) => withdrawnSince).map(({ version }) => version),
    );
    const versions = missing
      .map(([version]) => version)
      .filter((version) => !withdrawn.has(version));

    if (versions.length > 0) {
      const text = `no source lists ${formatList(versions, 20)} any more.`;
      this.#report.reportFinding(
        'notice',
        `${text} A version that is still missing on a later day is withdrawn.`,
      );
    }

    return {
      releases: toRecordedForm(this.#entries),
      missing: Object.fromEntries(missing),
      changes,
      findings,
      dropped: this.#dropped,
    };
  }

  #add(release: StatedRelease, id: string): RecordedRelease {
    const { day } = this.#input;
    const { version, releaseTimestamp, notListedOn } = release;
    const entry: RecordedRelease = {
      version,
      releaseTimestamp: releaseTimestamp ?? day,
      timestampKind: releaseTimestamp === undefined ? 'observed' : 'published',
      source: id,
      firstSeen: day,
      notListedOn: isLater(notListedOn, releaseTimestamp) ? notListedOn : undefined,
    };
    this.#entries.push(entry);
    this.#report.add(entry);
    return entry;
  }

  #listAgain(entry: RecordedRelease, id: string): void {
    if (entry.withdrawnSince === undefined) {
      return;
    }

    this.#report.change('returned', entry, `${id} lists it again`);
    delete entry.withdrawnSince;
  }

  #mergeLink(entry: RecordedRelease, statements: readonly SourceStatement[]): void {
    const statement = statements.find(({ release }) => release.changelogUrl !== undefined);
    const link = statement?.release.changelogUrl;
    const detail = `changelog ${entry.changelogUrl ?? 'none'} → ${link}`;
    this.#replace(entry, 'changelogUrl', link, statement, detail);
  }

  #mergeFlag(entry: RecordedRelease, statements: readonly SourceStatement[]): void {
    const statement = statements.find(({ release }) => release.isPrerelease !== undefined);
    const value = statement?.release.isPrerelease;
    const flag = value === isPrereleaseForm(entry.version) ? undefined : value;
    const detail = value ? 'a prerelease' : 'not a prerelease';
    this.#replace(entry, 'isPrerelease', flag, statement, detail);
  }

  /** The first source that can state a deprecation decides, even if it states none. */
  #mergeDeprecation(entry: RecordedRelease, statements: readonly SourceStatement[]): void {
    const statement = statements.find(
      ({ release, answer }) => release.deprecated !== undefined || answer.statesDeprecation,
    );
    const value = statement?.release.deprecated;
    const isNew = entry.deprecated === undefined;
    const detail = value ?? 'no longer deprecated upstream';
    const kind = isNew ? 'deprecated' : 'corrected';
    if (!this.#replace(entry, 'deprecated', value, statement, detail, kind)) {
      return;
    }

    if (value === undefined) {
      delete entry.deprecatedSince;
    } else if (isNew && !this.#report.isFresh(entry)) {
      entry.deprecatedSince = this.#input.day;
    }
  }

  /** A release that an accepted short list lacks is withdrawn at once, unless another source still lists it. */
  #dropSources(entry: RecordedRelease): void {
    const sources = listSourcesListing(entry);
    const rank = computeRank(entry) ?? '';
    const withdrawing = sources.filter((id) => {
      const { absence, ranks } = this.#sound.get(id) ?? {};
      return absence === 'accepted' && ranks?.has(rank) === false;
    });
    if (withdrawing.length === 0 || entry.withdrawnSince !== undefined) {
      return;
    }

    const others = sources.filter((id) => !withdrawing.includes(id));
    const isStillListed = others.some(
      (id) => this.#order.has(id) && this.#sound.get(id)?.ranks.has(rank) !== false,
    );
    if (isStillListed) {
      const [first, ...more] = others;
      entry.source = first;
      entry.alsoListedBy = more.length > 0 ? more : undefined;
      return;
    }

    entry.withdrawnSince = this.#input.day;
    this.#report.change(
      'withdrawn',
      entry,
      `${withdrawing.join(', ')} no longer lists it, as accepted`,
    );

    for (const id of withdrawing) {
      this.#dropped.set(id, [...(this.#dropped.get(id) ?? []), entry.version]);
    }
  }

  /**
   * Withdraws a version on the second day without it in any of its sources: a list may be incomplete for a day, and most
   * versions that vanish come back.
   */
  #withdrawMissing(entry: RecordedRelease): void {
    const sources = listSourcesListing(entry);
    const { day, missing } = this.#input;
    const since = missing[entry.version];

    // A second run on the same day has the same result.
    if (entry.withdrawnSince === day && since !== undefined) {
      this.#missing[entry.version] = since;
    }
    if (entry.withdrawnSince !== undefined || sources.length === 0) {
      return;
    }

    const answers = sources.map((id) => this.#sound.get(id)).filter((value) => value !== undefined);
    if (answers.length < sources.length) {
      if (since !== undefined) {
        this.#missing[entry.version] = since;
      }

      return;
    }

    if (answers.every((answer) => answer.onlyAdds)) {
      return;
    }

    // Kept even if withdrawn now: if the gate holds the withdrawal, the next run needs the first missing day.
    this.#missing[entry.version] = since ?? day;

    if ((since ?? day) === day) {
      return;
    }

    entry.withdrawnSince = day;
    this.#report.change('withdrawn', entry, `${sources.join(', ')} no longer lists it`);
  }

  /** Records and reports a stated value unless an earlier source that lists the release has not answered. Returns whether it did. */
  #replace<Field extends 'changelogUrl' | 'isPrerelease' | 'deprecated'>(
    entry: RecordedRelease,
    field: Field,
    value: RecordedRelease[Field] | undefined,
    statement: SourceStatement | undefined,
    detail: string,
    kind: 'corrected' | 'deprecated' = 'corrected',
  ): boolean {
    if (!statement || value === entry[field]) {
      return false;
    }

    const findOrder = (id: string) => this.#order.get(id) ?? Infinity;
    const order = findOrder(statement.answer.id);
    const stating = new Set(this.#statements.get(entry)?.map(({ answer }) => answer.id));
    const isFirst = listSourcesListing(entry).every(
      (id) => this.#sound.has(id) || stating.has(id) || findOrder(id) > order,
    );
    if (entry[field] !== undefined && !isFirst) {
      return false;
    }

    this.#report.change(kind, entry, detail);
    if (value === undefined) {
      delete entry[field];
    } else {
      entry[field] = value;
    }

    return true;
  }

  #findListing(entry: RecordedRelease): SoundAnswer | undefined {
    const rank = computeRank(entry) ?? '';
    return this.#input.answers.find(({ ranks }) => ranks.has(rank));
  }
}
