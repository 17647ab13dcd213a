// The sliders of `f.explore()`. Everything shown comes from the model's `data` and is put in as text; what the reader
// chooses goes back as `choice`, what is pressed as `pressed`. Nothing is loaded, nothing is asked of anybody else.

// In JupyterLab arrow keys and letters are the notebook's, but not in elements that say so.
const KEYS = { 'data-lm-suppress-shortcuts': 'true' };

const PIECE = /`((?:\\.|[^`\\])*)`|(\*\*)|\\(.)|([^`*\\]+|[\s\S])/g;

// Characters that are not seen, or turn the text around them; they come with the data, as every view has them.
const unseen = {};

/** Code, with a dot for each character that could not be seen. */
function visible(text) {
  return text.replace(unseen.code, '•');
}

/** A sentence, in which nothing turns the rest around. */
function upright(text) {
  return text.replace(unseen.prose, '•');
}

/** A sentence with marks: `code` and **strong**. */
function marked(text) {
  const whole = document.createDocumentFragment();
  let strong = null;
  for (const [, code, star, escaped, other] of text.matchAll(PIECE)) {
    if (star) {
      strong = strong ? null : whole.appendChild(document.createElement('strong'));
      continue;
    }
    const into = strong ?? whole;
    if (code !== undefined) {
      into.append(el('code', { dir: 'ltr' }, visible(code.replace(/\\([\s\S])/g, '$1'))));
    } else {
      into.append(upright(escaped ?? other));
    }
  }
  return whole;
}

/** An element with attributes and contents. */
function el(tag, attributes = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, value === true ? '' : String(value));
    }
  }
  made.append(...inside);
  return made;
}

function code(text) {
  return el('code', { dir: 'ltr' }, visible(text));
}

/** Whether letters are lighter than what is behind them. */
function isDark(element) {
  const light = color => {
    const [r, g, b] = (color.match(/[\d.]+/g) ?? [0, 0, 0]).map(Number);
    return 0.3 * r + 0.6 * g + 0.1 * b;
  };
  const style = getComputedStyle(element);
  return light(style.color) > light(style.backgroundColor);
}

let serial = 0;

class Explorer {
  constructor(model, root) {
    this.model = model;
    this.root = root;
    this.mode = 'both';
    this.at = 0;
    this.id = `gl-explore-${(serial += 1)}`;
    this.controls = new Map(); // by path
    this.parts = {};
    this.build();
    this.update();
  }

  get data() {
    return this.model.get('data');
  }

  word(id) {
    return this.data.words[id];
  }

  choose(path, choice) {
    this.model.set('choice', { path, ...choice, n: (serial += 1) });
    this.model.save_changes();
  }

  press(button) {
    this.model.set('pressed', { button, n: (serial += 1) });
    this.model.save_changes();
  }

  build() {
    const { parts, root } = this;
    root.className = 'gl-explore';
    parts.title = el('p', { class: 'gl-explore-title', id: `${this.id}-title` });
    parts.about = el('p', { class: 'gl-explore-about' });
    parts.arguments = el('div', { role: 'group' });
    parts.answer = el('div', { class: 'gl-explore-answer', role: 'status', 'aria-live': 'polite' });
    parts.trace = el('button', { type: 'button', 'data-button': 'trace' });
    parts.run = el('button', { type: 'button', 'data-button': 'run' });
    parts.trace.addEventListener('click', () => this.press('trace'));
    parts.run.addEventListener('click', () => this.press('run'));
    parts.said = el('p', { role: 'status', 'aria-live': 'polite' });
    parts.traces = el('div');
    parts.result = el('div');
    root.setAttribute('role', 'group');
    root.setAttribute('aria-labelledby', `${this.id}-title`);
    root.append(
      parts.title, parts.about, parts.arguments, parts.answer,
      el('p', { class: 'gl-explore-row' }, parts.trace, parts.run), parts.said, parts.traces, parts.result
    );
  }

  update() {
    const { data, parts, root } = this;
    for (const [name, ranges] of Object.entries(data.unseen)) {
      unseen[name] = new RegExp(ranges, 'g');
    }
    root.lang = data.lang;
    root.dir = data.dir;
    root.dataset.mode = this.mode;
    root.toggleAttribute('data-dark', root.isConnected && isDark(root));
    parts.title.replaceChildren(marked(data.title.text));
    parts.about.replaceChildren(marked(data.none ? data.none.text : data.about.text));
    parts.arguments.setAttribute('aria-label', this.word('explore.arguments'));
    parts.trace.textContent = this.word('explore.trace');
    parts.run.textContent = this.word('explore.run');
    data.arguments.forEach(argument => this.argument(argument));
    this.answer();
    parts.said.replaceChildren(...(data.said ? [marked(data.said.text)] : []));
    this.traces();
    this.result();
  }

  // ------------------------------------------------------------------------------------------------- the arguments

  /** The controls of one argument: built anew when its kind changes, its axes when their number does, else only set. */
  argument(argument) {
    const { path, labels } = argument;
    let control = this.controls.get(path);
    if (!control) {
      const row = el('div', { class: 'gl-explore-row' });
      control = { row, kind: null, own: el('div', { class: 'gl-explore-row' }), fields: {} };
      this.controls.set(path, control);
      this.parts.arguments.append(el('fieldset', { 'data-path': path }, el('legend', {}, code(path)), row));
      if (argument.kind === 'fixed') {
        row.append(el('span', {}, labels.fixed), code(argument.text));
        return;
      }
      const kinds = argument.kinds.map(kind => [kind, kind === 'tensor' ? this.word('explore.kind.tensor') : kind]);
      control.fields.kind = this.select('kind', kinds, labels.kind, kind => this.choose(path, { kind }));
      row.append(control.fields.kind, control.own);
    }
    if (argument.kind === 'fixed') {
      return;
    }
    if (control.kind !== argument.kind) {
      control.kind = argument.kind;
      control.fields = { kind: control.fields.kind };
      control.own.replaceChildren();
      this.build_kind(argument, control);
    }
    const { fields } = control;
    this.put(fields.kind, argument.kind);
    if (argument.kind === 'tensor') {
      this.put(fields.dtype, argument.dtype);
      this.slide(fields.rank, argument.shape.length);
      this.axes(argument, control, argument.shape);
    } else if (fields.value?.type === 'checkbox') {
      fields.value.checked = argument.value;
    } else if (fields.value?.type === 'range') {
      this.slide(fields.value, argument.value);
    } else if (fields.value) {
      this.put(fields.value, argument.value);
    }
  }

  build_kind(argument, control) {
    const { path, labels, kind } = argument;
    const { fields, own } = control;
    if (kind === 'tensor') {
      const names = argument.dtypes.map(name => [name, name]);
      fields.dtype = this.select('dtype', names, labels.dtype, dtype => this.choose(path, { dtype }));
      fields.rank = this.slider('rank', labels.rank, [0, argument.rank, 1], value => {
        const sizes = control.sizes.map(input => Number(input.value));
        const shape = Array.from({ length: value }, (_, axis) => sizes[axis] ?? 2);
        this.axes(this.data.arguments.find(other => other.path === path), control, shape);
        this.choose(path, { shape });
      });
      control.sizes = [];
      control.axes = el('div', { class: 'gl-explore-row' });
      own.append(fields.dtype, this.labelled(code('rank'), fields.rank), control.axes);
    } else if (argument.range) {
      fields.value = this.slider('value', labels.value, argument.range, value => this.choose(path, { value }));
      own.append(this.labelled('', fields.value));
    } else if (kind === 'bool') {
      fields.value = el('input', { type: 'checkbox', 'aria-label': labels.value, 'data-field': 'value', ...KEYS });
      fields.value.addEventListener('change', () => this.choose(path, { value: fields.value.checked }));
      own.append(fields.value);
    } else if (kind === 'str') {
      const attributes = { type: 'text', maxlength: 200, dir: 'auto', 'aria-label': labels.value, 'data-field': 'value' };
      fields.value = el('input', { ...attributes, ...KEYS });
      fields.value.addEventListener('input', () => this.choose(path, { value: fields.value.value }));
      own.append(fields.value);
    } else {
      own.append(code(argument.text));
    }
  }

  /** A slider for each axis of a shape. */
  axes(argument, control, shape) {
    while (control.sizes.length > shape.length) {
      control.sizes.pop().closest('label').remove();
    }
    while (control.sizes.length < shape.length) {
      const axis = control.sizes.length;
      const input = this.slider(`size${axis}`, argument.labels.sizes[axis], [0, argument.most[axis], 1], () =>
        this.choose(argument.path, { shape: control.sizes.map(other => Number(other.value)) })
      );
      control.sizes.push(input);
      control.axes.append(this.labelled(code(`[${axis}]`), input));
    }
    shape.forEach((size, axis) => this.slide(control.sizes[axis], size));
  }

  labelled(text, input) {
    return el('label', {}, el('span', { 'aria-hidden': 'true' }, text), input, input.shown);
  }

  select(field, options, label, chosen) {
    const inside = options.map(([value, text]) => el('option', { value }, text));
    const made = el('select', { 'aria-label': label, 'data-field': field, ...KEYS }, ...inside);
    made.addEventListener('change', () => chosen(made.value));
    return made;
  }

  slider(field, label, [min, max, step], moved) {
    const made = el('input', { type: 'range', min, max, step, 'aria-label': label, 'data-field': field, ...KEYS });
    made.shown = el('output', { dir: 'ltr', 'aria-hidden': 'true' });
    made.addEventListener('input', () => {
      made.shown.textContent = made.value;
      moved(Number(made.value));
    });
    return made;
  }

  /** Sets a slider, unless the reader holds it: an answer may be older than the hand. */
  slide(input, value) {
    if (input.ownerDocument.activeElement !== input || !input.matches(':active')) {
      this.put(input, value);
    }
    input.shown.textContent = input.value;
  }

  put(input, value) {
    if (input.type === 'text' && input.ownerDocument.activeElement === input) {
      return;
    }
    if (input.value !== String(value)) {
      input.value = value;
    }
  }

  // ---------------------------------------------------------------------------------------------------- the answer

  answer() {
    const { data, parts } = this;
    const inside = [];
    if (data.refused) {
      inside.push(el('p', {}, marked(data.refused.text)));
      delete parts.answer.dataset.traces;
    } else {
      const { answer } = data;
      parts.answer.dataset.traces = answer.would_trace;
      const mark = el('span', { class: 'gl-explore-mark', 'aria-hidden': 'true' }, answer.would_trace ? '◆ ' : '● ');
      inside.push(el('p', {}, mark, marked(answer.lede.text)));
      answer.reasons.slice(1).forEach(reason => inside.push(el('p', {}, marked(reason.text))));
      if (answer.before !== null) {
        const arrow = data.dir === 'rtl' ? ' ← ' : ' → ';
        const [before, after] = [el('del', {}, visible(answer.before)), el('ins', {}, visible(answer.after))];
        const delta = ['del', 'ins'].map((_, index) => el('code', { dir: 'ltr' }, index ? after : before));
        inside.push(el('p', {}, code(answer.path), ': ', delta[0], arrow, delta[1]));
      }
      if (answer.fix) {
        const text = answer.fix.code.text;
        inside.push(el('p', {}, el('b', {}, marked(answer.fix.place.text)), ' ', ...(answer.fix.wide ? [] : [code(text)])));
        if (answer.fix.wide) {
          inside.push(el('pre', { dir: 'ltr', tabindex: 0 }, visible(text)));
        }
      }
      if (answer.keep) {
        inside.push(el('p', {}, marked(answer.keep.text)));
      }
      inside.push(el('p', {}, `${this.word('explore.call')}: `, code(`${data.name}(${answer.signature})`)));
    }
    parts.answer.replaceChildren(...inside);
  }

  traces() {
    const { data, parts } = this;
    const rows = data.traces.map(trace =>
      el('tr', {}, el('th', { scope: 'row' }, trace.label), el('td', {}, code(trace.signature)),
        el('td', {}, trace.fits ? el('span', { class: 'gl-explore-fits' }, `✓ ${this.word('explore.fits')}`)
          : trace.because ? marked(trace.because.text) : ''))
    );
    const title = el('h3', {}, this.word('explore.traces'));
    const inside = rows.length ? this.table(this.word('explore.traces'), [], rows) : el('p', {}, marked(data.untraced.text));
    parts.traces.replaceChildren(title, inside);
  }

  table(label, head, rows) {
    const made = el('table', { 'aria-label': label });
    if (head.length) {
      made.append(el('thead', {}, el('tr', {}, ...head)));
    }
    made.append(el('tbody', {}, ...rows));
    return el('div', { class: 'gl-explore-scroll', tabindex: 0, role: 'group', 'aria-label': label }, made);
  }

  // ---------------------------------------------------------------------------------------------- what a run gave

  result() {
    const { run } = this.data;
    const key = JSON.stringify([run, this.data.lang]);
    if (key === this.shown) {
      return; // the place in the steps stays
    }
    this.shown = key;
    this.at = 0;
    if (!run) {
      this.parts.result.replaceChildren();
      return;
    }
    const { compared } = run;
    const column = (side, ...inside) => el('td', { 'data-side': side }, ...inside);
    const rows = compared.rows.map(row =>
      el('tr', {}, el('th', { scope: 'row' }, row.call_text), el('td', {}, row.label),
        column('eager', code(row.eager)), column('graph', code(row.graph)),
        el('td', { class: row.equal ? 'gl-explore-fits' : 'gl-explore-differs' },
          `${row.equal ? '=' : '≠'} ${this.word(row.equal ? 'compare.equal' : 'compare.different')}`))
    );
    const { times } = run.volatile;
    rows.push(el('tr', { 'data-volatile': '' }, el('th', { scope: 'row' }), el('td', {}, this.word('compare.time')),
      column('eager', marked(times.eager)), column('graph', marked(times.graph)), el('td')));
    const th = (text, side) => el('th', { scope: 'col', 'data-side': side }, text);
    const head = [th(this.word('matrix.call')), el('td'), th(this.word('compare.eager'), 'eager'),
      th(this.word('compare.graph'), 'graph'), el('td')];
    this.parts.result.replaceChildren(
      el('h3', {}, marked(run.title.text), ' ', code(run.call)),
      this.modes(), el('p', {}, marked(compared.lede.text)), this.table(this.word('explore.run'), head, rows),
      ...(run.nodes.length ? this.steps(run.nodes) : [])
    );
  }

  modes() {
    const choices = [['both', 'explore.mode.both'], ['eager', 'compare.eager'], ['graph', 'compare.graph']].map(([mode, id]) => {
      const input = el('input', { type: 'radio', name: `${this.id}-mode`, value: mode, ...KEYS });
      input.checked = mode === this.mode;
      input.addEventListener('change', () => {
        this.mode = this.root.dataset.mode = mode;
      });
      return el('label', {}, input, this.word(id));
    });
    const label = this.word('explore.mode');
    const shown = el('span', { 'aria-hidden': 'true' }, label);
    return el('div', { class: 'gl-explore-row', role: 'radiogroup', 'aria-label': label }, shown, ...choices);
  }

  /** A slider through the operations that ran, with the values each gave. */
  steps(nodes) {
    const place = el('div', { class: 'gl-explore-node', role: 'status', 'aria-live': 'polite' });
    const input = this.slider('step', this.word('explore.step'), [0, nodes.length - 1, 1], index => go(index));
    const move = (by, id, sign) => {
      const made = el('button', { type: 'button', 'aria-label': this.word(id), title: this.word(id) }, sign);
      made.addEventListener('click', () => go(this.at + by));
      return made;
    };
    const rtl = this.data.dir === 'rtl';
    const buttons = [move(-1, 'step.backward', rtl ? '▶' : '◀'), move(1, 'step.forward', rtl ? '◀' : '▶')];
    const go = index => {
      this.at = Math.max(0, Math.min(index, nodes.length - 1));
      const node = nodes[this.at];
      input.value = this.at;
      input.setAttribute('aria-valuetext', `${node.position}: ${node.op}`);
      input.shown.textContent = '';
      buttons[0].disabled = this.at === 0;
      buttons[1].disabled = this.at === nodes.length - 1;
      const around = [node.where, ...node.around.map(item => item.text)].filter(Boolean);
      const said = el('p', {}, el('span', {}, node.position), ' · ', el('b', {}, code(node.op)));
      around.forEach(text => said.append(' · ', marked(text)));
      const values = node.values.map(value => {
        const line = el('p', {}, code(`${value.spec} ${value.text}`.trim()));
        if (value.stats && value.stats.min !== null && value.text.includes('…')) {
          line.append(' ', code(`${value.stats.min} … ${value.stats.max}`));
        }
        return line;
      });
      place.replaceChildren(said, ...values, ...(node.error ? [el('p', {}, upright(`× ${node.error}`))] : []));
    };
    go(0);
    return [
      el('h3', {}, this.word('explore.step')),
      el('p', { class: 'gl-explore-row gl-explore-step' }, buttons[0], input, buttons[1]),
      place
    ];
  }
}

export default {
  render({ model, el: host }) {
    const root = document.createElement('section');
    host.append(root);
    const explorer = new Explorer(model, root);
    const update = () => explorer.update();
    model.on('change:data', update);
    // What stands for the sliders in a saved notebook; JupyterLab hides all of its output by our style sheet.
    const still = hidden =>
      document.querySelectorAll(`[data-gl-still="${model.get('name')}"]`).forEach(other => {
        other.hidden = hidden;
      });
    // The host puts the element into the page after this: colours are known then.
    const timer = setTimeout(() => {
      update();
      still(true);
    });
    return () => {
      clearTimeout(timer);
      still(false);
      model.off('change:data', update);
    };
  }
};
