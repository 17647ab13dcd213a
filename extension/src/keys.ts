/**
 * Keys pressed in a panel belong to the panel.
 *
 * JupyterLab's single-letter and arrow shortcuts act on whatever has the focus in a notebook, and it looks for
 * `data-lm-suppress-shortcuts` on the focused element before anything else; so the mark is put there, just in time.
 * Shortcuts with Ctrl, Cmd or Alt (save, …) and Shift+Enter (run) go on to JupyterLab, and so does the key that follows
 * Alt+G: the two are one shortcut of our own, if it comes in time.
 */

const OURS = '[data-graphlab-panel], [data-graphlab-side], .gl-badge-row';
const SUPPRESS = 'data-lm-suppress-shortcuts';
/** How long JupyterLab waits for the second key, in milliseconds, less what the two clocks may differ. */
const WAIT = 950;
const MODIFIERS = ['Alt', 'AltGraph', 'Control', 'Meta', 'Shift'];

export function keepKeys(root: Document): void {
  let begun = Number.NEGATIVE_INFINITY; // when the first key of a shortcut of ours was pressed
  let marked: Element | null = null;
  // on the window: JupyterLab listens on the document, in the same phase, and was there first
  root.defaultView?.addEventListener(
    'keydown',
    event => {
      const target = event.target;
      if (MODIFIERS.includes(event.key)) {
        return;
      }
      // a mark that stayed would shut off whatever is inside the element too, shortcuts of ours among it
      marked?.removeAttribute(SUPPRESS);
      marked = null;
      if (!(target instanceof Element) || !target.closest(OURS)) {
        return;
      }
      const second = event.timeStamp - begun < WAIT;
      begun = !second && event.altKey && event.code === 'KeyG' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (second || event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === 'Enter')) {
        return;
      }
      target.setAttribute(SUPPRESS, 'true');
      marked = target;
    },
    true
  );
}

/** Escape leads back from what is ours, unless something in it had a use for the key. */
export function leave(node: HTMLElement, back: () => void): void {
  node.addEventListener('keydown', event => {
    const typed = event.target instanceof HTMLInputElement && event.target.type === 'search' && event.target.value;
    if (event.key === 'Escape' && !event.defaultPrevented && !typed) {
      event.preventDefault();
      event.stopPropagation();
      back();
    }
  });
}
