/** Exits on SIGTERM and SIGINT: the first process of a container ignores signals without a handler. */
export function endOnSignals(lastWords: string): void {
    for (const [signal, code] of [["SIGTERM", 143] as const, ["SIGINT", 130] as const]) {
        process.on(signal, () => {
            console.log(`ended by ${signal}; ${lastWords}`);
            process.exit(code);
        });
    }
}
