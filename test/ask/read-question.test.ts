import { describe, expect, it } from 'vitest';
import { readQuestion } from '../../src/ask/read-question.ts';

const components = [
  { name: 'svc', title: 'Server', aliases: ['Example Enterprise', 'Examplocity'] },
  { name: 'svcctl', title: 'Server control' },
  { name: 'build-agent', title: 'Build agent for Maven', aliases: ['Examplocity Maven extension'] },
  { name: 'build-node', title: 'Build node 2' },
];

const read = (text: string) => {
  const question = readQuestion(text, components);
  if (question.kind === 'query') return question;
  const { components: found, ...others } = question;
  return { ...others, names: found.map(({ name }) => name) };
};
describe('a question in the box', () => {
  it.each([
    ['svc 2025.1', 'svc', '2025.1'],
    ['Server  v2025.1-rc.1', 'svc', 'v2025.1-rc.1'],
    ['MAVEN agent 3', 'build-agent', '3'],
    ['build node 2 1.5', 'build-node', '1.5'],
    ['example enterprise 2021.4', 'svc', '2021.4'],
    ['examplocity maven 1.2', 'build-agent', '1.2'],
    ['svc 1:2.3-4', 'svc', '1:2.3-4'],
    ['svc@1:2.3-4', 'svc', '1:2.3-4'],
    ['svc:2025.1', 'svc', '2025.1'],
  ])('%s is about a version of one component', (text, name, version) => {
    expect(read(text)).toEqual({ kind: 'components', names: [name], version });
  });

  it('of a version may be about several components', () => {
    expect(read('build 1.0')).toEqual({
      kind: 'components',
      names: ['build-agent', 'build-node'],
      version: '1.0',
    });
  });

  it.each([
    '!islatest',
    '-isDeprecated',
    'status:withdrawn',
    'supportLeft:<90d',
    '(svc)',
    '"Build agent"',
    'build-*',
    'svc or edge',
    '-svc',
    'not svc',
  ])('%s is a query', (text) => {
    expect(read(text)).toEqual({ kind: 'query', query: text, isPlain: false });
  });

  it.each([
    ['server', ['svc']],
    ['examplocity', ['svc']],
    ['serv', ['svc', 'svcctl']],
    ['AGENT build', ['build-agent']],
    ['build-agent', ['build-agent']],
    ['what is the latest of svc?', ['svc']],
  ])('“%s” names components', (text, names) => {
    expect(read(text)).toEqual({ kind: 'components', names });
  });

  it('forgives one letter, and says so', () => {
    expect(read('scv 2025.1')).toEqual({
      kind: 'components',
      names: ['svc'],
      version: '2025.1',
      isTypo: true,
    });
    expect(read('nothing 2025.1')).toEqual({ kind: 'query', query: 'nothing 2025.1', isPlain: true });
  });

  it.each([
    ['2026.3', '2026.3'],
    ['isLatest', 'isLatest'],
    ['eol', 'ended'],
    ['ends within 90 days', 'supportLeft:<90d'],
    ['ends in the next 3 months?', 'supportLeft:<3mo'],
  ])('“%s” is in words that no component has, so that its releases may answer it', (text, query) => {
    expect(read(text)).toEqual({ kind: 'query', query, isPlain: true });
  });
});
