import type { AnswerIndex } from './answer-index.ts';

/** The number of components that are kept: a host has little memory. */
const mostKept = 20;

/** An index that reads the details of a component once for all versions of a text. */
export function keepDetails<Index extends Pick<AnswerIndex, 'details'>>(index: Index): Index {
  const byComponent = new Map<string, ReturnType<AnswerIndex['details']>>();

  return {
    ...index,
    details(component: string) {
      const existing = byComponent.get(component);
      if (existing) {
        return existing;
      }
      if (byComponent.size === mostKept) {
        byComponent.clear();
      }

      const details = index.details(component);
      byComponent.set(component, details);
      return details;
    },
  };
}
