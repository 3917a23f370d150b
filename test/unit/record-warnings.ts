/** What is printed as warnings during each test of a suite: the list is emptied before each. */
export function recordWarnings(): string[] {
    const warnings: string[] = [];
    const { warn } = console;
    before(() => {
        console.warn = (message: string) => void warnings.push(message);
    });
    after(() => {
        console.warn = warn;
    });
    beforeEach(() => void warnings.splice(0));
    return warnings;
}
