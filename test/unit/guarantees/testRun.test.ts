import { arrange, selectSteps } from '../../../scripts/tests/steps.mjs';

const namesOf = (steps: ReadonlyArray<{ name: string }>) => steps.map(({ name }) => name);

test('of npm test, nothing waits for n8n but the tests in it, and these wait for the build alone', () => {
	const { first, atOnce } = arrange(selectSteps([]).steps);

	expect(namesOf(first)).toEqual(['build']);
	expect(atOnce.map(namesOf)).toEqual([['lint', 'typecheck', 'unit', 'host', 'hostile'], ['e2e']]);
});

test('CI runs everything that npm test runs', () => {
	const all = namesOf(selectSteps(['all']).steps);

	expect(all).toEqual(expect.arrayContaining(namesOf(selectSteps([]).steps)));
});
