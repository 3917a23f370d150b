"use strict";

/** Ends the process as a command did: with what it resolves to, or with its error in a line. */
exports.endWith = function endWith(command, stackOf = ({ stack }) => stack) {
    command.then(
        (exitCode) => process.exit(exitCode || 0),
        (error) => {
            console.error(describe(error, stackOf));
            process.exit(error.exitCode || 1);
        },
    );
};

/** What the person at the keyboard caused or can mend needs no stack trace; a mistake of ours does. */
function describe(error, stackOf) {
    const isMistake = [TypeError, ReferenceError, SyntaxError, RangeError].some((type) => error instanceof type);
    return isMistake || process.env.TRADEWIND_DEBUG ? stackOf(error) : `error: ${error.message}`;
}
