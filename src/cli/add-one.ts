import { quote } from '../core/text/foreign-text.ts';
import { judgeRecorded } from '../decide/judge.ts';
import { definitionFile } from '../io/files/root.ts';
import {
  addComponent,
  type Added,
  type ComponentRequest,
  type MissingValues,
} from '../record/add/add-component.ts';
import type { Upstreams } from '../run/upstreams.ts';
import type { AddOptions, ListedPackage } from './add-arguments.ts';
import { askPolicy } from './ask-policy.ts';
import type { Invocation } from './command.ts';
import { readConfiguredApi, readRequest, rejectUpstream } from './component-request.ts';
import type { AddedComponent } from './add-report.ts';
import { checkNewName, isFree, type UsedNames } from './used-names.ts';

export interface AddContext extends Invocation<AddOptions> {
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
  const { root, options, env, usedNames, upstreams, day, canAsk } = context;
  const request = await readRequest(entry, context);
  const isReplacing = options.replace === true;
  checkNewName(root, usedNames, request, isReplacing);

  const { name } = request;
  const subject = `${name} (${request.source.datasource})`;
  const result = await addComponent(request, {
    root,
    ...upstreams,
    day,
    isDry: options['dry-run'] === true,
    isReplacing,
    isFree: (packageUrl) => isFree(usedNames, packageUrl, name),
    // A variable without a value means not to ask.
    skipsEndoflifeDate: env['ENDOFLIFE_DATE_URL'] === '',
    endoflifeDate: readConfiguredApi(env),
    askPolicy: canAsk ? () => askPolicy(name) : undefined,
  }).catch(rejectUpstream(subject));
  return 'missing' in result ? { ...result, subject } : describeComponent(request, result, context);
}

/** The definition, and what was gathered by it. */
function describeComponent(
  request: ComponentRequest,
  { definition, written, notes, gathered }: Added,
  { day, options }: AddContext,
): AddedComponent {
  const { name } = request;
  const { releases, latest } = judgeRecorded(name, definition, gathered, day).judgement;

  return {
    component: name,
    file: definitionFile(name),
    isWritten: options['dry-run'] !== true,
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
