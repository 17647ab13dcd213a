/**
 * Keys pressed in a panel belong to the panel.
 *
 * JupyterLab's single-letter and arrow shortcuts act on whatever has the focus in a notebook, and it looks for
 * `data-lm-suppress-shortcuts` on the focused element before anything else; so the mark is put there, just in time.
 * Shortcuts with Ctrl or Cmd (save, …) and Shift+Enter (run) go on to JupyterLab.
 */

const OURS = '[data-graphlab-panel], .gl-badge-row';
const SUPPRESS = 'data-lm-suppress-shortcuts';

export function keepKeys(root: Document): void {
  // on the window: JupyterLab listens on the document, in the same phase, and was there first
  root.defaultView?.addEventListener(
    'keydown',
    event => {
      const target = event.target;
      if (!(target instanceof Element) || !target.closest(OURS)) {
        return;
      }
      const theirs = event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === 'Enter');
      if (theirs) {
        target.removeAttribute(SUPPRESS);
      } else {
        target.setAttribute(SUPPRESS, 'true');
      }
    },
    true
  );
}
