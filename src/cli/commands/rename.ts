import { existsSync, renameSync, rmSync } from 'node:fs';
import { didYouMean } from '../../core/nearest.ts';
import { InputError } from '../../core/schemas/finding.ts';
import { componentNameProblem } from '../../core/schemas/component-name.ts';
import { HttpsUrl } from '../../core/schemas/links.ts';
import { RecordedRelease } from '../../core/schemas/recorded.ts';
import { DaySchema, Line } from '../../core/schemas/scalars.ts';
import { isSelected, SelectedVersions } from '../../core/schemas/selected-versions.ts';
import { counted, defined } from '../../core/text.ts';
import type { Component } from '../../decide/component.ts';
import { checkRecordedDays } from '../../deliver/check/component-rules.ts';
import { changesOf } from '../../deliver/check/index-changes.ts';
import { valueOf } from '../../io/files/documents.ts';
import { lock } from '../../io/files/lock.ts';
import { readRecordedData, readSiteConfig } from '../../io/files/read.ts';
import { definitionPath, freshnessPath, journalPath } from '../../io/files/root.ts';
import { listComponents, recordedPath, type Root } from '../../io/files/root.ts';
import {
  formatDocument,
  readIfThere,
  saveUnlessMoved,
  type FileReplacement,
} from '../../io/files/save.ts';
import {
  readWrittenDefinition,
  wholeDefinition,
  WrittenDefinition,
} from '../../record/definition.ts';
import { loadComponent } from '../../site/load-component.ts';
import { authorOf } from '../author.ts';
import { confirm, firstProblem, flag, inputError, parseOption, shared, text } from '../command.ts';
import { throwErrors, UsageError } from '../command.ts';
import type { Command, Invocation } from '../command.ts';
import { saveDecisions } from '../../record/decisions.ts';
import { judgeChanges } from '../../record/gate.ts';

/** The changes that a verb makes to a component. */
interface Edit {
  definition?: WrittenDefinition;
  releases?: RecordedRelease[];
  /** The new name. */
  name?: string;
}

const after =
  'Shows the changes for readers, asks, and writes all files or none. Commit them: the next run records the change.';
const options = {
  yes: flag('write without asking; needed where there is no terminal'),
  'dry-run': flag('show what would change, and write nothing'),
  ...shared('root', 'as-of'),
};
const reason = text('TEXT', 'why, in a sentence for readers');

export const deprecate: Command = {
  arguments: { required: ['component', 'version'], isOpen: true },
  options: {
    reason,
    url: text('URL', 'an address to read more'),
    since: text('YYYY-MM-DD', 'the first day on which it holds (default: today)'),
    ...options,
  },
  details: [
    'The releases stay published, deprecated: Renovate no longer proposes them, and their users read why. Give exact versions or',
    'one range such as ">=1.2 <2". Adds an entry to "deprecated" of components/<component>.json; --reason is required.',
    after,
  ],
  examples: [
    ['deprecate svc 3.4.1 --reason "Loses data on restart."', 'a release to move off'],
    ['deprecate svc ">=3.4 <3.5" --reason "Not maintained."', 'a whole range'],
  ],
  run: verb(
    'deprecate',
    ({ arguments: [, ...given], options, day }, { name, judgement }, definition) => {
      const [first = ''] = given;
      const versions = given.length === 1 && /[<>=^~*|\s]/.test(first) ? first : given;
      const parsed = SelectedVersions.safeParse(versions);
      if (!parsed.success) {
        throw new UsageError(`<version>: ${firstProblem(parsed.error)}`);
      }
      const known = judgement.releases.map(({ version }) => version);
      for (const each of [parsed.data].flat()) {
        if (!known.some(isSelected(typeof parsed.data === 'string' ? each : [each]))) {
          throw inputError(name, `${each} includes no recorded release.${didYouMean(each, known)}`);
        }
      }
      const url = parseOption('--url', options['url'], HttpsUrl);
      const since = parseOption('--since', options['since'], DaySchema) ?? day;
      const entry = { versions: parsed.data, reason: requiredReason(options), url, since };
      return {
        definition: { ...definition, deprecated: [...(definition.deprecated ?? []), entry] },
      };
    },
  ),
};

export const retire: Command = {
  arguments: { required: ['component'] },
  options: {
    reason,
    since: text('YYYY-MM-DD', 'the first day without support (default: today)'),
    'replaced-by': text('COMPONENT', 'the component to use instead; Renovate proposes it'),
    ...options,
  },
  details: [
    'Deprecates the whole component from today on, and states its end of support. Its releases stay published; keep its files as',
    'long as a release may be in use. Replaces "support" of components/<component>.json.',
    after,
  ],
  examples: [['retire svc --since 2027-01-01 --replaced-by server', 'announced in advance']],
  run: verb('retire', ({ root, options, day }, { name, definition: whole }, definition) => {
    const since = parseOption('--since', options['since'], DaySchema) ?? day;
    const why = parseOption('--reason', options['reason'], Line);
    const replacedBy = options['replaced-by'] as string | undefined;
    const { names } = listComponents(root);
    if (replacedBy !== undefined && (replacedBy === name || !names.includes(replacedBy))) {
      const near = didYouMean(replacedBy, names);
      throw new UsageError(`--replaced-by: no other component is called "${replacedBy}".${near}`);
    }
    const support = {
      policy: 'ended' as const,
      since,
      deprecatedFrom: since < day ? since : day,
      reason: why,
      // Keeps the names of lines, also of an inherited policy.
      line: whole.support?.line,
    };
    return { definition: { ...definition, support, ...defined({ replacedBy }) } };
  }),
};

export const rename: Command = {
  arguments: { required: ['old', 'new'] },
  options,
  details: [
    'Moves definition, recorded releases and freshness; the next run moves the journal. The files for programs stay published',
    'under the old name, and the old page points to the new one. Components that name it in "replacedBy" follow.',
    after,
  ],
  examples: [['rename svc server', 'svc.json stays published, with the same releases']],
  run: verb('rename', ({ root, arguments: [, name = ''] }, component, definition) => {
    const wrong = componentNameProblem(name);
    if (wrong !== undefined) {
      throw new UsageError(wrong);
    }
    const isTaken = [definitionPath, recordedPath, journalPath].some((path) =>
      existsSync(path(root, name)),
    );
    const heir = listComponents(root).names.find((one) =>
      readWrittenDefinition(root, one).value?.renamedFrom?.includes(name),
    );
    if (isTaken || heir !== undefined) {
      throw inputError(
        name,
        `is already a name of ${heir ?? 'another component'}. Nothing was written`,
      );
    }
    return {
      name,
      definition: {
        ...definition,
        renamedFrom: [...(definition.renamedFrom ?? []), component.name],
      },
    };
  }),
};

export const correct: Command = {
  arguments: { required: ['component', 'version', 'day'] },
  options: { reason, ...options },
  details: [
    'Replaces the day of a release in data/<component>.json: YYYY-MM-DD, or an instant. Changes and feeds show the old day, the',
    'new day and the reason; --reason is required. No later run changes a published day.',
    after,
  ],
  examples: [
    ['correct svc 3.4.1 2026-03-01 --reason "The registry was moved."', 'a day that upstream lost'],
  ],
  run: verb(
    'correct',
    ({ root, arguments: [, version = '', given = ''], options, day }, { name }) => {
      const { releases } = valueOf(readRecordedData(root, name));
      const wanted = releases.find((release) => release.version === version);
      const versions = releases.map((release) => release.version);
      if (!wanted) {
        throw inputError(name, `${version} is not recorded.${didYouMean(version, versions)}`);
      }
      const corrected = {
        ...wanted,
        releaseTimestamp: given,
        timestampKind: 'published',
        corrected: { on: day, reason: requiredReason(options) },
      };
      const parsed = RecordedRelease.safeParse(corrected);
      if (!parsed.success) {
        throw new UsageError(`<day>: ${firstProblem(parsed.error)}; got "${given}"`);
      }
      throwErrors(checkRecordedDays(name, [parsed.data], day));
      return { releases: releases.map((one) => (one === wanted ? parsed.data : one)) };
    },
  ),
};

function requiredReason(given: Invocation['options']): string {
  const why = parseOption('--reason', given['reason'], Line);
  if (why === undefined) {
    throw new UsageError('--reason is required: why, in a sentence for readers');
  }
  return why;
}

/** The common steps of these verbs: show the consequences, ask, write, record. */
function verb(
  name: string,
  editOf: (invocation: Invocation, component: Component, definition: WrittenDefinition) => Edit,
): Command['run'] {
  return async (invocation) => {
    const { root, day, report, options } = invocation;
    const [component = ''] = invocation.arguments;
    const { names } = listComponents(root);
    if (!names.includes(component)) {
      throw inputError(
        component,
        `there is no component of this name.${didYouMean(component, names)}`,
      );
    }
    const was = load(root, component, day);
    const written = valueOf(readWrittenDefinition(root, component));
    const edit = editOf(invocation, was, written);
    const { definition: edited = written, releases } = edit;
    const value = wholeDefinition(component, readSiteConfig(root).value).parse(edited);
    const definition = { value, findings: [], inherited: [] };
    const { name: newName = component } = edit;
    const now = { ...load(root, component, day, { definition, releases }), name: newName };
    const changes = changesOf(was, now, day);
    report.print(...consequences(was, now, changes));
    const isWritten = options['dry-run'] !== true && (await confirm(invocation, 'Write this?'));
    if (isWritten) {
      await write(root, component, edit);
      await recordDecision(invocation, name, newName);
      report.print(
        `Written. Look at the change, and commit it: git diff, git add --all components data`,
      );
    }
    report.document({ verb: name, asOf: day, component, isWritten, changes });
    return isWritten || options['dry-run'] === true ? 0 : 1;
  };
}

/** Records that a person confirmed the consequences. */
async function recordDecision(invocation: Invocation, verb: string, name: string): Promise<void> {
  const files = [`components/${name}.json`, `data/${name}.json`];
  const held = judgeChanges(invocation).gated?.held ?? [];
  const decisions = held
    .filter(
      ({ cause, components }) =>
        files.includes(cause) || (verb === 'correct' && components.includes(name)),
    )
    .map(({ id, cause, reason, components }) => {
      return {
        id,
        at: new Date().toISOString(),
        by: authorOf(invocation),
        cause,
        reason,
        components,
      };
    });
  if (decisions.length > 0) {
    await saveDecisions(invocation.root, decisions);
  }
}

function load(...what: Parameters<typeof loadComponent>): Component {
  const { component, findings } = loadComponent(...what);
  throwErrors(findings);
  if (!component) {
    throw new InputError(findings);
  }
  return component;
}

/** The differences between both states on one day, in plain words. */
function consequences(was: Component, now: Component, changes: readonly string[]): string[] {
  const before = new Map(
    was.judgement.releases.map((release) => [release.version, release.isDeprecated]),
  );
  const changed = now.judgement.releases.filter(
    ({ version, isDeprecated }) => before.get(version) === !isDeprecated,
  );
  const become = (isDeprecated: boolean, status: string) => {
    const count = changed.filter((release) => release.isDeprecated === isDeprecated).length;
    return count === 0
      ? []
      : `${counted(count, 'release')} ${count === 1 ? 'is' : 'are'} ${status}`;
  };
  const facts = [
    become(true, 'deprecated'),
    become(false, 'no longer deprecated'),
    was.judgement.latest && !now.judgement.latest ? '1 component loses its latest' : [],
  ].flat();
  if (changes.length === 0 && facts.length === 0) {
    return [`${was.name}: readers will notice nothing.`];
  }
  return [
    `${was.name}: ${facts.length === 0 ? 'no release changes its status' : facts.join(', ')}. Changes and feeds will say:`,
    ...changes.map((change) => `  ${change}`),
  ];
}

/** Writes under the lock on data/. Does not overwrite changes that a person or another run made meanwhile. */
async function write(
  root: Root,
  component: string,
  { name = component, definition, releases }: Edit,
): Promise<void> {
  const unlock = await lock(root, 'data');
  try {
    const files: FileReplacement[] = [];
    const replace = (path: string, content: string) =>
      files.push({ path, before: readIfThere(path), content });
    if (definition) {
      replace(definitionPath(root, name), formatDocument(WrittenDefinition.parse(definition)));
    }
    if (releases) {
      const data = valueOf(readRecordedData(root, component));
      replace(recordedPath(root, component), formatDocument({ ...data, releases }));
    }
    if (name !== component) {
      for (const other of listComponents(root).names) {
        const value = valueOf(readWrittenDefinition(root, other));
        if (value.replacedBy === component) {
          replace(definitionPath(root, other), formatDocument({ ...value, replacedBy: name }));
        }
      }
    }
    if (!saveUnlessMoved(files)) {
      throw inputError(component, 'was changed by another run meanwhile. Run it again');
    }
    if (name === component) {
      return;
    }
    for (const path of [recordedPath, freshnessPath]) {
      if (existsSync(path(root, component))) {
        renameSync(path(root, component), path(root, name));
      }
    }
    rmSync(definitionPath(root, component));
  } finally {
    unlock();
  }
}
