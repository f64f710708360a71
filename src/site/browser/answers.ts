/** The script that answers questions on pages. Pages with a form load it after `site.js`. */
export { decodeText } from '../../core/text.ts';
export { listContaining } from './components.ts';
export { answerList } from './mine.ts';
export { answerQuestion, findPage } from './query.ts';
export { answerVersion } from './versions.ts';
