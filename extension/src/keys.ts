/**
 * Keys pressed in a panel belong to the panel.
 *
 * JupyterLab's single-letter and arrow shortcuts act on whatever has the focus in a notebook, and it looks for
 * `data-lm-suppress-shortcuts` on the focused element before anything else; so the mark is put there, just in time.
 * Shortcuts with Ctrl, Cmd or Alt (save, …) and Shift+Enter (run) go on to JupyterLab, and so does the key that follows
 * Alt+G: the two are one shortcut of our own.
 */

const OURS = '[data-graphlab-panel], [data-graphlab-side], .gl-badge-row';
const SUPPRESS = 'data-lm-suppress-shortcuts';
const MODIFIERS = ['Alt', 'AltGraph', 'Control', 'Meta', 'Shift'];

export function keepKeys(root: Document): void {
  let begun = false; // the first key of a shortcut of ours was pressed
  // on the window: JupyterLab listens on the document, in the same phase, and was there first
  root.defaultView?.addEventListener(
    'keydown',
    event => {
      const target = event.target;
      if (!(target instanceof Element) || !target.closest(OURS) || MODIFIERS.includes(event.key)) {
        return;
      }
      const theirs =
        begun || event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === 'Enter');
      begun = !begun && event.altKey && event.code === 'KeyG';
      if (theirs) {
        target.removeAttribute(SUPPRESS);
      } else {
        target.setAttribute(SUPPRESS, 'true');
      }
    },
    true
  );
}
