/** Ends the program when it is told to: the first process of a container ignores signals that it does not ask for. */
export function endOnSignals(lastWords: string): void {
    for (const [signal, code] of [["SIGTERM", 143] as const, ["SIGINT", 130] as const]) {
        process.on(signal, () => {
            console.log(`ended by ${signal}; ${lastWords}`);
            process.exit(code);
        });
    }
}
