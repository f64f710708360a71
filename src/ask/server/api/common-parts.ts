/** The parameters and answers that several endpoints have in common. */
import { createParameter, describeProblemAnswer } from './endpoint.ts';

export const componentParameter = createParameter('path', 'component', 200, {
  description: 'Name, title, package or package URL of a component; /api/components lists them.',
  expected: 'the name of a component',
  example: '{component}',
});

export const versionParameter = createParameter('path', 'version', 200, {
  isQuestion: true,
  description: 'A version, a release line, or the first numbers of several, such as 2025.',
  expected: 'a version such as 2025.3, without white space and control characters',
  pattern: String.raw`^[^\s\x00-\x1f\x7f-\x9f]+$`,
  example: '{version}',
});

export const unknownName = describeProblemAnswer(
  'No component has this name, or several components match.',
);

/** For a question about all components. */
export const cannotSearch = describeProblemAnswer(
  'The index is too large to search all of it, and the answer says what to ask instead; or it cannot be read now.',
);
