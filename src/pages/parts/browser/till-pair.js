import { call } from './till-api.js';
import { button, el, show, t } from './till-dom.js';

/**
 * Shows the form for a code. One that came with a link is filled in, and still takes a tap: the sender of it must not
 * decide whose till this becomes.
 * @param {{ code: string, wasPaired: boolean, onPaired(): void }} options
 */
export function showPair({ code, wasPaired, onPaired }) {
  const input = el('input', {
    id: 'code',
    name: 'code',
    autocomplete: 'one-time-code',
    autocapitalize: 'characters',
    spellcheck: 'false',
    dir: 'ltr',
    maxlength: '16',
    required: true,
    'aria-describedby': 'code-help code-problem',
  });
  input.value = code;
  const problem = el('p', { id: 'code-problem', class: 'problem', role: 'alert' });
  const submit = button(t('pair_submit'), () => {}, 'primary full');
  submit.type = 'submit';
  const form = el(
    'form',
    {
      class: 'card stack',
      submit: async (event) => {
        event.preventDefault();
        submit.disabled = true;
        problem.textContent = '';
        try {
          await call('POST', '/pair', { code: input.value.trim() || '?' });
          onPaired();
        } catch (error) {
          problem.textContent = /** @type {Error} */ (error).message;
          input.setAttribute('aria-invalid', 'true');
          input.select();
        } finally {
          submit.disabled = false;
        }
      },
    },
    el('h1', {}, t('pair_title')),
    wasPaired && el('p', { class: 'notice warn' }, t('unpaired')),
    el('p', { id: 'code-help', class: 'muted' }, t('pair_help')),
    el('div', { class: 'field' }, el('label', { for: 'code' }, t('pair_code')), input, problem),
    submit,
  );
  show('pair', [form]);
}
