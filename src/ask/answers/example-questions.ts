import type { AnswerIndex } from './answer-index.ts';

/** An example question about ends. */
export const endsExample = 'ends within 90 days';
/** An example question about releases. */
export const releasesExample = 'released this year';

/** Example questions that this index answers. */
export async function listExamples(index: Pick<AnswerIndex, 'status'>): Promise<string[]> {
  const { components } = await index.status();
  const example = Object.values(components).find(({ latest }) => latest !== undefined);
  const versions = example ? [`${example.title} ${example.latest}`] : [];
  return [...versions, endsExample, releasesExample];
}
