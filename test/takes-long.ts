/** Whether long tests run, too: `TRADEWIND_LONG_TESTS=1`. */
export const isLong = process.env.TRADEWIND_LONG_TESTS === "1";

/** In the title of each long test, so that the runner can keep the table of CONTRIBUTING.md. */
export const LONG_TAG = "[long]";

/** A long test: it only runs if `TRADEWIND_LONG_TESTS` is 1. */
export function itLong(title: string, test?: Mocha.AsyncFunc | Mocha.Func): void {
    (isLong ? it : it.skip)(`${title} ${LONG_TAG}`, test as Mocha.AsyncFunc);
}

/** Like `itLong`, for a group of tests. */
export function describeLong(title: string, tests: (this: Mocha.Suite) => void): void {
    (isLong ? describe : describe.skip)(`${title} ${LONG_TAG}`, tests);
}

/** A group that is long only if it repeats another one, as where both clouds have the same code for it. */
export function describeLongIf(repeats: boolean, title: string, tests: (this: Mocha.Suite) => void): void {
    (repeats ? describeLong : describe)(title, tests);
}
