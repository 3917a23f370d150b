/** File of the account in which clouds are simulated; it must be requested explicitly, otherwise there is none. */
export function simulatedAccount(env: NodeJS.ProcessEnv = process.env): string | undefined {
    return env.TRADEWIND_SIMULATED_ACCOUNT || undefined;
}
