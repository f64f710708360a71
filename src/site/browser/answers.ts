/** The script that answers questions. Pages with a box load it after `site.js`, and other pages when their address has a target. */
export { listContaining } from './components.ts';
export { setUpList } from './mine.ts';
export { showAnswer } from './query.ts';
export { showTarget, showVersion } from './versions.ts';
