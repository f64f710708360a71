import { parseVersion } from '../../core/model/version.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { quote } from '../../core/text/foreign-text.ts';
import type { JudgedVersion } from './judge-version.ts';
import type { PublishedIndex } from './published-index.ts';
import { resolveExact, type Resolved, type NameSource } from './resolve.ts';
import { judgePublished, newestVersion, pairAnswer } from './version-answer.ts';

/** The answer about a version, with the data from which a page draws the picture and the upgrade path. */
export interface AnsweredVersion {
  readonly kind: 'version';
  readonly answer: VersionAnswer;
  readonly judged: JudgedVersion;
  /** Sentences of the answer on what the index does not know. */
  readonly notKnown: readonly string[];
  readonly details: Resolved['details'];
}

/** Answers a program, which names a component exactly. Throws an error that `explainError` explains. */
export async function askExactly(
  index: PublishedIndex,
  text: string,
  version?: string,
  others: readonly string[] = [],
): Promise<AnsweredVersion> {
  const resolved = await resolveExact(index, text);
  const pairs = await namedVersions(index, others);
  const asked = version === undefined ? resolved : { ...resolved, version };
  return answerWithPairs(index, asked, pairs);
}

/** Judges the version; `latest` and no version mean the latest. Throws an error that `explainError` explains. */
export async function answerResolved(
  index: Pick<PublishedIndex, 'staleness' | 'details' | 'silence'>,
  { details, version, to, note }: Resolved,
): Promise<AnsweredVersion> {
  const asked =
    version === undefined || /^latest$/i.test(version) ? newestVersion(details) : version;
  if (asked === undefined) {
    throw new QuestionError('unknown', `No release of ${details.title} is known yet.`);
  }

  if (!parseVersion(asked.replace(/(?:\.[x*])+$/i, ''))) {
    const problem = /^sha(?:256|512):/i.test(asked)
      ? `the release of the digest ${asked} is not known; name its version`
      : `expected a version such as 2025.3; got ${quote(asked)}`;
    throw new QuestionError('no-version', `version: ${problem}`);
  }

  const question = { version: asked, wanted: to, notes: [note] };
  return { kind: 'version', ...(await judgePublished(index, details, question)), details };
}

/** The answer about a version, and whether it works with versions of other components. */
export async function answerWithPairs(
  index: Pick<PublishedIndex, 'staleness' | 'details' | 'silence'>,
  resolved: Resolved,
  others: readonly { readonly component: string; readonly version: string }[],
): Promise<AnsweredVersion> {
  const answered = await answerResolved(index, resolved);
  const { answer, details } = answered;
  if (others.length === 0) {
    return answered;
  }

  const pairs = others.map((other) => pairAnswer(details, answer.version, other));
  return { ...answered, answer: { ...answer, with: pairs } };
}

/** A list as in addresses: `svc@2025.1,edge-node@2.1`. */
export function versionList(versions: readonly { component: string; version: string }[]): string {
  return versions.map(({ component, version }) => `${component}@${version}`).join(',');
}

/** Reads texts such as svc@2025.1. Throws a `QuestionError`. */
export function namedVersions(
  source: NameSource,
  texts: readonly string[],
): Promise<{ component: string; version: string }[]> {
  return Promise.all(
    texts.map(async (text) => {
      const { details, version } = await resolveExact(source, text);
      const { component } = details;
      if (version !== undefined && parseVersion(version)) {
        return { component, version };
      }

      const example = `${component}@${newestVersion(details) ?? '1.0'}`;
      throw new QuestionError(
        'unknown',
        `${quote(text)}: expected a component with a version, such as ${example}.`,
      );
    }),
  );
}
