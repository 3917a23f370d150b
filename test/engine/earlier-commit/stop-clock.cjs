"use strict";

// Loaded into every Node process of a run: it begins at the time in TRADEWIND_TEST_CLOCK, so that certificates and tokens of a
// recorded state do not expire.
const shift = Date.parse(process.env.TRADEWIND_TEST_CLOCK) - Date.now();
const RealDate = Date;

globalThis.Date = class extends RealDate {
    constructor(...args) {
        if (args.length > 0) super(...args);
        else super(RealDate.now() + shift);
    }

    static now() {
        return RealDate.now() + shift;
    }
};
