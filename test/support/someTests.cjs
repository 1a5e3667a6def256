/** A run whose filter (`-t` too) matches no test fails; Jest alone lets it pass. */
module.exports = class SomeTests {
	constructor({ passWithNoTests, watch, watchAll }) {
		this.mayBeNone = passWithNoTests || watch || watchAll;
	}

	onRunComplete(_contexts, { numPassedTests, numFailedTests }) {
		this.ranNone = numPassedTests + numFailedTests === 0;
	}

	getLastError() {
		return this.ranNone && !this.mayBeNone ? new Error('No test matches the filter.') : undefined;
	}
};
