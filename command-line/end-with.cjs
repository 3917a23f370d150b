"use strict";

/** Ends the process with a command's exit code, or prints its error in one line. */
exports.endWith = function endWith(command, stackOf = ({ stack }) => stack) {
    command.then(
        (exitCode) => process.exit(exitCode || 0),
        (error) => {
            console.error(describe(error, stackOf));
            process.exit(error.exitCode || 1);
        },
    );
};

/** User errors need no stack trace; bugs do. */
function describe(error, stackOf) {
    const isMistake = [TypeError, ReferenceError, SyntaxError, RangeError].some((type) => error instanceof type);
    return isMistake || process.env.TRADEWIND_DEBUG ? stackOf(error) : `error: ${error.message}`;
}
