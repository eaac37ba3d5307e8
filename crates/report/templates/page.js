'use strict';

// The page is complete without this script, which only sorts and hides rows.

// Numbers by size, words by the alphabet, and what has neither last in both directions.
const compare = (a, b, sign) => {
  if (a === '' || b === '') return (a === '') - (b === '');
  const difference = Number(a) - Number(b);
  return sign * (Number.isNaN(difference) ? a.localeCompare(b) : difference);
};

const value = (row, column) => {
  const cell = row.cells[column];
  return cell.dataset.sort ?? cell.textContent.trim();
};

for (const table of document.querySelectorAll('table')) {
  const body = table.tBodies[0];
  const original = [...body.rows];
  const heads = [...table.querySelectorAll('thead th[data-column]')];
  for (const head of heads) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute('aria-sort', 'none');
    button.addEventListener('click', () => {
      const next = { none: 'ascending', ascending: 'descending', descending: 'none' };
      const order = next[head.getAttribute('aria-sort')];
      for (const other of heads) other.setAttribute('aria-sort', 'none');
      head.setAttribute('aria-sort', order);
      const column = Number(head.dataset.column);
      const sign = order === 'descending' ? -1 : 1;
      const rows = [...original];
      if (order !== 'none') {
        rows.sort((a, b) => compare(value(a, column), value(b, column), sign));
      }
      body.append(...rows);
    });
  }
}

for (const sequence of document.querySelectorAll('[data-sequence]')) {
  const form = sequence.querySelector('.filter');
  const name = form.querySelector('.by-name');
  const word = form.querySelector('.by-word');
  const shown = form.querySelector('.shown');
  // The first matrix is the one that the verdicts go by.
  const rows = [...sequence.querySelectorAll('.matrix')].map((table) => [...table.tBodies[0].rows]);
  const first = rows[0] ?? [];
  const filter = () => {
    const part = name.value.trim().toLowerCase();
    const hidden = new Set();
    for (const row of first) {
      const words = row.dataset.words.split(' ');
      const named = row.dataset.name.toLowerCase().includes(part);
      const wanted = word.value === ''
        || words.includes(word.value)
        || (word.value === 'differs' && (words.includes('slower') || words.includes('faster')));
      if (!(named && wanted)) hidden.add(row.dataset.row);
    }
    for (const row of rows.flat()) row.hidden = hidden.has(row.dataset.row);
    for (const section of sequence.querySelectorAll('details.variant')) {
      section.hidden = hidden.has(section.dataset.row);
    }
    shown.value = `${first.length - hidden.size} of ${first.length} variants shown`;
  };
  form.hidden = first.length < 2;
  form.addEventListener('input', filter);
  form.addEventListener('change', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  filter();
}

// On paper nothing can be opened.
let opened = [];
addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll('details:not([open])')];
  for (const details of opened) details.open = true;
});
addEventListener('afterprint', () => {
  for (const details of opened) details.open = false;
});

// A link to a variant opens it.
const open = () => {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
};
addEventListener('hashchange', open);
open();
