/** File of the account in which clouds are simulated; none unless somebody asked for that, who has to say it. */
export function simulatedAccount(env: NodeJS.ProcessEnv = process.env): string | undefined {
    return env.TRADEWIND_SIMULATED_ACCOUNT || undefined;
}
