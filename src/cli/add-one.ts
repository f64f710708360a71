import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Day } from '../core/model/dates.ts';
import { normalisePackageText } from '../core/model/package-names.ts';
import type { SupportPolicy } from '../core/schemas/definition/support-policy.ts';
import { inputError } from '../core/schemas/finding.ts';
import { quote } from '../core/text/foreign-text.ts';
import { judgeRecorded } from '../decide/judge.ts';
import {
  addComponent,
  type Added,
  type ComponentRequest,
  type MissingValues,
} from '../record/add/add-component.ts';
import type { PolicyContext } from '../record/add/find-support-policy.ts';
import type { Upstreams } from '../run/upstreams.ts';
import type { AddOptions, ListedPackage } from './add-arguments.ts';
import type { Invocation, OptionValues } from './command.ts';
import { readConfiguredApi, readRequest } from './component-request.ts';
import { policyForms, readSupportPolicy } from './option-values.ts';
import { rejectUpstream, type AddedComponent } from './add-report.ts';
import { checkNewName, type UsedNames } from './used-names.ts';

export interface AddContext extends Pick<Invocation, 'root' | 'env' | 'day'> {
  options: OptionValues<AddOptions>;
  usedNames: UsedNames;
  upstreams: Upstreams;
  /** Whether a person can be asked for the support policy. */
  canAsk: boolean;
}

/** A component that was not added, as its registry does not state all required values. */
interface IncompleteComponent extends MissingValues {
  /** Its name and datasource. */
  subject: string;
}

/** Defines and gathers the component of a package. */
export async function addOne(
  context: AddContext,
  entry: ListedPackage,
): Promise<AddedComponent | IncompleteComponent> {
  const { root, options, usedNames, upstreams, day } = context;
  const request = await readRequest(entry, context);
  const isReplacing = options.replace === true;
  const isDry = options['dry-run'] === true;
  checkNewName(root, usedNames, request, isReplacing);

  const { name } = request;
  const subject = `${name} (${request.source.datasource})`;
  const result = await addComponent(request, {
    root,
    ...upstreams,
    day,
    isDry,
    isReplacing,
    isFree: (alias) => (usedNames.byPackageUrl.get(normalisePackageText(alias)) ?? name) === name,
    ...createPolicyContext(context, name),
  }).catch(rejectUpstream(subject));
  if ('missing' in result) {
    return { ...result, subject };
  }

  return { ...describeComponent(request, result, day), isWritten: !isDry };
}

/** The definition, and what was gathered by it. */
function describeComponent(
  request: ComponentRequest,
  { definition, written, notes, gathered }: Added,
  day: Day,
): Omit<AddedComponent, 'isWritten'> {
  const { name } = request;
  const { releases, latest } = judgeRecorded(name, definition, gathered, day).judgement;

  return {
    component: name,
    file: `components/${name}.json`,
    definition: written,
    notes: [...notes, ...noteLatest(request, latest?.version)],
    releases: releases.length,
    latest: latest?.version,
    findings: gathered.findings,
  };
}

/** The index computes the latest release, which may differ from that of a list or a product. */
function noteLatest(
  { name, statedLatest }: ComponentRequest,
  latest: string | undefined,
): string[] {
  if (statedLatest === undefined || statedLatest === latest) {
    return [];
  }

  const rule = 'the greatest stable release that is not deprecated';
  return [`${name}: the latest is ${latest ?? 'none'}, ${rule}; stated is ${quote(statedLatest)}`];
}

/** The two origins of a support policy: an instance of endoflife.date, and the person at the terminal. */
function createPolicyContext({ env, canAsk }: AddContext, component: string): PolicyContext {
  return {
    // A variable without a value means not to ask.
    skipsEndoflifeDate: env['ENDOFLIFE_DATE_URL'] === '',
    endoflifeDate: readConfiguredApi(env),
    askPolicy: canAsk ? () => askPolicy(component) : undefined,
  };
}

/** Asks until the answer is a policy or empty. */
async function askPolicy(component: string): Promise<SupportPolicy | undefined> {
  const question = `How long is a release line of ${component} supported, ${policyForms}? [no stated end] `;
  let answer = await askPerson(question);
  while (answer !== '') {
    if (answer === undefined) {
      throw inputError('add', 'cancelled. Nothing was written');
    }

    const { policy, problem } = readSupportPolicy(answer);
    if (policy) {
      return policy;
    }

    answer = await askPerson(`${problem}\n${question}`);
  }
  return undefined;
}

/** Reads a line from the terminal; undefined after Ctrl-C or Ctrl-D. */
async function askPerson(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = once(terminal, 'close').then(() => undefined);

  // Ctrl-C rejects, and Ctrl-D leaves the question unanswered.
  const answer = await Promise.race([terminal.question(question).catch(() => undefined), ended]);

  terminal.close();
  return answer?.trim();
}
