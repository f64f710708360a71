import type { Answer } from '../../ask/answers/ask.ts';
import type { Choice } from '../../ask/answers/choices.ts';
import { describeResults } from '../../ask/search/search-releases.ts';
import { describeAnswerEnd } from '../../ask/answers/verdict-sentences.ts';
import { describeEnd, findTone, nameState, stateTones } from '../../core/model/words.ts';
import { formatNumber } from '../../core/text/wording.ts';

/** The number of release lines in the list. */
const maxLines = 7;

/** An answer in the list below a field. Choosing it asks `question`. */
export interface Option {
  readonly tone?: string;
  readonly name: string;
  readonly end?: string;
  readonly remedy?: string | undefined;
  /** Absent for a problem, which cannot be chosen. */
  readonly question?: string;
}

/** The options of an answer to a text, most often one. */
export function listOptions(answer: Answer, text: string): Option[] {
  switch (answer.kind) {
    case 'version': {
      const { judged, details } = answer;
      if (judged.lines.length === 0) {
        return [createVersionOption({ ...details, question: text, answer: answer.answer })];
      }

      return judged.lines
        .slice(-maxLines)
        .reverse()
        .map((line) => ({
          tone: stateTones[line.state],
          name: `${details.title} ${line.line}`,
          end: describeEnd(line) || nameState(line.state),
          question: `${details.component} ${line.line}`,
        }));
    }
    case 'choices':
      return answer.choices.map(createVersionOption);
    case 'releases':
      return [{ name: describeResults(answer), question: text }];
    case 'page':
      return [{ name: answer.text, question: text }];
    case 'search':
      return [{ name: describeSearch(answer.releases), question: text }];
    case 'problem':
      return [{ name: answer.message }];
  }
}

function createVersionOption({ component, title, question, answer }: Choice): Option {
  if (!answer) {
    return { name: title, question };
  }

  const { state, version, moveTo } = answer;
  const other = moveTo && moveTo.component !== component ? `${moveTo.component} ` : '';
  return {
    tone: findTone(state),
    name: `${title} ${version}`,
    end: describeAnswerEnd(answer) || nameState(state),
    remedy: moveTo && `→ ${other}${moveTo.version}`,
    question,
  };
}

/** Label of the button that starts a search. */
export function describeSearch(releases: number): string {
  return `Search in all ${formatNumber(releases)} releases`;
}
