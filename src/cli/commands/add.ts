import { toDay, type Day } from '../../core/dates.ts';
import { addComponent, AddError, type Added, type Wanted } from '../../record/gather/add-component.ts';
import { judge } from '../../decide/judge.ts';
import { proposePolicy, type PolicyProposal } from '../../decide/policy-proposal.ts';
import { normaliseReleases } from '../../decide/releases.ts';
import { checkNewName } from '../../site/component-names.ts';
import { valueOf } from '../../io/files/documents.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { formatDocument } from '../../io/files/save.ts';
import { counted, listed, sentence } from '../../core/text.ts';
import { givenOptions, readAddRequest } from './add-request.ts';
import { refusal, refuseErrors, type Invocation } from './command.ts';
import { openUpstreams } from './upstreams.ts';

export async function add(invocation: Invocation): Promise<number> {
  const { root, report, options } = invocation;
  const wanted = readAddRequest(invocation);
  const { name, source } = wanted;
  refuseErrors(checkNewName(root, name));
  const isDry = options['dry-run'] === true;
  const day = toDay(new Date());
  const added = await ask(invocation, wanted, { day, isDry });

  const { definition, notes, gathered } = added;
  const releases = normaliseReleases(name, definition, gathered.releases, day).releases;
  const latest = judge(releases, definition, day).latest?.version;
  const proposal = proposePolicy(releases, day);
  const file = `components/${name}.json`;
  report.line(`${file}: ${isDry ? 'would be written' : 'written'}, from what ${source.datasource} says`);
  for (const line of formatDocument(definition).trimEnd().split('\n')) report.line(line);
  for (const note of notes) report.line(note);
  for (const finding of gathered.findings) report.finding(finding);
  const greatest = latest === undefined ? '' : `; the latest is ${latest}`;
  report.line(
    `${name}: ${counted(releases.length, 'release')}${isDry ? ' would be' : ''} recorded${greatest}`,
  );
  report.line(inWords(proposal));
  if (!isDry) report.line(`Look at ${file}, then: build, check, and commit it with data/${name}.json`);
  report.result({
    verb: 'add',
    asOf: day,
    component: name,
    file,
    isWritten: !isDry,
    definition,
    notes,
    releases: releases.length,
    ...(latest !== undefined && { latest }),
    ...proposal,
    findings: gathered.findings,
  });
  return 0;
}

async function ask(
  invocation: Invocation,
  wanted: Wanted,
  how: { day: Day; isDry: boolean },
): Promise<Added> {
  const { root, report } = invocation;
  const { http, npmRegistry } = openUpstreams(invocation, valueOf(readSiteConfig(root)));
  try {
    return await addComponent(wanted, { root, http, npmRegistry, ...how });
  } catch (error) {
    if (!(error instanceof AddError)) throw error;
    const subject = `${wanted.name} (${wanted.source.datasource})`;
    for (const message of error.notes) report.finding({ level: 'notice', subject, message });
    const options = error.missing.map((key) => givenOptions[key]).join(' ');
    const remedy = options === '' ? '' : ` Give ${options}.`;
    throw refusal(subject, `${sentence(error.message)}${remedy} Nothing was written.`);
  } finally {
    await http.close();
  }
}

function inWords({ aliveLines, policy }: PolicyProposal): string {
  if (aliveLines.length === 0) return 'No release line had a release on a stated day of the last year.';
  const had = `${counted(aliveLines.length, 'release line')} had a release in the last year: ${listed(aliveLines.toReversed(), 10)}.`;
  if (!policy) return had;
  return `${had} A policy to think about, which nobody has promised: "support": ${inOneLine(policy)}`;
}

function inOneLine(policy: object): string {
  return `{${Object.entries(policy)
    .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`)
    .join(', ')}}`;
}
