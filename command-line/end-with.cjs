"use strict";

/** Ends the process with a command's exit code, or prints its error in one line. */
exports.endWith = function endWith(command, stackOf = ({ stack }) => stack) {
    for (const output of [process.stdout, process.stderr]) output.on("error", endUnwritten);
    command.then(
        (exitCode) => endOnceWritten(exitCode || 0),
        (error) => {
            console.error(describe(error, stackOf));
            endOnceWritten(error.exitCode || 1);
        },
    );
};

/** A pipe takes a part of the output at a time; what it has not taken yet would be lost. Errors come after that. */
function endOnceWritten(exitCode) {
    process.stdout.write("", () => process.stderr.write("", () => setImmediate(() => process.exit(exitCode))));
}

/** What could not be written is lost: a full disk is a failure. */
function endUnwritten(error) {
    // Like a program that SIGPIPE ends, which Node ignores: what reads the output, such as `head`, has enough.
    if (error.code === "EPIPE") process.exit(141);
    console.error(`error: cannot write the output: ${error.message}`);
    process.exit(1);
}

/** User errors need no stack trace; bugs do. */
function describe(error, stackOf) {
    const isMistake = [TypeError, ReferenceError, SyntaxError, RangeError].some((type) => error instanceof type);
    return isMistake || process.env.TRADEWIND_DEBUG ? stackOf(error) : `error: ${error.message}`;
}
