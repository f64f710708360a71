import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type { AnswerIndex } from './answer-index.ts';
import type { Candidates, Split } from './match-names.ts';
import { maxChoices, type Resolved } from './resolve.ts';
import { answerResolved } from './version-answer.ts';

/** Components that a text may mean, for a person to choose from. */
export interface Choices {
  readonly kind: 'choices';
  readonly choices: readonly Choice[];
}

export interface Choice {
  readonly component: string;
  readonly title: string;
  /** The question that names this component by its id: several may have one title. */
  readonly question: string;
  readonly answer?: VersionAnswer;
}

/** `svc 2025.1 to 2026.3`: the question about a component, with the versions that a text names. */
export function writeQuestion({ name, version, to }: Split): string {
  const target = to === undefined ? '' : ` to ${to}`;
  return version === undefined ? name : `${name} ${version}${target}`;
}

/** Offers components without their answers: each would need a document. */
export async function offerChoices(index: AnswerIndex, candidates: Candidates): Promise<Choices> {
  const { components } = await index.status();

  // Each candidate is a component of the index. One without a latest release comes last.
  const hasNoLatest = ({ name }: Split) => components[name]!.latest === undefined;
  const sorted = candidates.toSorted((a, b) => Number(hasNoLatest(a)) - Number(hasNoLatest(b)));
  const choices = sorted.slice(0, maxChoices).map((candidate): Choice => {
    const { name } = candidate;
    const { title } = components[name]!;
    return { component: name, title, question: writeQuestion(candidate) };
  });
  return { kind: 'choices', choices };
}

/** Offers components with their answers. */
export async function offerAnswers(
  index: AnswerIndex,
  resolved: readonly Resolved[],
): Promise<Choices> {
  const pending = resolved.map(async (each): Promise<Choice> => {
    const { component, title } = each.details;
    const question = writeQuestion({ ...each, name: component });
    const { answer } = await answerResolved(index, each);
    return { component, title, question, answer };
  });
  return { kind: 'choices', choices: await Promise.all(pending) };
}
