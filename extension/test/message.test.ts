import { describe, expect, test } from 'vitest';
import { codeBlock, digits, highlighted, inline, plain } from '../src/message';

function html(text: string): string {
  const p = document.createElement('p');
  p.append(...inline(text));
  return p.innerHTML;
}

describe('inline marks', () => {
  test.each([
    ['plain words', 'plain words'],
    ['`x` is new', '<code dir="ltr">x</code> is new'],
    ['**two** words', '<strong>two</strong> words'],
    ['**`walk` was traced.** Then', '<strong><code dir="ltr">walk</code> was traced.</strong> Then'],
    ['a \\` tick and \\*\\* stars', 'a ` tick and ** stars'],
    ['`a\\`b`', '<code dir="ltr">a`b</code>'],
    ['`2 ** 3`', '<code dir="ltr">2 ** 3</code>'],
    ['', '']
  ])('%j', (text, expected) => {
    expect(html(text)).toBe(expected);
  });

  test('markup in data stays text', () => {
    expect(html('<img src=x onerror=alert(1)> `<b>`')).toBe(
      '&lt;img src=x onerror=alert(1)&gt; <code dir="ltr">&lt;b&gt;</code>'
    );
    expect(plain('**`a` <i>**')).toBe('a <i>');
  });
});

test('numbers are written with the digits of the language', () => {
  expect(digits('۰۱۲۳۴۵۶۷۸۹')(1405)).toBe('۱۴۰۵');
  expect(digits('0123456789')(-12)).toBe('-12');
});

test('highlighted tokens join to the source', () => {
  const div = document.createElement('div');
  div.append(
    ...highlighted([
      ['k', 'def'],
      ['', ' f()']
    ])
  );
  expect(div.textContent).toBe('def f()');
  expect(div.querySelector('.gl-hl-k')?.textContent).toBe('def');
});

describe('characters that are not seen, or turn what is around them', () => {
  test.each([
    ['"a\u202eb"', '"a•b"'],
    ['\u0000\u001b[31m', '••[31m'],
    ['\ttab stays', '\ttab stays'],
    ['نیم‌فاصله stays', 'نیم‌فاصله stays']
  ])('%j in code is shown as %j', (text, shown) => {
    const div = document.createElement('div');
    div.append(...highlighted([['s', text]]));
    expect(div.textContent).toBe(shown);
    expect(html(`\`${text}\``)).toBe(`<code dir="ltr">${shown}</code>`);
  });

  test('in a sentence only those are that would turn it', () => {
    expect(html('\u2067گراف\u2069 \u202eno')).toBe('\u2067گراف\u2069 •no');
  });
});

test('lines of code know how far in they begin', () => {
  const block = codeBlock({ text: 'f(\n    x)', tokens: [[['', 'f(']], [['', '    x)']]] });
  expect(block.textContent).toBe('f(\n    x)');
  expect(
    [...block.querySelectorAll<HTMLElement>('.gl-cl')].map(l => l.style.getPropertyValue('--gl-ind').trim())
  ).toEqual(['0', '4']);
});
